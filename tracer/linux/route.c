/* SPDX-License-Identifier: MIT */
/* Which way into a file, through the interpreters of scripts. */
#include "tracer/linux/route.h"

#include <linux/fcntl.h>
#include <stdbool.h>

#include "tracer/linux/sys.h"

#define INTERPRETERS_MAX 5 /* as the kernel's bprm recursion limit */

static long read_file(void *context, void *to, size_t size_bytes, uint64_t offset)
{
    return SYS4(__NR_pread64, *(const int *)context, to, size_bytes, offset);
}

enum ft_way ft_route_file(const char *path, ft_route_loaded *loaded, void *context)
{
    struct ft_image image = {.way = FT_WAY_KERNEL};
    char interpreter[FT_INTERPRETER_MAX];

    for (int depth = 0; depth <= INTERPRETERS_MAX; depth++) {
        int fd = (int)SYS4(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
        if (fd < 0)
            return FT_WAY_KERNEL;
        ft_image_inspect(read_file, &fd, &image);
        SYS1(__NR_close, fd);
        if (loaded && image.interpreter[0])
            loaded(context, image.interpreter);
        if (image.kind != FT_IMAGE_SCRIPT)
            return image.way;
        for (int i = 0; i < FT_INTERPRETER_MAX; i++)
            interpreter[i] = image.interpreter[i];
        path = interpreter;
    }
    return FT_WAY_KERNEL;
}
