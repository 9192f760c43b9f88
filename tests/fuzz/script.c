/* SPDX-License-Identifier: MIT */
/* The first line of a script, against the rules of the kernel's binfmt_script told in another way.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tracer/image.h"

struct file {
    const char *data;
    size_t size_bytes;
};

static long read_at(void *context, void *to, size_t size_bytes, uint64_t offset)
{
    const struct file *file = context;
    if (offset >= file->size_bytes)
        return 0;
    size_t n = file->size_bytes - (size_t)offset;
    n = n < size_bytes ? n : size_bytes;
    memcpy(to, file->data + offset, n);
    return (long)n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct ft_image image;
    char *text = malloc(size_bytes + 3);
    FUZZ_CHECK(text, "no memory to start with");
    memcpy(text, "#!", 2);
    if (size_bytes)
        memcpy(text + 2, data, size_bytes);
    text[size_bytes + 2] = '\0';
    struct file file = {.data = text, .size_bytes = size_bytes + 2};
    memset(&image, 0xa5, sizeof(image));
    ft_image_inspect(read_at, &file, &image);

    FUZZ_CHECK(image.kind == FT_IMAGE_SCRIPT, "\"#!\" and no script");
    FUZZ_CHECK(memchr(image.interpreter, '\0', sizeof(image.interpreter)), "a name without end");
    /* the kernel looks at the first 256 bytes, the last of which it makes a NUL */
    if (size_bytes + 2 > FT_INTERPRETER_MAX - 1)
        text[FT_INTERPRETER_MAX - 1] = '\0';
    const char *name = text + 2 + strspn(text + 2, " \t");
    size_t length = strcspn(name, " \t\n");
    bool whole = name + length < text + FT_INTERPRETER_MAX - 1;
    if (whole)
        FUZZ_CHECK(!strncmp(image.interpreter, name, length) && !image.interpreter[length],
                   "another interpreter than the kernel's");
    free(text);
    return 0;
}
