/* SPDX-License-Identifier: MIT */
/* Which way into a file, through the interpreters of scripts. */
#include "tracer/linux/route.h"

#include <asm/stat.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <stdbool.h>

#include "tracer/linux/sys.h"

/* As <sys/stat.h> has them, which is not for us. */
#define MODE_SETUID 04000u
#define MODE_SETGID 02000u
#define MODE_GROUP_EXEC 00010u

#define INTERPRETERS_MAX 5 /* as the kernel's bprm recursion limit */

static long read_file(void *context, void *to, size_t size_bytes, uint64_t offset)
{
    return SYS4(__NR_pread64, *(const int *)context, to, size_bytes, offset);
}

/** Does an exec of it change who the process is? */
static bool gains_privileges(int fd)
{
    struct stat st;
    char capabilities[64];

    if (SYS2(__NR_fstat, fd, &st))
        return false;
    uint32_t user = (uint32_t)SYS0(__NR_geteuid), group = (uint32_t)SYS0(__NR_getegid);
    if ((st.st_mode & MODE_SETUID) && st.st_uid != user)
        return true;
    /* Without the group's execute bit it once meant mandatory locking. */
    if ((st.st_mode & MODE_SETGID) && (st.st_mode & MODE_GROUP_EXEC) && st.st_gid != group)
        return true;
    return user != 0 &&
           SYS4(__NR_fgetxattr, fd, "security.capability", capabilities, sizeof(capabilities)) > 0;
}

enum ft_way ft_route_file(const char *path, ft_route_loaded *loaded, void *context)
{
    struct ft_image image = {.way = FT_WAY_KERNEL};
    char interpreter[FT_INTERPRETER_MAX];

    for (int depth = 0; depth <= INTERPRETERS_MAX; depth++) {
        int fd = (int)SYS4(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
        if (loaded && depth)
            loaded(context, path, fd < 0 ? -fd : 0);
        if (fd < 0)
            return fd == -EACCES ? FT_WAY_PRELOAD : FT_WAY_KERNEL;
        ft_image_inspect(read_file, &fd, &image);
        bool untouched = image.kind == FT_IMAGE_ELF && gains_privileges(fd);
        SYS1(__NR_close, fd);
        if (image.kind != FT_IMAGE_SCRIPT) {
            if (loaded && image.interpreter[0])
                loaded(context, image.interpreter,
                       (int)-SYS3(__NR_faccessat, AT_FDCWD, image.interpreter, 0));
            return untouched ? FT_WAY_UNTOUCHED : image.way;
        }
        for (int i = 0; i < FT_INTERPRETER_MAX; i++)
            interpreter[i] = image.interpreter[i];
        path = interpreter;
    }
    return FT_WAY_KERNEL;
}
