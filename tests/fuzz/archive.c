/* SPDX-License-Identifier: MIT */
/* An artifact from a fork: the one file that it may hold, within the limits, or a reason. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "report/archive.h"

#define MAX_FILE_BYTES (1u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct err err = {0};
    struct buf out;
    buf_init(&out, MAX_FILE_BYTES);
    int ret = rep_archive_read(data, size_bytes, "result.json", &out, &err);
    FUZZ_CHECK(!ret == !err.code, "a failure without words");
    FUZZ_CHECK(!ret || ret == -EPROTO || ret == -EFBIG || ret == -ENOMEM, "an unknown failure");
    FUZZ_CHECK(out.size_bytes <= MAX_FILE_BYTES, "more than the limit");
    if (!ret && size_bytes && data[0] != '{')
        FUZZ_CHECK(out.size_bytes <= REP_ARCHIVE_RATIO_FREE_BYTES ||
                       out.size_bytes / REP_ARCHIVE_MAX_RATIO <= size_bytes,
                   "a bomb was unpacked");
    buf_fini(&out);
    return 0;
}
