/* SPDX-License-Identifier: MIT */
/* `workload paths`: what a watcher of the run must have seen, as absolute and lexically
 * normal paths. */
#include "commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/**
 * Append @path to @out without ".", ".." and doubled '/', by its text alone.
 * @out absolute and normal; "" stands for the root
 * @return 0, or -ENAMETOOLONG
 */
static int append_normal(char out[WL_PATH_SIZE], const char *path)
{
    size_t used = strlen(out);

    while (*path) {
        size_t length = strcspn(path, "/");
        if (length == 2 && path[0] == '.' && path[1] == '.') {
            while (used && out[--used] != '/')
                ;
        } else if (length && !(length == 1 && path[0] == '.')) {
            if (length + 1 >= WL_PATH_SIZE - used)
                return -ENAMETOOLONG;
            out[used++] = '/';
            memcpy(out + used, path, length);
            used += length;
        }
        out[used] = '\0';
        path += length;
        path += *path == '/';
    }
    return 0;
}

/** The folder as a watcher names it. @return 0, or a negative errno value */
static int absolute_folder(const struct wl_plan *plan, char out[WL_PATH_SIZE])
{
    /* The system knows the working folder only by its real name. */
    if (plan->operation->relative) {
        char *real = realpath(plan->folder, NULL);
        if (!real)
            return -errno;
        out[0] = '\0';
        int ret = append_normal(out, real);
        free(real);
        return ret;
    }
    out[0] = '\0';
    if (*plan->folder != '/') {
        char here[WL_PATH_SIZE];
        if (!getcwd(here, sizeof(here)))
            return -errno;
        int ret = append_normal(out, here);
        if (ret)
            return ret;
    }
    return append_normal(out, plan->folder);
}

static int print_names(const struct wl_plan *plan)
{
    char folder[WL_PATH_SIZE] = "";
    struct wl_name name;

    int ret = absolute_folder(plan, folder);
    for (size_t i = 0; !ret && i < plan->threads; i++) {
        /* The root is "", which would give relative names. */
        ret = wl_name_first(&name, *folder ? folder : "/.", i, plan->operation->kind);
        const char *path = *folder ? name.path : name.path + 2;
        for (size_t n = wl_plan_count(plan, i); !ret && n; n--) {
            (void)puts(path);
            wl_name_next(&name);
        }
    }
    return ret;
}

int wl_command_paths(const struct wl_plan *plan)
{
    int ret = 0;

    if (strchr(plan->folder, '\n')) {
        wl_complain("paths: %s: one path a line cannot hold a newline; take another folder",
                    plan->folder);
        return 1;
    }
    if (plan->operation->starts_programs) {
        char self[WL_PATH_SIZE];
        ret = wl_self_path(self);
        if (!ret)
            (void)puts(self);
    } else if (plan->operation->kind) {
        ret = print_names(plan);
    }
    if (ret) {
        wl_complain("paths: %s: %s", plan->folder, strerror(-ret));
        return 1;
    }
    return wl_finish_output();
}

int wl_command_operations(void)
{
    size_t count;
    const struct wl_operation *table = wl_operations(&count);
    for (size_t i = 0; i < count; i++)
        (void)printf("%-14s %s\n", table[i].name, table[i].does);
    return wl_finish_output();
}
