/* SPDX-License-Identifier: MIT */
/* Finds a result to compare with on this machine. */
#include "harness/baseline.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/buf.h"
#include "harness/environment.h"

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

int tt_baseline_state_folder(const char *platform, char **out)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");

    *out = NULL;
    /* The XDG base directory specification: a path that is not absolute counts as none. */
    if (state && *state == '/')
        return make_path(out, state, "/tracetax/", platform);
    if (home && *home == '/')
        return make_path(out, home, "/.local/state/tracetax/", platform);
    return -ENOENT;
}

static int by_name_newest_first(const void *a, const void *b)
{
    return strcmp(*(char *const *)b, *(char *const *)a);
}

struct names {
    char *name[TT_BASELINE_MAX_KEPT];
    size_t count;
};

static void free_names(struct names *names)
{
    for (size_t i = 0; names && i < names->count; i++)
        free(names->name[i]);
    free(names);
}

/** Names that end in ".json", the newest first: they begin with the time. */
static int list_kept(const char *folder, struct names **out)
{
    struct names *names = calloc(1, sizeof(*names));
    DIR *dir = names ? opendir(folder) : NULL;
    int ret = !names ? -ENOMEM : dir ? 0 : -ENOENT;

    while (!ret && names->count < TT_BASELINE_MAX_KEPT) {
        const struct dirent *entry = readdir(dir);
        if (!entry)
            break;
        size_t length = strlen(entry->d_name);
        if (entry->d_name[0] == '.' || length < 5 || strcmp(entry->d_name + length - 5, ".json"))
            continue;
        char *name = strdup(entry->d_name);
        if (!name)
            ret = -ENOMEM;
        else
            names->name[names->count++] = name;
    }
    if (dir)
        closedir(dir);
    if (ret) {
        free_names(names);
        return ret;
    }
    qsort(names->name, names->count, sizeof(names->name[0]), by_name_newest_first);
    *out = names;
    return 0;
}

/** What was found so far. */
struct found {
    struct tt_result result;
    char *path;
};

static void found_fini(struct found *found)
{
    tt_result_fini(&found->result);
    free(found->path);
    *found = (struct found){0};
}

/** Read a kept run unless it is this result itself. @return 0, -ENOENT (not this one), -ENOMEM */
static int read_other(const struct tt_result *now, const char *folder, const char *name,
                      struct found *out)
{
    int ret = make_path(&out->path, folder, "/", name);
    if (!ret)
        ret = tt_result_read(out->path, &out->result, NULL);
    if (!ret && strcmp(out->result.created_at, now->created_at) &&
        !strcmp(out->result.platform.id, now->platform.id))
        return 0;
    found_fini(out);
    return ret == -ENOMEM ? ret : -ENOENT;
}

int tt_baseline_find_last_run(const struct tt_result *now, struct tt_result *out, char **out_path,
                              struct err *err)
{
    struct tt_environment here = {0};
    struct found newest = {0};
    struct names *names = NULL;
    char *folder = NULL;

    *out = (struct tt_result){0};
    *out_path = NULL;
    int ret = tt_baseline_state_folder(now->platform.id, &folder);
    if (!ret)
        ret = list_kept(folder, &names);
    if (!ret)
        ret = tt_environment_init(now, &here);

    bool comparable = false;
    for (size_t i = 0; !ret && !comparable && i < names->count; i++) {
        struct tt_environment there = {0};
        struct found other = {0};
        ret = read_other(now, folder, names->name[i], &other);
        if (!ret)
            ret = tt_environment_init(&other.result, &there);
        comparable = !ret && tt_environment_same(&here, &there);
        tt_environment_fini(&there);
        if (!ret && (comparable || !newest.path)) {
            found_fini(&newest);
            newest = other;
        } else {
            found_fini(&other);
        }
        if (ret == -ENOENT)
            ret = 0;
    }
    if (!ret && !newest.path)
        ret = -ENOENT;
    if (!ret) {
        *out = newest.result;
        *out_path = newest.path;
        newest = (struct found){0}; /* moved */
    }
    tt_environment_fini(&here);
    found_fini(&newest);
    free_names(names);
    free(folder);
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
    char here[PATH_MAX_BYTES];
    if (!getcwd(here, sizeof(here)))
        return -ENOENT;

    for (int level = 0; level < MAX_LEVELS; level++) {
        char *candidate;
        char *file;
        char *git;
        int ret = make_path(&candidate, strcmp(here, "/") ? here : "", "/baselines/", platform);
        if (ret)
            return ret;
        ret = make_path(&file, candidate, ".json", "");
        free(candidate);
        if (ret)
            return ret;
        if (!access(file, F_OK)) {
            *out = file;
            return 0;
        }
        free(file);
        ret = make_path(&git, here, "/.git", "");
        if (ret)
            return ret;
        bool last = !access(git, F_OK) || !go_up(here);
        free(git);
        if (last)
            break;
    }
    return -ENOENT;
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
        if (!ret && access(path, F_OK))
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
