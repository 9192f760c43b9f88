/* SPDX-License-Identifier: MIT */
/* Whole files: read with a limit, written beside and renamed. */
#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_STEP_BYTES 65536
#define TRIES 100             /**< names for a new file; each taken one is left by a crash */
#define NEW_FILE ((mode_t)-1) /**< no mode to keep */

static int read_all(int fd, file_take *take, void *context)
{
    char step[READ_STEP_BYTES];
    for (;;) {
        ssize_t n = read(fd, step, sizeof(step));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n ? -errno : 0;
        int ret = take(context, step, (size_t)n);
        if (ret)
            return ret;
    }
}

/** How a file is called in a message. */
static const char *shown(const char *path)
{
    return strcmp(path, "-") ? path : "standard input";
}

/** As file_read_each(), without a word. */
static int read_each(const char *path, file_take *take, void *context)
{
    if (!strcmp(path, "-"))
        return read_all(STDIN_FILENO, take, context);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return -errno;
    int ret = read_all(fd, take, context);
    close(fd); /* read only: nothing can be lost */
    return ret;
}

int file_read_each(const char *path, file_take *take, void *context, struct err *err)
{
    int ret = read_each(path, take, context);
    return ret ? err_set(err, ret, "cannot read %s: %s", shown(path), err_text(ret)) : 0;
}

static int append(void *context, const void *data, size_t size_bytes)
{
    return buf_append(context, data, size_bytes);
}

int file_read(const char *path, struct buf *out, struct err *err)
{
    int ret = read_each(path, append, out);
    if (!ret)
        ret = buf_status(out);
    if (ret == -EFBIG)
        return err_set(err, ret, "cannot read %s: larger than %zu bytes", shown(path),
                       out->limit_bytes);
    return ret ? err_set(err, ret, "cannot read %s: %s", shown(path), err_text(ret)) : 0;
}

int file_kind(const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return -errno;
    return S_ISREG(st.st_mode) ? FILE_REGULAR : S_ISDIR(st.st_mode) ? FILE_FOLDER : FILE_OTHER;
}

int file_remove(const char *path)
{
    return unlink(path) ? -errno : 0;
}

int file_make_executable(const char *path)
{
    return chmod(path, 0755) ? -errno : 0;
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

/**
 * Make a new file beside @path, with the rights that open(2) gives.
 * @name set to its name, the caller's to free(); NULL on failure
 * @return its descriptor, or a negative errno value
 */
static int open_beside(const char *path, char **name)
{
    struct buf text;
    int ret = -EEXIST;

    *name = NULL;
    buf_init(&text, SIZE_MAX);
    for (unsigned n = 0; ret == -EEXIST && n < TRIES; n++) {
        buf_clear(&text);
        ret = buf_printf(&text, "%s.%ld.%u.tmp", path, (long)getpid(), n);
        if (ret)
            break;
        int fd = open(text.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
        ret = fd < 0 ? -errno : fd;
    }
    if (ret >= 0)
        *name = buf_take(&text);
    buf_fini(&text);
    return ret;
}

/** @mode of the file that is replaced, or NEW_FILE */
static int write_beside(const char *path, const char *data, size_t size_bytes, mode_t mode)
{
    char *beside = NULL;
    int fd = open_beside(path, &beside);
    if (fd < 0)
        return fd;

    int ret = write_all(fd, data, size_bytes);
    if (!ret && mode != NEW_FILE && fchmod(fd, mode))
        ret = -errno;
    if (!ret && fsync(fd))
        ret = -errno;
    if (close(fd) && !ret)
        ret = -errno;
    if (!ret && rename(beside, path))
        ret = -errno;
    if (ret)
        (void)unlink(beside);
    free(beside);
    return ret;
}

/** Replace a file that is there; what a symbolic link names, not the link. */
static int replace(const char *path, const char *data, size_t size_bytes, mode_t mode)
{
    char *real = realpath(path, NULL);
    if (!real)
        return -errno;
    int ret = write_beside(real, data, size_bytes, mode);
    free(real);
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
        ret = errno == ENOENT ? write_beside(path, data, size_bytes, NEW_FILE) : -errno;
    } else if (S_ISDIR(st.st_mode)) {
        ret = -EISDIR;
    } else if (S_ISREG(st.st_mode)) {
        ret = replace(path, data, size_bytes, st.st_mode & 0777);
    } else {
        ret = write_direct(path, data, size_bytes);
    }
    return ret ? err_set(err, ret, "cannot write %s: %s", path, err_text(ret)) : 0;
}

/** @return 0, also when the folder is there; or a negative errno value */
static int make_dir(const char *path)
{
    struct stat st;
    if (!mkdir(path, 0777))
        return 0;
    int ret = -errno;
    /* What the system says of a folder that is there differs (-EEXIST, -EROFS, ...). */
    if (stat(path, &st))
        return ret;
    return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
}

int file_make_dirs(const char *path, struct err *err)
{
    char *copy = strdup(path);
    int ret = copy ? 0 : -ENOMEM;
    char *c = copy;

    while (!ret) {
        c += strspn(c, "/");
        c += strcspn(c, "/");
        char rest = *c;
        *c = '\0';
        ret = make_dir(copy);
        if (!rest)
            break;
        *c = rest;
    }
    free(copy);
    return ret ? err_set(err, ret, "cannot make the folder %s: %s", path, err_text(ret)) : 0;
}
