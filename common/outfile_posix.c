/* SPDX-License-Identifier: MIT */
/* A stream that becomes a file only once it is complete. */
#include "common/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** How many names to try: others are left behind by processes that were killed. */
#define NAMES_MAX 1000

/** A new file whose name begins with @path. @return a descriptor or a negative errno value */
static int create_beside(struct outfile *out, mode_t mode)
{
    size_t size = strlen(out->path) + sizeof(".-9223372036854775808-999");

    out->beside = malloc(size);
    if (!out->beside)
        return -ENOMEM;
    for (unsigned i = 0; i < NAMES_MAX; i++) {
        (void)snprintf(out->beside, size, "%s.%ld-%u", out->path, (long)getpid(), i);
        int fd = open(out->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0)
            return fd;
        if (errno != EEXIST)
            break;
    }
    int ret = -errno;
    free(out->beside); /* not ours to remove */
    out->beside = NULL;
    return ret;
}

/** Make the file beside @path, with the rights that @path has or that open(2) would give. */
static int open_beside(struct outfile *out, const struct stat *old)
{
    int fd = create_beside(out, old ? 0600 : 0666);
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
        ret = open_beside(out, exists ? &st : NULL);
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
    if (out->path)
        bad |= fclose(out->stream) != 0;
    else
        bad |= fflush(out->stream) != 0;
    int ret = bad ? (errno ? -errno : -EIO) : 0;
    if (out->path)
        out->stream = NULL;
    if (!ret && out->beside && rename(out->beside, out->path))
        ret = -errno;
    if (!ret) {
        free(out->beside);
        out->beside = NULL;
    }
    return ret ? err_set(err, ret, "cannot write %s: %s", name, err_text(ret)) : 0;
}

void outfile_discard(struct outfile *out)
{
    if (out->path && out->stream)
        fclose(out->stream); /* its contents are given up */
    if (out->beside)
        (void)unlink(out->beside);
    free(out->beside);
    free(out->path);
    *out = (struct outfile){0};
}
