/* SPDX-License-Identifier: MIT */
/* Reading folders: opendir, fdopendir, scandir and getdents itself. */
#include "case.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static int count(DIR *dir)
{
    int entries = 0;
    while (readdir(dir) != NULL)
        entries++;
    CHECK(closedir(dir) == 0);
    return entries;
}

int main(void)
{
    CHECK(mkdir("d1", 0755) == 0 && mkdir("d2", 0755) == 0 && mkdir("d3", 0755) == 0);
    CHECK(mkdir("d3/d4", 0755) == 0);
    DIR *dir = opendir("dir");
    CHECK(dir != NULL && count(dir) == 4);
    int fd = open("d1", O_RDONLY | O_DIRECTORY);
    CHECK(fd >= 0);
    dir = fdopendir(fd);
    CHECK(dir != NULL && count(dir) == 2);
    struct dirent **list;
    int entries = scandir("d2", &list, NULL, alphasort);
    CHECK(entries == 2);
    while (entries > 0)
        free(list[--entries]);
    free(list);
    fd = open("d3", O_RDONLY | O_DIRECTORY);
    entries = scandirat(fd, "d4", &list, NULL, alphasort);
    CHECK(entries == 2);
    while (entries > 0)
        free(list[--entries]);
    free(list);
    char buffer[1024];
    CHECK(syscall(SYS_getdents64, fd, buffer, sizeof buffer) > 0);
    close(fd);
    CHECK(opendir("absent") == NULL && errno == ENOENT);
    CHECK(opendir("a.txt") == NULL && errno == ENOTDIR);
    return done("list_dir");
}
