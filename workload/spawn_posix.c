/* SPDX-License-Identifier: MIT */
/* The loops that start programs. */
#include "operations.h"

#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/** The command that does nothing, of this very program. */
static char nothing[] = "nothing";

/** @return whether the program ended as it should; else the failure is noted. */
static bool ended_well(struct wl_thread *thread, pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno == EINTR)
            continue;
        wl_thread_fail(thread, "cannot wait for", -errno);
        return false;
    }
    if (status) {
        thread->child_status = status;
        wl_thread_fail(thread, "ended badly", -ECHILD);
        return false;
    }
    return true;
}

void wl_loop_spawn(struct wl_thread *thread)
{
    char *argv[] = {thread->name.path, nothing, NULL};
    for (size_t i = 0; i < thread->count; i++) {
        pid_t pid = -1;
        int ret = posix_spawn(&pid, thread->name.path, NULL, NULL, argv, environ);
        if (ret) {
            wl_thread_fail(thread, "cannot start", -ret);
            return;
        }
        if (!ended_well(thread, pid))
            return;
    }
}

void wl_loop_spawn_fork(struct wl_thread *thread)
{
    char *argv[] = {thread->name.path, nothing, NULL};
    for (size_t i = 0; i < thread->count; i++) {
        pid_t pid = fork();
        if (pid < 0) {
            wl_thread_fail(thread, "cannot fork for", -errno);
            return;
        }
        if (pid == 0) {
            execv(thread->name.path, argv);
            _exit(127);
        }
        if (!ended_well(thread, pid))
            return;
    }
}
