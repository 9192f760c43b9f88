/* SPDX-License-Identifier: MIT */
/* exec_descriptor PROGRAM [ARG...]: executes the file that a descriptor is open on, without a name.
 */
#include "case.h"
#include <fcntl.h>
#include <sys/syscall.h>

extern char **environ;

int main(int argc, char **argv)
{
    CHECK(argc > 1);
    int fd = open(argv[1], O_PATH | O_CLOEXEC);
    CHECK(fd >= 0);
    syscall(SYS_execveat, fd, "", argv + 1, environ, AT_EMPTY_PATH);
    CHECK(!"executed");
}
