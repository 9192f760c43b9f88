/* SPDX-License-Identifier: MIT */
/* Runs a command below a notification filter of its own: with_listener COMMAND [ARG...] */
#include "case.h"
#include "bpf.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

int main(int argc, char **argv)
{
    CHECK(argc > 1);
    /* Nothing is ever notified: swapoff is called by no program here. */
    struct sock_filter code[] = {BPF_LOAD(nr), BPF_IF(SYS_swapoff, SECCOMP_RET_USER_NOTIF),
                                 BPF_RETURN(SECCOMP_RET_ALLOW)};
    int listener =
        bpf_install(code, sizeof code / sizeof code[0], SECCOMP_FILTER_FLAG_NEW_LISTENER);
    CHECK(listener >= 0 && fcntl(listener, F_SETFD, FD_CLOEXEC) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status))
        (void)raise(WTERMSIG(status));
    return WEXITSTATUS(status);
}
