/* SPDX-License-Identifier: MIT */
/* What a notified exec loads besides the file that it names, and what it would gain. */
#include "tracer/linux/notified_exec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tracer/linux/task.h"
#include "tracer/record.h"

#define NAME_BYTES (FT_TASK_PATH_BYTES + FT_PATH_MAX)

/** Who executes, and what has been found. */
struct look {
    uint32_t tid;
    struct ft_notified_exec *out;
};

/** The file's name as it can be opened here: from the task's root, folder or descriptor on. */
static void name_of(uint32_t tid, int dirfd, const char *path, char *out)
{
    char start[FT_TASK_PATH_BYTES], name[sizeof("fd/-2147483648")] = "cwd";

    if (path[0] == '/')
        (void)snprintf(name, sizeof(name), "root");
    else if (dirfd != AT_FDCWD)
        (void)snprintf(name, sizeof(name), "fd/%d", dirfd);
    ft_task_path(tid, name, start);
    (void)snprintf(out, NAME_BYTES, "%s%s%s", start, path[0] && path[0] != '/' ? "/" : "", path);
}

static int open_of_task(void *context, const char *path, int flags)
{
    const struct look *look = context;
    char name[NAME_BYTES];

    name_of(look->tid, AT_FDCWD, path, name);
    /* What a FIFO's other end does must not matter here. */
    int fd = open(name, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

static void keep_loaded(void *context, const char *path, int error)
{
    const struct look *look = context;
    struct ft_notified_exec *out = look->out;

    if (out->count == FT_ROUTE_LOADED_MAX)
        return;
    out->has_relative |= path[0] != '/';
    out->errors[out->count] = error;
    (void)snprintf(out->paths[out->count++], FT_INTERPRETER_MAX, "%s", path);
}

/** Does no_new_privs, which the filter needs without CAP_SYS_ADMIN, keep an image from
 * gaining what its mode or capabilities would give? */
static bool loses_privileges(const char *name, const struct stat *st, uint32_t tid)
{
    char capabilities[64];
    bool gains = ((st->st_mode & S_ISUID) && st->st_uid != geteuid()) ||
                 ((st->st_mode & S_ISGID) && (st->st_mode & S_IXGRP) && st->st_gid != getegid()) ||
                 (geteuid() &&
                  getxattr(name, "security.capability", capabilities, sizeof(capabilities)) > 0);
    struct ft_task_status status;
    return gains && !ft_task_status(tid, &status) && status.gains_nothing;
}

void ft_notified_exec_read(struct ft_notified_exec *out, uint32_t tid, int dirfd, const char *path)
{
    struct look look = {.tid = tid, .out = out};
    char name[NAME_BYTES];
    struct stat st;

    out->loses_privileges = out->has_relative = false;
    out->count = 0;
    name_of(tid, dirfd, path, name);
    /* Nothing else is ever executed, nor without any of these bits. */
    if (stat(name, &st) || !S_ISREG(st.st_mode) || !(st.st_mode & 0111))
        return;
    out->loses_privileges = loses_privileges(name, &st, tid);
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    ft_route_tell(fd < 0 ? -errno : fd, open_of_task, keep_loaded, &look);
}
