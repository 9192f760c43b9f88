/* SPDX-License-Identifier: MIT */
/* The current folder is removed: relative paths fail as always, absolute ones work. */
#include "case.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

int main(void)
{
    char *here = getcwd(NULL, 0);
    CHECK(here != NULL);
    CHECK(mkdir("gone", 0755) == 0 && chdir("gone") == 0 && rmdir("../gone") == 0);
    FAILS(open("x", O_RDONLY), ENOENT);
    FAILS(open("new", O_WRONLY | O_CREAT, 0600), ENOENT);
    char line[4200];
    CHECK(getcwd(line, sizeof line) == NULL && errno == ENOENT);
    struct stat status;
    CHECK(stat(".", &status) == 0);
    int fd = open("/etc/passwd", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    CHECK(chdir("..") == 0 || errno == ENOENT);
    CHECK(chdir(here) == 0);
    fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0);
    return done("deleted_cwd");
}
