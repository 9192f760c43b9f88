/* SPDX-License-Identifier: MIT */
/* Results kept on this machine. */
#include "harness/state.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/buf.h"
#include "common/file.h"
#include "harness/workspace.h"

#define MAX_PATH_BYTES 4096u
#define MAX_SAME_SECOND 1000

/* "20261130T153000Z_000.json": names sort as their times do. */
static const char shape[] = "########T######Z_###.json";

int tt_state_folder(const char *platform_id, char **out, struct err *err)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    struct buf path;

    *out = NULL;
    buf_init(&path, MAX_PATH_BYTES);
    if (state && *state == '/')
        buf_puts(&path, state);
    else if (home && *home == '/')
        buf_printf(&path, "%s/.local/state", home);
    else
        return err_set(err, -ENOENT,
                       "there is no folder for kept results: neither "
                       "XDG_STATE_HOME nor HOME is an absolute path");
    buf_printf(&path, "/tracetax/%s", platform_id);
    *out = buf_take(&path);
    buf_fini(&path);
    return *out ? 0 : err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
}

static int is_kept(const struct dirent *entry)
{
    if (strlen(entry->d_name) != sizeof(shape) - 1)
        return 0;
    for (size_t i = 0; shape[i]; i++) {
        if (shape[i] == '#' ? !isdigit((unsigned char)entry->d_name[i])
                            : entry->d_name[i] != shape[i])
            return 0;
    }
    return 1;
}

static int newest_first(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*b)->d_name, (*a)->d_name);
}

/** Kept results of a folder, newest first. */
static int list_folder(const char *folder, char ***paths, size_t *count, struct err *err)
{
    struct dirent **entries = NULL;
    int ret = 0;

    *paths = NULL;
    *count = 0;
    int found = scandir(folder, &entries, is_kept, newest_first);
    if (found < 0)
        return errno == ENOENT
                   ? 0
                   : err_set(err, -errno, "cannot list %s: %s", folder, err_text(errno));
    if (found)
        *paths = calloc((size_t)found, sizeof(**paths));
    for (int i = 0; i < found; i++) {
        char *path = *paths ? tt_workspace_path(folder, entries[i]->d_name) : NULL;
        if (path)
            (*paths)[(*count)++] = path;
        else
            ret = -ENOMEM;
        free(entries[i]);
    }
    free(entries);
    return ret ? err_set(err, ret, "%s", err_text(ret)) : 0;
}

static void free_list(char **paths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
}

int tt_state_list(const char *platform_id, char ***paths, size_t *count, struct err *err)
{
    char *folder;

    *paths = NULL;
    *count = 0;
    int ret = tt_state_folder(platform_id, &folder, err);
    if (folder)
        ret = list_folder(folder, paths, count, err);
    if (ret) {
        free_list(*paths, *count);
        *paths = NULL;
        *count = 0;
    }
    free(folder);
    return ret;
}

/** "2026-11-30T15:30:00Z" -> FOLDER/20261130T153000Z_000.json, the first that is not there. */
static char *new_path(const char *folder, const char *created_at)
{
    char *out = NULL;

    for (int i = 0; !out && i < MAX_SAME_SECOND; i++) {
        struct buf path;
        buf_init(&path, MAX_PATH_BYTES);
        buf_printf(&path, "%s/", folder);
        for (const char *c = created_at; *c; c++) {
            if (*c != '-' && *c != ':')
                buf_append(&path, c, 1);
        }
        buf_printf(&path, "_%03d.json", i);
        out = buf_take(&path);
        buf_fini(&path);
        if (!out)
            return NULL;
        if (!access(out, F_OK)) {
            free(out);
            out = NULL;
        }
    }
    return out;
}

int tt_state_keep(const struct tt_result *result, struct err *err)
{
    char *folder = NULL, *path = NULL, **paths = NULL;
    size_t count = 0;

    int ret = tt_state_folder(result->platform.id, &folder, err);
    if (folder)
        ret = file_make_dirs(folder, err);
    if (!folder || ret)
        goto out;
    path = new_path(folder, result->created_at);
    ret =
        path ? tt_result_write(result, path, err) : err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
    if (!ret)
        ret = list_folder(folder, &paths, &count, err);
    for (size_t i = TT_STATE_MAX_KEPT; i < count; i++)
        (void)unlink(paths[i]); /* another run may have removed it */
out:
    free_list(paths, count);
    free(path);
    free(folder);
    return ret;
}
