/* SPDX-License-Identifier: MIT */
/* The lowest free descriptor is 3, here and in what this starts; no descriptor is shown beside. */
#include "case.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd == 3 && close(fd) == 0);
    CHECK(dup(0) == 3 && close(3) == 0);
    DIR *dir = opendir("/proc/self/fd");
    CHECK(dir != NULL);
    int open_files = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        open_files += entry->d_name[0] != '.';
    CHECK(open_files == 4);
    closedir(dir);
    if (argc == 1) {
        execl(argv[0], argv[0], "again", (char *)NULL);
        return 9;
    }
    return done("lowest_fd");
}
