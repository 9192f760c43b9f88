/* SPDX-License-Identifier: MIT */
/* SHA-256, to say which files were measured. Our own because none of the libraries that
   the project has anyway offers a hash, and one more dependency costs more than this. */
#ifndef HARNESS_SHA256_H
#define HARNESS_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "common/err.h"

#define TT_SHA256_HEX_SIZE 65 /**< 64 hexadecimal digits and the NUL */

/** A hash being computed. */
struct tt_sha256 {
    uint32_t state[8];
    uint64_t size_bytes; /**< taken in so far */
    uint8_t block[64];
};

/** Start. */
void tt_sha256_init(struct tt_sha256 *hash);

/** Take in bytes. */
void tt_sha256_update(struct tt_sha256 *hash, const void *data, size_t size_bytes);

/** End; the hash in lower-case hexadecimal. @hash is used up. */
void tt_sha256_finish(struct tt_sha256 *hash, char out[TT_SHA256_HEX_SIZE]);

/**
 * The hash of a file's contents.
 * @out "" on failure
 * @return 0, or what the system says; @err names the file
 */
MUST_USE int tt_sha256_file(const char *path, char out[TT_SHA256_HEX_SIZE], struct err *err);

#endif
