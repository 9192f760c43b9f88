/* SPDX-License-Identifier: MIT */
/* Folder and path of a record, joined: always normal, and normal stays as it is. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tracer/path.h"

static bool is_part(const char *part, size_t length)
{
    return length && !(length == 1 && *part == '.') && !(length == 2 && !memcmp(part, "..", 2));
}

/* Absolute, with one '/' between parts, none of them empty, "." or "..". */
static bool is_normal(const char *path, size_t length)
{
    if (length == 1 && *path == '/')
        return true;
    for (size_t at = 0; at < length;) {
        if (path[at] != '/')
            return false;
        const char *end = memchr(path + at + 1, '/', length - at - 1);
        size_t next = end ? (size_t)(end - path) : length;
        if (!is_part(path + at + 1, next - at - 1))
            return false;
        at = next;
    }
    return length > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct fuzz_input input = {.at = data, .left_bytes = size_bytes};
    size_t base_bytes, path_bytes;
    char *base = fuzz_take_until(&input, '\n', &base_bytes);
    char *path = fuzz_take_rest(&input, &path_bytes);
    char *out = malloc(FT_PATH_JOIN_BYTES(base_bytes, path_bytes));
    char *again = malloc(FT_PATH_JOIN_BYTES(0, base_bytes + path_bytes + 3));
    FUZZ_CHECK(out && again, "no memory to start with");

    size_t length = ft_path_join(base, base_bytes, path, path_bytes, out);
    FUZZ_CHECK(length < FT_PATH_JOIN_BYTES(base_bytes, path_bytes), "longer than promised");
    FUZZ_CHECK(!out[length], "no NUL at the end");
    bool absolute = *path == '/' || *base == '/';
    if (path_bytes && absolute) {
        FUZZ_CHECK(is_normal(out, length), "not normal");
        size_t same = ft_path_join("", 0, out, length, again);
        FUZZ_CHECK(same == length && !memcmp(out, again, length), "normal did not stay");
    }
    free(base);
    free(path);
    free(out);
    free(again);
    return 0;
}
