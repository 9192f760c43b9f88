/* SPDX-License-Identifier: MIT */
/* Runs a command on a terminal of its own: with_pty INPUT COMMAND [ARG...]; waits for "ready" when
 * INPUT starts with "@". */
#include "case.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* "\n" and "\003" spelled with a backslash become the bytes. */
static size_t unescape(const char *text, char *out, size_t size)
{
    size_t used = 0;
    while (*text != 0 && used < size) {
        if (strncmp(text, "\\n", 2) == 0)
            out[used++] = '\n', text += 2;
        else if (strncmp(text, "\\003", 4) == 0)
            out[used++] = 3, text += 4;
        else
            out[used++] = *text++;
    }
    return used;
}

int main(int argc, char **argv)
{
    CHECK(argc > 2);
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    const char *name = ptsname(master);
    CHECK(name != NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        setsid();
        int terminal = open(name, O_RDWR);
        if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) != 0)
            _exit(126);
        for (int fd = 0; fd < 3; fd++)
            dup2(terminal, fd);
        if (terminal > 2)
            close(terminal);
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    const char *input = argv[1];
    int wait_ready = input[0] == '@';
    char bytes[256], output[8192];
    size_t size = unescape(input + wait_ready, bytes, sizeof bytes), used = 0;
    if (!wait_ready)
        CHECK(write(master, bytes, size) == (ssize_t)size);
    /* The read fails with EIO when the last process has closed the terminal. */
    for (ssize_t got; used < sizeof output - 1 &&
                      (got = read(master, output + used, sizeof output - 1 - used)) > 0;) {
        used += (size_t)got;
        output[used] = 0;
        if (wait_ready && strstr(output, "ready") != NULL) {
            CHECK(write(master, bytes, size) == (ssize_t)size);
            wait_ready = 0;
        }
    }
    CHECK(write(1, output, used) == (ssize_t)used);
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status)) {
        struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        (void)signal(WTERMSIG(status), SIG_DFL);
        (void)raise(WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}
