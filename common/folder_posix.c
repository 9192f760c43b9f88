/* SPDX-License-Identifier: MIT */
/* Folders, from scandir(3), nftw(3), mkdtemp(3) and realpath(3). */
#include "common/folder.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/buf.h"

#define MAX_OPEN_FOLDERS 16

const char folder_state_hint[] = "neither XDG_STATE_HOME nor HOME is an absolute path";

/** @return the caller's, or NULL */
static char *join(const char *folder, const char *rest)
{
    struct buf path;
    buf_init(&path, SIZE_MAX);
    buf_printf(&path, "%s%s", folder, rest);
    char *out = buf_take(&path);
    buf_fini(&path);
    return out;
}

int folder_state(char **out)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");

    *out = NULL;
    if (state && *state == '/')
        *out = strdup(state);
    else if (home && *home == '/')
        *out = join(home, "/.local/state");
    else
        return -ENOENT;
    return *out ? 0 : -ENOMEM;
}

int folder_make_own(const char *prefix, char **out, struct err *err)
{
    const char *parent = getenv("TMPDIR");
    struct buf path;
    int ret = 0;

    *out = NULL;
    if (!parent || !*parent)
        parent = "/tmp";
    buf_init(&path, SIZE_MAX);
    char *real = realpath(parent, NULL);
    if (real)
        ret = buf_printf(&path, "%s/%s.XXXXXX", real, prefix);
    else
        ret = errno ? -errno : -ENOMEM;
    if (!ret && !mkdtemp(path.data))
        ret = -errno;
    free(real);
    if (!ret)
        *out = buf_take(&path);
    buf_fini(&path);
    return ret ? err_set(err, ret,
                         "cannot make a folder in %s: %s; set TMPDIR to a writable folder", parent,
                         err_text(ret))
               : 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st;
    (void)type;
    (void)where;
    (void)remove(path); /* best effort: go on with the rest */
    return 0;
}

void folder_remove(const char *path)
{
    if (path)
        (void)nftw(path, remove_one, MAX_OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

char *folder_current(void)
{
    return getcwd(NULL, 0);
}

int folder_check_writable(const char *path)
{
    struct stat st;
    if (!stat(path, &st) && !S_ISDIR(st.st_mode))
        return -ENOTDIR;
    return access(path, W_OK | X_OK) ? -errno : 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int folder_list(const char *path, bool (*keep)(const char *name), char ***out, size_t *count)
{
    int ret = 0;

    *out = NULL;
    *count = 0;
    DIR *folder = opendir(path);
    if (!folder)
        return -errno;
    while (!ret) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry) {
            ret = -errno;
            break;
        }
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || !keep(entry->d_name))
            continue;
        char **more = realloc(*out, (*count + 1) * sizeof(*more));
        if (more)
            *out = more;
        char *name = more ? strdup(entry->d_name) : NULL;
        if (name)
            more[(*count)++] = name;
        else
            ret = -ENOMEM;
    }
    closedir(folder); /* read only: nothing can be lost */
    if (ret) {
        folder_list_free(*out, *count);
        *out = NULL;
        *count = 0;
    }
    if (*count)
        qsort(*out, *count, sizeof(**out), by_name);
    return ret;
}

int folder_real_path(const char *path, char **out)
{
    *out = realpath(path, NULL);
    return *out ? 0 : -errno;
}

bool folder_is_absolute(const char *path)
{
    return *path == '/';
}

const char *folder_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
