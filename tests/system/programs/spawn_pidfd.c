/* SPDX-License-Identifier: MIT */
/* pidfd_spawn and pidfd_spawnp (glibc 2.39): as posix_spawn, with a descriptor of the child. */
#include "case.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

typedef int spawn_function(int *pidfd, const char *path, const posix_spawn_file_actions_t *actions,
                           const posix_spawnattr_t *attributes, char *const *argv,
                           char *const *envp);

extern char **environ;

static void wait_for(int pidfd)
{
    siginfo_t info;
    CHECK(fcntl(pidfd, F_GETFD) == FD_CLOEXEC);
    CHECK(waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED) == 0);
    CHECK(info.si_code == CLD_EXITED && info.si_status == 0);
    CHECK(close(pidfd) == 0);
}

int main(void)
{
    /* Behind a preloaded library RTLD_DEFAULT finds a wrapper even where libc has no such thing. */
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (!libc || !dlsym(libc, "pidfd_spawn") || !dlsym(libc, "pidfd_spawnp")) {
        dprintf(2, "this libc has no pidfd_spawn\n");
        return 77;
    }
    spawn_function *spawn = (spawn_function *)dlsym(RTLD_DEFAULT, "pidfd_spawn");
    spawn_function *spawnp = (spawn_function *)dlsym(RTLD_DEFAULT, "pidfd_spawnp");
    char *argv[] = {(char *)"helper", (char *)"a.txt", NULL};
    char *argv2[] = {(char *)"helper", (char *)"b.txt", NULL};
    char *argv3[] = {(char *)"helper", (char *)"dir/x", NULL};
    int child;
    CHECK(setenv("PATH", "absent:bin", 1) == 0);
    CHECK(setenv("KEPT", "1", 1) == 0);
    CHECK(spawn(&child, "bin/helper", NULL, NULL, argv, environ) == 0);
    wait_for(child);
    CHECK(spawnp(&child, "helper", NULL, NULL, argv2, environ) == 0);
    wait_for(child);
    CHECK(spawn(&child, "bin/helper-static", NULL, NULL, argv3, environ) == 0);
    wait_for(child);
    CHECK(spawn(&child, "bin/absent", NULL, NULL, argv, environ) == ENOENT);
    CHECK(spawnp(&child, "absent", NULL, NULL, argv, environ) == ENOENT);
    return done("spawn_pidfd");
}
