/* SPDX-License-Identifier: MIT */
/* O_PATH opens, and what is done by way of them. */
#include "case.h"
#include <fcntl.h>

int main(void)
{
    int fd = open("link", O_PATH | O_NOFOLLOW);
    CHECK(fd >= 0 && close(fd) == 0);
    fd = open("a.txt", O_PATH);
    CHECK(fd >= 0);
    char name[64];
    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    int again = open(name, O_RDWR);
    CHECK(again >= 0);
    FAILS(open("absent", O_PATH), ENOENT);
    /* An unnamed file: the folder is what is written to. */
    int unnamed = open("dir", O_TMPFILE | O_RDWR, 0600);
    CHECK(unnamed >= 0 || errno == EOPNOTSUPP || errno == EISDIR);
    return done("o_path");
}
