/* SPDX-License-Identifier: MIT */
/* `workload run`: what is measured. */
#include "commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"
#include "threads.h"

struct run {
    const struct wl_operation *operation;
    struct wl_thread *threads;
};

static void body(void *context, size_t index)
{
    const struct run *run = context;
    run->operation->loop(&run->threads[index]);
}

/** Set a thread up. @return 0, or a negative errno value */
static int plan_thread(const struct wl_plan *plan, size_t index, struct wl_thread *thread)
{
    const struct wl_operation *operation = plan->operation;
    thread->count = wl_plan_count(plan, index);
    if (operation->starts_programs)
        return wl_self_path(thread->name.path);
    return wl_name_first(&thread->name, operation->relative ? "" : plan->folder, index,
                         operation->kind);
}

static void complain_about_child(const char *operation, const struct wl_thread *thread)
{
    char end[64];
    wl_describe_end(thread->child_status, end, sizeof(end));
    wl_complain("%s: %s: %s", operation, thread->name.path, end);
}

/** What helps when a file is missing: "; run '...' first", or nothing. */
static void say_what_to_do(const struct wl_plan *plan, int code, char *out, size_t size_bytes)
{
    char options[64] = "";
    if (code != -ENOENT)
        return;
    if (plan->files || plan->threads != WL_THREADS_DEFAULT)
        (void)snprintf(options, sizeof(options), " --threads %zu --files %zu", plan->threads,
                       wl_plan_count(plan, 0));
    (void)snprintf(out, size_bytes, "; run 'workload prepare %s%s' first", plan->folder, options);
}

/** One line for the first thread that failed; the others mostly failed the same way. */
static void complain_about(const struct wl_plan *plan, const struct wl_thread *thread)
{
    const char *operation = plan->operation->name;
    const char *reason = strerror(-thread->error_code);

    if (thread->child_status) {
        complain_about_child(operation, thread);
        return;
    }
    char hint[WL_PATH_SIZE + 128] = "";
    if (plan->operation->needs_prepared)
        say_what_to_do(plan, thread->error_code, hint, sizeof(hint));
    wl_complain("%s: %s %s: %s%s", operation, thread->what, thread->name.path, reason, hint);
}

static int run_threads(const struct wl_plan *plan, struct wl_thread *threads)
{
    struct run run = {.operation = plan->operation, .threads = threads};

    for (size_t i = 0; i < plan->threads; i++) {
        int ret = plan_thread(plan, i, &threads[i]);
        if (ret) {
            wl_complain("%s: %s: %s", plan->operation->name, plan->folder, strerror(-ret));
            return 1;
        }
    }
    int ret = wl_threads_run(plan->threads, body, &run);
    for (size_t i = 0; i < plan->threads; i++) {
        if (threads[i].error_code) {
            complain_about(plan, &threads[i]);
            return 1;
        }
    }
    if (ret) {
        wl_complain("%s: cannot run %zu threads: %s", plan->operation->name, plan->threads,
                    strerror(-ret));
        return 1;
    }
    return 0;
}

int wl_command_run(const struct wl_plan *plan)
{
    if (!plan->operation->loop)
        return 0;
    int code = plan->operation->relative ? wl_enter_folder(plan->folder) : 0;
    if (code) {
        char hint[WL_PATH_SIZE + 128] = "";
        say_what_to_do(plan, code, hint, sizeof(hint));
        wl_complain("%s: cannot enter %s: %s%s", plan->operation->name, plan->folder,
                    strerror(-code), hint);
        return 1;
    }
    struct wl_thread *threads = calloc(plan->threads, sizeof(*threads));
    if (!threads) {
        wl_complain("%s: no memory for %zu threads", plan->operation->name, plan->threads);
        return 1;
    }
    int ret = run_threads(plan, threads);
    free(threads);
    return ret;
}
