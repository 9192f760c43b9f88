/* SPDX-License-Identifier: MIT */
/* What the workload needs of POSIX. */
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char wl_separator = '/';

int wl_make_folder(const char *path)
{
    struct stat st;
    if (!mkdir(path, 0777))
        return 0;
    if (errno != EEXIST)
        return -errno;
    if (stat(path, &st))
        return -errno;
    return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
}

int wl_make_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd < 0)
        return -errno;
    return close(fd) ? -errno : 0;
}

/**
 * Append @path to @out without ".", ".." and doubled '/', by its text alone.
 * @out absolute and normal; "" stands for the root
 * @return 0, or -ENAMETOOLONG
 */
static int append_normal(char out[WL_PATH_SIZE], const char *path)
{
    size_t used = strlen(out);

    while (*path) {
        size_t length = strcspn(path, "/");
        if (length == 2 && path[0] == '.' && path[1] == '.') {
            while (used && out[--used] != '/')
                ;
        } else if (length && !(length == 1 && path[0] == '.')) {
            if (length + 1 >= WL_PATH_SIZE - used)
                return -ENAMETOOLONG;
            out[used++] = '/';
            memcpy(out + used, path, length);
            used += length;
        }
        out[used] = '\0';
        path += length;
        path += *path == '/';
    }
    return 0;
}

int wl_absolute_folder(const char *path, int real, char out[WL_PATH_SIZE])
{
    out[0] = '\0';
    /* The system knows the working folder only by its real name. */
    if (real) {
        char *found = realpath(path, NULL);
        if (!found)
            return -errno;
        int ret = append_normal(out, found);
        free(found);
        return ret;
    }
    if (*path != '/') {
        char here[WL_PATH_SIZE];
        if (!getcwd(here, sizeof(here)))
            return -errno;
        int ret = append_normal(out, here);
        if (ret)
            return ret;
    }
    return append_normal(out, path);
}

int wl_enter_folder(const char *path)
{
    return chdir(path) ? -errno : 0;
}

void wl_describe_end(int child_status, char *out, size_t size_bytes)
{
    if (WIFSIGNALED(child_status))
        (void)snprintf(out, size_bytes, "killed by signal %d", WTERMSIG(child_status));
    else
        (void)snprintf(out, size_bytes, "exit status %d instead of 0", WEXITSTATUS(child_status));
}
