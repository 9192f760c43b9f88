/* SPDX-License-Identifier: MIT */
/* The name of a folder that is longer than the kernel can say: found by climbing until it can,
 * looking in each parent for the number of the folder below. */
#include "tracer/linux/preload_deep.h"

#include <asm/stat.h>
#include <linux/errno.h>
#include <linux/fcntl.h>

#include "tracer/linux/preload_allowed.h"
#include "tracer/linux/sys.h"

#define NAMES_BYTES 4096u

/** What getdents64(2) fills in. */
struct entry {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[];
};

/** Working memory, in mapped pages: stacks may be small. */
struct climb {
    char entries[NAMES_BYTES] __attribute__((aligned(8)));
    char path[FT_DEEP_MAX]; /* filled from its end */
    uint32_t first;         /* of the bytes in use */
    char top[FT_PATH_MAX];
};

static bool prepend(struct climb *climb, const char *text, uint32_t length)
{
    if (length > climb->first)
        return false;
    climb->first -= length;
    for (uint32_t i = 0; i < length; i++)
        climb->path[climb->first + i] = text[i];
    return true;
}

/** "." or "..". */
static bool is_dot(const char *name)
{
    return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

/** Put "/NAME" in front, for the folder of this number in @parent. */
static bool prepend_name(struct climb *climb, int parent, uint64_t inode)
{
    for (;;) {
        long size = SYS3(__NR_getdents64, parent, climb->entries, sizeof(climb->entries));
        if (size <= 0)
            return false;
        for (long at = 0; at < size;) {
            const struct entry *entry = (const struct entry *)(climb->entries + at);
            at += entry->length;
            if (entry->inode != inode || is_dot(entry->name))
                continue;
            uint32_t length = ft_length(entry->name, 256);
            return prepend(climb, entry->name, length) && prepend(climb, "/", 1);
        }
    }
}

/** Climb from @fd, which is closed. @return true when the whole name stands in climb->path */
static bool climb_from(struct climb *climb, int fd)
{
    for (uint32_t depth = 0; depth < FT_DEEP_MAX / 2; depth++) {
        struct stat st;
        uint32_t length = ft_fd_path(fd, climb->top);
        if (length) {
            SYS1(__NR_close, fd);
            return prepend(climb, climb->top, length == 1 ? 0 : length);
        }
        long ret = SYS2(__NR_fstat, fd, &st);
        int parent = (int)SYS4(__NR_openat, fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
        SYS1(__NR_close, fd);
        if (parent < 0)
            return false;
        fd = parent;
        if (ret || !prepend_name(climb, fd, st.st_ino))
            break;
    }
    SYS1(__NR_close, fd);
    return false;
}

bool ft_deep_folder(int folder, void (*found)(void *context, const char *base, uint32_t base_bytes),
                    void *context)
{
    if (!ft_own_allowed(FT_OWN_CLIMB) || !ft_own_allowed(FT_OWN_DESCRIPTOR))
        return false;
    int fd = (int)SYS4(__NR_openat, folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    struct climb *climb = ft_preload_map(sizeof(*climb));
    if (!climb) {
        SYS1(__NR_close, fd);
        return false;
    }
    climb->first = sizeof(climb->path);
    bool known = climb_from(climb, fd);
    if (known)
        found(context, climb->path + climb->first, (uint32_t)sizeof(climb->path) - climb->first);
    ft_preload_unmap(climb, sizeof(*climb));
    return known;
}
