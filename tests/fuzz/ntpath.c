/* SPDX-License-Identifier: MIT */
/* Names of the NT kernel, as a hostile program on Windows gives them: always a path in WTF-8 of
   bounded length, and the way from units to bytes loses nothing. */
#include <stdlib.h>
#include <string.h>

#include "common/wtf8.h"
#include "fuzz.h"
#include "tracer/windows/ntpath.h"

static void add(struct ft_nt_devices *devices, const char *nt, const char *dos)
{
    FUZZ_CHECK(!ft_nt_devices_add(devices, nt, strlen(nt), dos, strlen(dos)), "no device");
}

static void check_round_trip(const char *units, size_t size_bytes)
{
    size_t count = size_bytes / 2, back_count;
    char *bytes = malloc(WTF8_BYTES(count) + 1);
    FUZZ_CHECK(bytes, "no memory to start with");
    size_t length = wtf8_from_utf16(units, size_bytes, bytes);
    FUZZ_CHECK(length <= WTF8_BYTES(count), "longer than promised");
    uint16_t *back = malloc(length * sizeof(*back) + 1);
    FUZZ_CHECK(back, "no memory to start with");
    FUZZ_CHECK(!wtf8_to_utf16(bytes, length, back, &back_count), "no way back");
    FUZZ_CHECK(back_count == count && !memcmp(back, units, count * 2), "other units came back");
    free(back);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct fuzz_input input = {.at = data, .left_bytes = size_bytes};
    static struct ft_nt_devices devices;
    size_t base_bytes = fuzz_take_byte(&input), path_bytes, out_bytes = 0, units;
    base_bytes = base_bytes < input.left_bytes ? base_bytes : input.left_bytes;
    char *base = malloc(base_bytes + 1);
    FUZZ_CHECK(base, "no memory to start with");
    fuzz_take(&input, base, base_bytes);
    char *path = fuzz_take_rest(&input, &path_bytes);
    if (!devices.count) {
        add(&devices, "\\Device\\HarddiskVolume3", "C:");
        add(&devices, "\\SystemRoot", "C:\\Windows");
    }
    check_round_trip(path, path_bytes);

    size_t room = FT_NT_PATH_BYTES(base_bytes, path_bytes);
    char *out = malloc(room);
    uint16_t *wide = malloc(room * sizeof(*wide));
    FUZZ_CHECK(out && wide, "no memory to start with");
    enum ft_nt_kind kind = ft_nt_path(base, base_bytes, path, path_bytes,
                                      size_bytes % 2 ? &devices : NULL, out, &out_bytes);
    FUZZ_CHECK(kind <= FT_NT_UNKNOWN, "no kind");
    FUZZ_CHECK(out_bytes < room && !out[out_bytes], "longer than promised, or without an end");
    FUZZ_CHECK(!wtf8_to_utf16(out, out_bytes, wide, &units), "not WTF-8");
    if (kind == FT_NT_FILE) /* "\\\" names no server: what is left of it is "\" */
        FUZZ_CHECK(out[0] == '\\' || (out_bytes >= 3 && out[1] == ':' && out[2] == '\\'),
                   "not absolute");
    free(out);
    free(wide);
    free(base);
    free(path);
    return 0;
}
