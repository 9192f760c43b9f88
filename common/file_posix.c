/* SPDX-License-Identifier: MIT */
/* Whole files: read with a limit, written beside and renamed. */
#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_STEP_BYTES 65536

static int read_all(int fd, struct buf *out)
{
    char step[READ_STEP_BYTES];
    for (;;) {
        ssize_t n = read(fd, step, sizeof(step));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        if (n == 0)
            return buf_status(out);
        int ret = buf_append(out, step, (size_t)n);
        if (ret)
            return ret;
    }
}

int file_read(const char *path, struct buf *out, struct err *err)
{
    if (!strcmp(path, "-")) {
        int ret = read_all(STDIN_FILENO, out);
        return ret ? err_set(err, ret, "cannot read standard input: %s", err_text(ret)) : 0;
    }

    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    int ret = fd < 0 ? -errno : read_all(fd, out);
    if (fd >= 0)
        close(fd); /* read only: nothing can be lost */
    if (ret == -EFBIG)
        return err_set(err, ret, "cannot read %s: larger than %zu bytes", path, out->limit_bytes);
    return ret ? err_set(err, ret, "cannot read %s: %s", path, err_text(ret)) : 0;
}

static int write_all(int fd, const char *data, size_t size_bytes)
{
    while (size_bytes) {
        ssize_t n = write(fd, data, size_bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        data += n;
        size_bytes -= (size_t)n;
    }
    return 0;
}

/** Write to what is there: a device, a pipe, an inherited stream. */
static int write_direct(const char *path, const char *data, size_t size_bytes)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return -errno;
    int ret = write_all(fd, data, size_bytes);
    if (close(fd) && !ret)
        ret = -errno;
    return ret;
}

static int write_beside(const char *path, const char *data, size_t size_bytes, mode_t mode)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(path);
    char *beside = malloc(length + sizeof(suffix));
    int fd = -1;
    int ret = 0;

    if (!beside)
        return -ENOMEM;
    memcpy(beside, path, length);
    memcpy(beside + length, suffix, sizeof(suffix));

    fd = mkostemp(beside, O_CLOEXEC);
    if (fd < 0) {
        ret = -errno;
        goto out;
    }
    ret = write_all(fd, data, size_bytes);
    if (!ret && fchmod(fd, mode))
        ret = -errno;
    if (!ret && fsync(fd))
        ret = -errno;
    if (close(fd) && !ret)
        ret = -errno;
    if (!ret && rename(beside, path))
        ret = -errno;
    if (ret)
        (void)unlink(beside);
out:
    free(beside);
    return ret;
}

int file_write(const char *path, const void *data, size_t size_bytes, struct err *err)
{
    struct stat st;
    int ret;

    if (!strcmp(path, "-")) {
        ret = write_all(STDOUT_FILENO, data, size_bytes);
        return ret ? err_set(err, ret, "cannot write standard output: %s", err_text(ret)) : 0;
    }
    if (!*path) {
        ret = -ENOENT;
    } else if (stat(path, &st)) {
        /* A new file gets the rights that open(2) would have given it. */
        mode_t mask = umask(0);
        (void)umask(mask);
        ret = write_beside(path, data, size_bytes, (mode_t)(0666 & ~mask));
    } else if (S_ISDIR(st.st_mode)) {
        ret = -EISDIR;
    } else if (S_ISREG(st.st_mode)) {
        ret = write_beside(path, data, size_bytes, st.st_mode & 0777);
    } else {
        ret = write_direct(path, data, size_bytes);
    }
    return ret ? err_set(err, ret, "cannot write %s: %s", path, err_text(ret)) : 0;
}

int file_make_dirs(const char *path, struct err *err)
{
    char *copy = strdup(path);
    int ret = copy ? 0 : -ENOMEM;

    for (char *c = copy; !ret && c;) {
        c = strchr(c + 1, '/');
        if (c)
            *c = '\0';
        if (mkdir(copy, 0777) && errno != EEXIST)
            ret = -errno;
        if (c)
            *c = '/';
    }
    free(copy);
    return ret ? err_set(err, ret, "cannot make the folder %s: %s", path, err_text(ret)) : 0;
}
