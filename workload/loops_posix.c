/* SPDX-License-Identifier: MIT */
/* The table of operations and their loops over files. */
#include "operations.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void loop_open_close(struct wl_thread *thread)
{
    for (size_t i = 0; i < thread->count; i++) {
        int fd = open(thread->name.path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) {
            wl_thread_fail(thread, "cannot open", -errno);
            return;
        }
        if (close(fd)) {
            wl_thread_fail(thread, "cannot close", -errno);
            return;
        }
        wl_name_next(&thread->name);
    }
}

static void loop_stat(struct wl_thread *thread)
{
    for (size_t i = 0; i < thread->count; i++) {
        struct stat st;
        if (stat(thread->name.path, &st)) {
            wl_thread_fail(thread, "cannot stat", -errno);
            return;
        }
        wl_name_next(&thread->name);
    }
}

static void loop_missing(struct wl_thread *thread)
{
    for (size_t i = 0; i < thread->count; i++) {
        int fd = open(thread->name.path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0) {
            close(fd); /* read only: nothing can be lost */
            wl_thread_fail(thread, "this file must not be there", -EEXIST);
            return;
        }
        if (errno != ENOENT) {
            wl_thread_fail(thread, "cannot look for", -errno);
            return;
        }
        wl_name_next(&thread->name);
    }
}

static void loop_read_dir(struct wl_thread *thread)
{
    for (size_t i = 0; i < thread->count; i++) {
        DIR *folder = opendir(thread->name.path);
        if (!folder) {
            wl_thread_fail(thread, "cannot open the folder", -errno);
            return;
        }
        errno = 0;
        while (readdir(folder))
            ;
        int read_code = -errno;
        if (closedir(folder) && !read_code)
            read_code = -errno;
        if (read_code) {
            wl_thread_fail(thread, "cannot read the folder", read_code);
            return;
        }
        wl_name_next(&thread->name);
    }
}

const struct wl_operation wl_table[] = {
    {.name = "open-close",
     .does = "open each file by its path below DIR and close it at once",
     .kind = "file",
     .needs_prepared = true,
     .loop = loop_open_close},
    {.name = "launch", .does = "nothing: what starting a program costs"},
    {.name = "open-relative",
     .does = "as open-close, with names relative to DIR, which is made the working folder once",
     .kind = "file",
     .needs_prepared = true,
     .relative = true,
     .loop = loop_open_close},
    {.name = "stat",
     .does = "ask for each file's metadata without opening it",
     .kind = "file",
     .needs_prepared = true,
     .loop = loop_stat},
    {.name = "missing",
     .does = "try to open files that are not there",
     .kind = "gone",
     .loop = loop_missing},
    {.name = "read-dir",
     .does = "open each of as many empty folders, read it to its end and close it",
     .kind = "dir",
     .needs_prepared = true,
     .loop = loop_read_dir},
    {.name = "spawn",
     .does = "start a program that does nothing, by posix_spawn, and wait for it (100 in all)",
     .starts_programs = true,
     .default_total = 100,
     .loop = wl_loop_spawn},
    {.name = "spawn-fork",
     .does = "as spawn, by fork and exec",
     .starts_programs = true,
     .default_total = 100,
     .loop = wl_loop_spawn_fork},
};

const size_t wl_table_count = sizeof(wl_table) / sizeof(wl_table[0]);
