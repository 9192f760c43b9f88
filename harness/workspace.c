/* SPDX-License-Identifier: MIT */
/* The folder that a run works in, and builds copied into it. */
#include "harness/workspace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/file.h"
#include "common/folder.h"
#include "common/proc.h"
#include "harness/platform.h"
#include "harness/sha256.h"

#define MAX_PROGRAM_BYTES (256u << 20)
#define MAX_PATH_BYTES 4096u
#define LIBRARY_PREFIX "libfiletrace"

char *tt_workspace_path(const char *folder, const char *name)
{
    struct buf path;

    buf_init(&path, MAX_PATH_BYTES);
    buf_printf(&path, "%s/%s", folder, name);
    char *out = buf_take(&path);
    buf_fini(&path);
    return out;
}

/** Whether a folder has the workload. @return 1, 0 or -ENOMEM */
static int has_workload(const char *folder)
{
    char *path = tt_workspace_path(folder, "workload");
    char *found = NULL;
    int ret = path ? proc_find(path, &found) : -ENOMEM;
    free(found);
    free(path);
    return ret == -ENOMEM ? ret : !ret;
}

char *tt_workspace_programs_dir(const char *self_dir)
{
    int beside = has_workload(self_dir);
    if (beside < 0)
        return NULL;
    if (beside)
        return strdup(self_dir);

    char *libexec = tt_workspace_path(self_dir, "../libexec/tracetax");
    char *out = NULL;
    int installed = libexec ? has_workload(libexec) : -ENOMEM;
    /* Argument lists name it, and its length is part of a run: so its real path. */
    if (installed > 0 && folder_real_path(libexec, &out))
        out = NULL;
    else if (!installed)
        out = strdup(self_dir);
    free(libexec);
    return out;
}

int tt_workspace_hash_file(const char *path, struct tt_file_hash **files, size_t *count,
                           struct err *err)
{
    struct tt_file_hash file = {0};

    int ret = tt_sha256_file(path, file.sha256, err);
    if (ret)
        return ret;
    if (*count >= TT_RESULT_MAX_FILES)
        return err_set(err, -EFBIG, "more than %d files beside %s", TT_RESULT_MAX_FILES, path);
    struct tt_file_hash *more = realloc(*files, (*count + 1) * sizeof(*more));
    if (more)
        *files = more;
    file.name = tt_platform_clean(folder_name(path));
    if (!more || !file.name) {
        free(file.name);
        return err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
    }
    more[(*count)++] = file;
    return 0;
}

static bool is_library(const char *name)
{
    return !strncmp(name, LIBRARY_PREFIX, strlen(LIBRARY_PREFIX));
}

/** What is done with a file of a build. */
typedef int file_action(const char *path, void *context, struct err *err);

/**
 * Do it with each library of a folder; a folder that is not there has none. Names sort the same in
 * every folder, so that two hash lists can be compared by eye.
 */
static int for_libraries(const char *folder, file_action *action, void *context, struct err *err)
{
    char **names;
    size_t count;

    int ret = folder_list(folder, is_library, &names, &count);
    if (ret)
        return ret == -ENOENT ? 0 : err_set(err, ret, "cannot list %s: %s", folder, err_text(ret));
    for (size_t i = 0; !ret && i < count; i++) {
        char *path = tt_workspace_path(folder, names[i]);
        ret = path ? action(path, context, err) : err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
        free(path);
    }
    folder_list_free(names, count);
    return ret;
}

/**
 * Do something with each file of a build: the program, and the libraries where filetrace
 * looks for them, beside its real file and in ../lib/filetrace.
 */
static int for_build(const char *program, file_action *action, void *context, struct err *err)
{
    static const char *const places[] = {".", "../lib/filetrace"};

    char *real;
    int ret = folder_real_path(program, &real);
    if (ret)
        return err_set(err, ret, "cannot find %s: %s", program, err_text(ret));
    ret = action(real, context, err);
    *strrchr(real, '/') = '\0';
    for (size_t i = 0; !ret && i < ARRAY_LEN(places); i++) {
        char *folder = tt_workspace_path(real, places[i]);
        ret = folder ? for_libraries(folder, action, context, err)
                     : err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
        free(folder);
    }
    free(real);
    return ret;
}

/** Where hashes go. */
struct hashes {
    struct tt_file_hash **files;
    size_t *count;
};

static int hash_one(const char *path, void *context, struct err *err)
{
    const struct hashes *hashes = context;
    return tt_workspace_hash_file(path, hashes->files, hashes->count, err);
}

int tt_workspace_hash_build(const char *program, struct tt_file_hash **files, size_t *count,
                            struct err *err)
{
    struct hashes hashes = {.files = files, .count = count};
    return for_build(program, hash_one, &hashes, err);
}

/** Where copies go. */
struct copies {
    const char *folder;
};

static int copy_one(const char *path, void *context, struct err *err)
{
    const struct copies *copies = context;
    struct buf bytes;

    buf_init(&bytes, MAX_PROGRAM_BYTES);
    char *copy = tt_workspace_path(copies->folder, folder_name(path));
    if (!copy)
        return err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
    int ret = file_read(path, &bytes, err);
    if (!ret)
        ret = file_write(copy, bytes.data ? bytes.data : "", bytes.size_bytes, err);
    int mode = ret ? 0 : file_make_executable(copy);
    if (mode)
        ret = err_set(err, mode, "cannot make %s executable: %s", copy, err_text(mode));
    free(copy);
    buf_fini(&bytes);
    return ret;
}

int tt_workspace_stage(const char *program, const char *folder, char **out, struct err *err)
{
    struct copies copies = {.folder = folder};

    *out = NULL;
    int ret = file_make_dirs(folder, err);
    if (!ret)
        ret = for_build(program, copy_one, &copies, err);
    if (ret)
        return ret;
    char *real;
    if (!folder_real_path(program, &real))
        *out = tt_workspace_path(folder, folder_name(real));
    free(real);
    return *out ? 0 : err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
}
