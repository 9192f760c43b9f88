/* SPDX-License-Identifier: MIT */
/* `workload paths`: what a watcher of the run must have seen, as absolute and lexically
 * normal paths. */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "system.h"

static int print_names(const struct wl_plan *plan)
{
    char folder[WL_PATH_SIZE] = "";
    struct wl_name name;

    int ret = wl_absolute_folder(plan->folder, plan->operation->relative, folder);
    for (size_t i = 0; !ret && i < plan->threads; i++) {
        /* The root is "", which would give relative names. */
        ret = wl_name_first(&name, *folder ? folder : "/.", i, plan->operation->kind);
        char *path = *folder ? name.path : name.path + 2;
        for (char *c = path; *c; c++) {
            if (*c == '/')
                *c = wl_separator;
        }
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
