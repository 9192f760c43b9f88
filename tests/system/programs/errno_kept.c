/* SPDX-License-Identifier: MIT */
/* errno is what it was after calls that succeed, and what it has to be after those that fail. */
#include "case.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#define KEEPS(call)                                                                                \
    do {                                                                                           \
        errno = 1234;                                                                              \
        CHECK(call);                                                                               \
        CHECK(errno == 1234);                                                                      \
    } while (0)

int main(void)
{
    struct stat status;
    char target[8];
    KEEPS(open("a.txt", O_RDONLY) >= 0);
    KEEPS(openat(AT_FDCWD, "b.txt", O_RDONLY) >= 0);
    KEEPS(creat("new", 0600) >= 0);
    KEEPS(stat("a.txt", &status) == 0);
    KEEPS(lstat("link", &status) == 0);
    KEEPS(access("a.txt", F_OK) == 0);
    KEEPS(readlink("link", target, sizeof target) == 5);
    KEEPS(mkdir("made", 0755) == 0);
    KEEPS(rename("made", "moved") == 0);
    KEEPS(rmdir("moved") == 0);
    KEEPS(chdir("dir") == 0);
    KEEPS(chdir("..") == 0);
    KEEPS(unlink("new") == 0);
    DIR *dir;
    KEEPS((dir = opendir("dir")) != NULL);
    KEEPS(readdir(dir) != NULL);
    FILE *file;
    KEEPS((file = fopen("a.txt", "r")) != NULL);
    for (int i = 0; i < 50000; i++) { /* over many chunks */
        errno = 1234;
        CHECK(access("a.txt", F_OK) == 0 && errno == 1234);
        CHECK(access("absent", F_OK) == -1 && errno == ENOENT);
    }
    return done("errno_kept");
}
