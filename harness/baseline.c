/* SPDX-License-Identifier: MIT */
/* Finds a result to compare with on this machine. */
#include "harness/baseline.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/file.h"
#include "common/folder.h"
#include "harness/environment.h"
#include "harness/state.h"

#define PATH_MAX_BYTES 8192
#define MAX_LEVELS 64

/** Join texts to a path. @out the caller's to free(); NULL on failure */
static int make_path(char **out, const char *first, const char *second, const char *third)
{
    struct buf path;

    buf_init(&path, PATH_MAX_BYTES);
    buf_puts(&path, first);
    buf_puts(&path, second);
    buf_puts(&path, third);
    int ret = buf_status(&path);
    *out = ret ? NULL : buf_take(&path);
    buf_fini(&path);
    return ret == -EFBIG ? -ENAMETOOLONG : *out ? 0 : -ENOMEM;
}

/** What was found so far. */
struct found {
    struct tt_result result;
    char *path; /**< NULL: nothing */
    bool comparable;
};

static void found_fini(struct found *found)
{
    tt_result_fini(&found->result);
    free(found->path);
    *found = (struct found){0};
}

/** Read a kept run unless it is this result itself. @return 0, -ENOENT (not this one), -ENOMEM */
static int read_other(const struct tt_result *now, const char *path, struct found *out)
{
    int ret = tt_result_read(path, &out->result, NULL);
    if (!ret && strcmp(out->result.created_at, now->created_at) &&
        !strcmp(out->result.platform.id, now->platform.id)) {
        out->path = strdup(path);
        if (out->path)
            return 0;
        ret = -ENOMEM;
    }
    found_fini(out);
    return ret == -ENOMEM ? ret : -ENOENT;
}

/** Take a kept run in the place of what was found, when it is a better baseline. */
static int consider(const struct tt_result *now, const struct tt_environment *here,
                    const char *path, struct found *best)
{
    struct tt_environment there = {0};
    struct found other = {0};

    int ret = read_other(now, path, &other);
    if (!ret)
        ret = tt_environment_init(&other.result, &there);
    if (!ret) {
        other.comparable = tt_environment_same(here, &there);
        if (other.comparable || !best->path) {
            found_fini(best);
            *best = other;
            other = (struct found){0}; /* moved */
        }
    }
    tt_environment_fini(&there);
    found_fini(&other);
    return ret == -ENOENT ? 0 : ret;
}

int tt_baseline_find_last_run(const struct tt_result *now, struct tt_result *out, char **out_path,
                              struct err *err)
{
    struct tt_environment here = {0};
    struct found best = {0};
    char **paths = NULL;
    size_t count = 0;

    *out = (struct tt_result){0};
    *out_path = NULL;
    int ret = tt_state_list(now->platform.id, &paths, &count, err);
    if (ret) /* no folder, or one that may not be listed: no baseline there */
        return ret == -ENOMEM ? ret : -ENOENT;
    ret = tt_environment_init(now, &here);
    for (size_t i = 0; !ret && !best.comparable && i < count; i++)
        ret = consider(now, &here, paths[i], &best);
    if (!ret && !best.path)
        ret = -ENOENT;
    if (!ret) {
        *out = best.result;
        *out_path = best.path;
        best = (struct found){0}; /* moved */
    }
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
    tt_environment_fini(&here);
    found_fini(&best);
    return ret ? err_set(err, ret, "cannot find an earlier run: %s", err_text(ret)) : 0;
}

/** Cut the last component off an absolute path. @return false at the root */
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash || !path[1])
        return false;
    slash[slash == path] = '\0';
    return true;
}

/** The nearest "baselines/PLATFORM.json" upward. @return 0, -ENOENT or -ENOMEM */
static int find_upward(const char *platform, char **out)
{
    char *here = folder_current();
    bool last = !here;
    int ret = 0;

    for (int level = 0; !ret && !last && !*out && level < MAX_LEVELS; level++) {
        char *candidate;
        char *file;
        char *git;
        ret = make_path(&candidate, strcmp(here, "/") ? here : "", "/baselines/", platform);
        if (ret)
            break;
        ret = make_path(&file, candidate, ".json", "");
        free(candidate);
        if (ret)
            break;
        if (file_kind(file) >= 0) {
            *out = file;
            break;
        }
        free(file);
        ret = make_path(&git, here, "/.git", "");
        if (!ret)
            last = file_kind(git) >= 0 || !go_up(here);
        free(git);
    }
    free(here);
    return ret ? ret : *out ? 0 : -ENOENT;
}

int tt_baseline_find_committed(const struct tt_result *now, const char *folder,
                               struct tt_result *out, char **out_path, struct err *err)
{
    char *path = NULL;
    int ret;

    *out = (struct tt_result){0};
    *out_path = NULL;
    if (folder) {
        char *stem;
        ret = make_path(&stem, folder, "/", now->platform.id);
        if (!ret) {
            ret = make_path(&path, stem, ".json", "");
            free(stem);
        }
        if (!ret && file_kind(path) < 0)
            ret = -ENOENT;
    } else {
        ret = find_upward(now->platform.id, &path);
    }
    if (!ret)
        ret = tt_result_read(path, out, err);
    else if (ret != -ENOENT)
        (void)err_set(err, ret, "cannot look for a committed baseline: %s", err_text(ret));
    if (ret)
        free(path);
    else
        *out_path = path;
    return ret;
}

static int calibration_path(const char *platform, char **out, struct err *err)
{
    char *folder;

    *out = NULL;
    int ret = tt_state_folder(platform, &folder, err);
    if (!ret) {
        ret = make_path(out, folder, "/calibration.json", "");
        if (ret)
            (void)err_set(err, ret, "cannot keep the calibration: %s", err_text(ret));
    }
    free(folder);
    return ret;
}

int tt_baseline_keep_calibration(const char *platform, const struct tt_history *history,
                                 char **out_path, struct err *err)
{
    char *folder = NULL;

    int ret = calibration_path(platform, out_path, err);
    if (!ret)
        ret = tt_state_folder(platform, &folder, err);
    if (!ret)
        ret = file_make_dirs(folder, err);
    if (!ret)
        ret = tt_history_write(history, *out_path, err);
    if (ret) {
        free(*out_path);
        *out_path = NULL;
    }
    free(folder);
    return ret;
}

int tt_baseline_read_calibration(const char *platform, struct tt_history *out, struct err *err)
{
    char *path;

    *out = (struct tt_history){0};
    int ret = calibration_path(platform, &path, NULL);
    if (!ret && file_kind(path) < 0)
        ret = -ENOENT;
    if (!ret)
        ret = tt_history_read(path, out, err);
    free(path);
    return ret;
}
