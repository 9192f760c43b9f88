/* SPDX-License-Identifier: MIT */
/* An executable made to mislead the tracer: read before it is executed, and its code looked
 * through. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tracer/image.h"
#include "tracer/image_scan.h"

struct file {
    const uint8_t *data;
    size_t size_bytes;
    size_t step_bytes; /* most that one read gives */
};

static long read_at(void *context, void *to, size_t size_bytes, uint64_t offset)
{
    const struct file *file = context;
    if (offset > INT64_MAX)
        return -1; /* as pread(2): a negative offset is EINVAL */
    if (offset >= file->size_bytes)
        return 0;
    size_t n = file->size_bytes - (size_t)offset;
    n = n < size_bytes ? n : size_bytes;
    n = n < file->step_bytes ? n : file->step_bytes;
    memcpy(to, file->data + offset, n);
    return (long)n;
}

/* Short reads may hide what there is; they must not make it up. */
static void inspect(const uint8_t *data, size_t size_bytes, size_t step_bytes)
{
    struct file file = {.data = data, .size_bytes = size_bytes, .step_bytes = step_bytes};
    struct ft_image image;
    memset(&image, 0xa5, sizeof(image));
    ft_image_inspect(read_at, &file, &image);
    FUZZ_CHECK(image.kind <= FT_IMAGE_SCRIPT, "no kind");
    FUZZ_CHECK(image.way <= FT_WAY_UNTOUCHED, "no way in");
    FUZZ_CHECK(memchr(image.interpreter, '\0', sizeof(image.interpreter)), "a name without end");
    FUZZ_CHECK(image.way != FT_WAY_PRELOAD || image.interpreter[0], "preload without a loader");
}

/* What is found in a whole is found in pieces that overlap as promised. */
static void scan(const uint8_t *data, size_t size_bytes)
{
    size_t half = size_bytes / 2 & ~(size_t)3; /* Arm's instructions have four bytes */
    size_t from = half > FT_SCAN_CONTEXT ? half - FT_SCAN_CONTEXT : 0;
    unsigned whole = ft_image_scan(data, size_bytes);
    unsigned pieces = ft_image_scan(data, half) | ft_image_scan(data + from, size_bytes - from);
    FUZZ_CHECK(!(whole & ~pieces), "hidden between two pieces");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    inspect(data, size_bytes, SIZE_MAX);
    inspect(data, size_bytes, 7);
    scan(data, size_bytes);
    return 0;
}
