/* SPDX-License-Identifier: MIT */
/* A stream that becomes a file only once it is complete. */
#include "common/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FD_PATH_BYTES 32
/** How many names to try: others are left behind by processes that were killed. */
#define NAMES_MAX 1000

static void fd_path(int fd, char out[FD_PATH_BYTES])
{
    (void)snprintf(out, FD_PATH_BYTES, "/proc/self/fd/%d", fd);
}

/**
 * Make a file without a name in the folder of @path: nothing of it stays when this process is
 * killed. It gets a name through /proc, which has to be there.
 * @return its descriptor, or -1 where there is no such thing
 */
static int open_unnamed(const char *path)
{
#ifdef O_TMPFILE
    char way[FD_PATH_BYTES];
    char *folder = strdup(path);
    if (!folder)
        return -1;
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    int fd = open(slash ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    free(folder);
    if (fd < 0)
        return -1;
    fd_path(fd, way);
    if (!access(way, F_OK))
        return fd;
    close(fd);
#else
    (void)path;
#endif
    return -1;
}

/**
 * Give a file a new name beside its own, out->beside; nothing is replaced.
 * @fd  the unnamed file, or -1 to make one with @mode
 * @return the descriptor or a negative errno value
 */
static int take_name_beside(struct outfile *out, int fd, mode_t mode)
{
    char way[FD_PATH_BYTES];
    size_t size = strlen(out->path) + sizeof(".-9223372036854775808-999");

    out->beside = malloc(size);
    if (!out->beside)
        return -ENOMEM;
    fd_path(fd, way);
    for (unsigned i = 0; i < NAMES_MAX; i++) {
        (void)snprintf(out->beside, size, "%s.%ld-%u", out->path, (long)getpid(), i);
        int made = fd < 0 ? open(out->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
                          : linkat(AT_FDCWD, way, AT_FDCWD, out->beside, AT_SYMLINK_FOLLOW);
        if (made >= 0)
            return fd < 0 ? made : fd;
        if (errno != EEXIST)
            break;
    }
    int ret = -errno;
    free(out->beside); /* not ours to remove */
    out->beside = NULL;
    return ret;
}

/** Make the file with the rights that @path has or that open(2) would give. */
static int open_new(struct outfile *out, const struct stat *old)
{
    int fd = open_unnamed(out->path);
    out->is_unnamed = fd >= 0;
    if (fd < 0)
        fd = take_name_beside(out, -1, old ? 0600 : 0666);
    if (fd < 0)
        return fd;
    if (old)
        (void)fchmod(fd, old->st_mode & 0777);
    out->stream = fdopen(fd, "w");
    if (!out->stream) {
        close(fd);
        return -ENOMEM;
    }
    return 0;
}

int outfile_open(struct outfile *out, const char *path, FILE *fallback, struct err *err)
{
    struct stat st, name;
    int ret = 0;

    *out = (struct outfile){0};
    if (!path || !strcmp(path, "-")) {
        out->stream = path ? stdout : fallback;
        return 0;
    }
    bool exists = stat(path, &st) == 0;
    /* What a symbolic link names is replaced, not the link. */
    bool link = exists && lstat(path, &name) == 0 && S_ISLNK(name.st_mode);
    out->path = link ? realpath(path, NULL) : strdup(path);
    if (!out->path)
        ret = errno ? -errno : -ENOMEM;
    else if (exists && S_ISDIR(st.st_mode))
        ret = -EISDIR;
    else if (exists && !S_ISREG(st.st_mode))
        ret = (out->stream = fopen(path, "we")) ? 0 : -errno;
    else
        ret = open_new(out, exists ? &st : NULL);
    if (ret) {
        outfile_discard(out);
        return err_set(err, ret, "cannot write %s: %s", path, err_text(ret));
    }
    return 0;
}

int outfile_commit(struct outfile *out, struct err *err)
{
    const char *name = out->path ? out->path : "the output";
    errno = 0;
    bool bad = ferror(out->stream) != 0;
    bad |= fflush(out->stream) != 0;
    int ret = bad ? (errno ? -errno : -EIO) : 0;
    if (out->path) {
        if (!ret && out->is_unnamed && (ret = take_name_beside(out, fileno(out->stream), 0)) > 0)
            ret = 0;
        if (fclose(out->stream) && !ret)
            ret = errno ? -errno : -EIO;
        out->stream = NULL;
        if (!ret && out->beside && rename(out->beside, out->path))
            ret = -errno;
    }
    if (!ret) {
        free(out->beside);
        out->beside = NULL;
    }
    return ret ? err_set(err, ret, "cannot write %s: %s", name, err_text(ret)) : 0;
}

void outfile_discard(struct outfile *out)
{
    if (out->path && out->stream)
        (void)fclose(out->stream); /* its contents are given up */
    if (out->beside)
        (void)unlink(out->beside);
    free(out->beside);
    free(out->path);
    *out = (struct outfile){0};
}
