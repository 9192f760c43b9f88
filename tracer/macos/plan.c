/* SPDX-License-Identifier: MIT */
/* What to execute in the place of what a program asked for. */
#include "tracer/macos/plan.h"

static uint32_t count_entries(char *const *list)
{
    uint32_t count = 0;
    while (list && list[count])
        count++;
    return count;
}

/** Execute @image with @name and the script's words from @first on in front of the script. */
static void interpret(struct ft_plan *plan, const char *image, const char *name, uint32_t first)
{
    uint32_t count = count_entries(plan->argv), used = 0;
    uint32_t words = plan->script.count - first;

    if (!ft_preload_list_make(&plan->list, words + count + 3))
        return;
    char **list = plan->list.entries;
    list[used++] = (char *)(uintptr_t)name;
    for (uint32_t i = first; i < plan->script.count; i++)
        list[used++] = (char *)(uintptr_t)ft_script_word(&plan->script, i);
    list[used++] = (char *)(uintptr_t)plan->path;
    for (uint32_t i = 1; i < count; i++)
        list[used++] = plan->argv[i];
    list[used] = NULL;
    plan->path = plan->image = image;
    plan->argv = list;
    plan->reason = FT_REASON_NONE;
}

static void tell(const struct ft_plan_options *options, const char *path, int error)
{
    if (options->loaded)
        options->loaded(path, error);
}

/** Can a shell of the user's do this one's work? */
static bool has_stand_in(const struct ft_plan_options *options, const char *path)
{
    return options->shell[0] && ft_script_is_shell(path);
}

/** The kernel's interpreter would be env(1), which looks for a program; so we do. */
static void interpret_env(const struct ft_plan_options *options, const char *folders,
                          struct ft_looked *looked, struct ft_plan *plan)
{
    const char *name = ft_script_word(&plan->script, 1);
    const char *at = name;
    bool has_folder = false;
    for (; *at; at++)
        has_folder |= *at == '/';

    looked->error = 2; /* ENOENT */
    if (has_folder) {
        (void)ft_put_text(plan->found, 0, sizeof(plan->found), name);
        options->look(options, plan->found, looked);
    }
    while (!has_folder && looked->error &&
           ft_search_next_in(&folders, name, plan->found, sizeof(plan->found)))
        options->look(options, plan->found, looked);
    if (looked->error)
        return; /* env(1) will say so */
    struct ft_script other;
    if (ft_script_read(looked->head, looked->head_bytes, &other))
        return; /* a script that interprets scripts: for env(1) */
    bool stand_in = looked->reason && has_stand_in(options, plan->found);
    if (looked->reason && !stand_in)
        return;
    tell(options, plan->found, 0);
    interpret(plan, stand_in ? options->shell : plan->found, name, 2);
}

static void plan_script(const struct ft_plan_options *options, const char *folders,
                        struct ft_looked *looked, struct ft_plan *plan)
{
    const char *interpreter = ft_script_word(&plan->script, 0);

    options->look(options, interpreter, looked);
    tell(options, interpreter, looked->error);
    plan->image = interpreter;
    plan->reason = looked->error ? FT_REASON_NONE : looked->reason;
    if (!plan->reason)
        return;
    if (has_stand_in(options, interpreter))
        interpret(plan, options->shell, interpreter, 1);
    else if (ft_script_is_env(&plan->script))
        interpret_env(options, folders, looked, plan);
}

void ft_plan_make(const struct ft_plan_options *options, const char *path, char *const *argv,
                  const char *folders, struct ft_plan *out)
{
    struct ft_looked looked;

    out->path = out->image = path;
    out->argv = argv;
    out->list.mapped = NULL;
    options->look(options, path, &looked);
    /* What cannot be executed fails by itself, whatever its environment. */
    out->reason = looked.error ? FT_REASON_NONE : looked.reason;
    if (looked.error)
        return;
    if (ft_script_read(looked.head, looked.head_bytes, &out->script)) {
        plan_script(options, folders, &looked, out);
    } else if (out->reason && has_stand_in(options, path)) {
        out->path = out->image = options->shell;
        out->reason = FT_REASON_NONE;
    }
    /* The kernel will not run it, or its missing start will tell. */
    if (out->reason == FT_REASON_NOT_ENTERED)
        out->reason = FT_REASON_NONE;
}

void ft_plan_fini(struct ft_plan *plan)
{
    ft_preload_list_fini(&plan->list);
}
