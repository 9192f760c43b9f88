/* SPDX-License-Identifier: MIT */
/* A hostile zip archive, read in memory: one expected file, or a reason. */
#ifndef REPORT_ARCHIVE_H
#define REPORT_ARCHIVE_H

#include <stddef.h>

#include "common/buf.h"
#include "common/compiler.h"
#include "common/err.h"

#define REP_ARCHIVE_MAX_BYTES (8u << 20)   /**< of an archive */
#define REP_ARCHIVE_MAX_RATIO 200          /**< unpacked to packed size of the file */
#define REP_ARCHIVE_RATIO_FREE_BYTES 65536 /**< below this the ratio does not matter */

/**
 * Take the one file out of an archive. Nothing is written to disk, and no name of the
 * archive is used as a path. A bare JSON file (upload-artifact with archive: false) is told
 * by its first byte and taken as it is.
 *
 * Refused, with one line that names the entry: any other entry (so also folders, doubles,
 * "..", absolute and drive paths), symbolic links and devices, encryption, methods other than
 * stored and deflated, a checksum that does not fit, more bytes than @out may hold (counted
 * while unpacking, whatever the headers say) and a ratio beyond the limit.
 * @name   of the only entry: "result.json"
 * @out    appended to; its limit is the file's
 * @return 0; -EPROTO: refused; -EFBIG: too large; -ENOMEM
 * Thread safe.
 */
MUST_USE int rep_archive_read(const void *data, size_t size_bytes, const char *name,
                              struct buf *out, struct err *err);

#endif
