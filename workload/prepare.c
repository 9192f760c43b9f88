/* SPDX-License-Identifier: MIT */
/* `workload prepare`: make what the runs need, before any clock starts. */
#include "commands.h"

#include <string.h>

#include "system.h"

/** Make @count names of one kind. @name is left at the one that failed. */
static int make_names(struct wl_name *name, size_t count, int (*make)(const char *path))
{
    for (size_t i = 0; i < count; i++) {
        int ret = make(name->path);
        if (ret)
            return ret;
        wl_name_next(name);
    }
    return 0;
}

/** Does the plan's operation, or any when it names none, need names of this @kind? */
static bool is_needed(const struct wl_plan *plan, const char *kind)
{
    const struct wl_operation *operation = plan->operation;
    return !operation || (operation->needs_prepared && !strcmp(operation->kind, kind));
}

int wl_command_prepare(const struct wl_plan *plan)
{
    static const struct {
        const char *kind;
        int (*make)(const char *path);
    } kinds[] = {{"file", wl_make_file}, {"dir", wl_make_folder}};
    struct wl_name name;

    int ret = wl_make_folder(plan->folder);
    if (ret) {
        wl_complain("prepare: cannot make the folder %s: %s", plan->folder, strerror(-ret));
        return 1;
    }
    for (size_t i = 0; i < plan->threads; i++) {
        ret = wl_name_thread_folder(name.path, plan->folder, i);
        if (!ret)
            ret = wl_make_folder(name.path);
        for (size_t k = 0; !ret && k < sizeof(kinds) / sizeof(kinds[0]); k++) {
            if (!is_needed(plan, kinds[k].kind))
                continue;
            ret = wl_name_first(&name, plan->folder, i, kinds[k].kind);
            if (!ret)
                ret = make_names(&name, wl_plan_count(plan, i), kinds[k].make);
        }
        if (ret) {
            wl_complain("prepare: cannot make %s: %s", name.path, strerror(-ret));
            return 1;
        }
    }
    return 0;
}
