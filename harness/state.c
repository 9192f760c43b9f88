/* SPDX-License-Identifier: MIT */
/* Results kept on this machine. */
#include "harness/state.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/file.h"
#include "common/folder.h"
#include "harness/workspace.h"

#define MAX_PATH_BYTES 4096u
#define MAX_SAME_SECOND 1000

/* "20261130T153000Z_000.json": names sort as their times do. */
static const char shape[] = "########T######Z_###.json";

int tt_state_folder(const char *platform_id, char **out, struct err *err)
{
    struct buf path;
    char *state;

    *out = NULL;
    int ret = folder_state(&state);
    if (ret == -ENOENT)
        return err_set(err, ret, "there is no folder for kept results: %s", folder_state_hint);
    buf_init(&path, MAX_PATH_BYTES);
    if (!ret)
        buf_printf(&path, "%s/tracetax/%s", state, platform_id);
    *out = buf_take(&path);
    buf_fini(&path);
    free(state);
    return *out ? 0 : err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
}

static bool is_kept(const char *name)
{
    if (strlen(name) != sizeof(shape) - 1)
        return false;
    for (size_t i = 0; shape[i]; i++) {
        if (shape[i] == '#' ? !isdigit((unsigned char)name[i]) : name[i] != shape[i])
            return false;
    }
    return true;
}

/** Kept results of a folder, newest first. */
static int list_folder(const char *folder, char ***paths, size_t *count, struct err *err)
{
    char **names;
    size_t found;

    *paths = NULL;
    *count = 0;
    int ret = folder_list(folder, is_kept, &names, &found);
    if (ret)
        return ret == -ENOENT ? 0 : err_set(err, ret, "cannot list %s: %s", folder, err_text(ret));
    if (found)
        *paths = calloc(found, sizeof(**paths));
    for (size_t i = found; i > 0; i--) {
        char *path = *paths ? tt_workspace_path(folder, names[i - 1]) : NULL;
        if (path)
            (*paths)[(*count)++] = path;
        else
            ret = -ENOMEM;
    }
    folder_list_free(names, found);
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
        if (file_kind(out) >= 0) {
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
        (void)file_remove(paths[i]); /* another run may have removed it */
out:
    free_list(paths, count);
    free(path);
    free(folder);
    return ret;
}
