/* SPDX-License-Identifier: MIT */
/* A stream that becomes a file only once it is complete, on Windows. */
#include "common/outfile.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "common/buf.h"
#include "common/file.h"
#include "common/folder.h"
#include "common/wide.h"

#define TRIES 100

/** As fopen(3) of a UTF-8 name. */
static int open_stream(const char *path, const wchar_t *mode, FILE **out)
{
    wchar_t *wide;

    *out = NULL;
    int ret = wide_from_utf8(path, &wide);
    if (ret)
        return ret;
    errno = 0;
    *out = _wfopen(wide, mode);
    if (!*out)
        ret = errno ? -errno : -EIO;
    free(wide);
    return ret;
}

/** Make the file beside @path; "x": never one that is there. */
static int open_beside(struct outfile *out)
{
    struct buf name;
    int ret = -EEXIST;

    buf_init(&name, SIZE_MAX);
    for (unsigned n = 0; ret == -EEXIST && n < TRIES; n++) {
        buf_clear(&name);
        ret = buf_printf(&name, "%s.%lu.%u.tmp", out->path, GetCurrentProcessId(), n);
        if (!ret && file_kind(name.data) >= 0)
            ret = -EEXIST;
        else if (!ret)
            ret = open_stream(name.data, L"wbN", &out->stream);
    }
    out->beside = ret ? NULL : buf_take(&name);
    buf_fini(&name);
    return ret ? ret : out->beside ? 0 : -ENOMEM;
}

int outfile_open(struct outfile *out, const char *path, FILE *fallback, struct err *err)
{
    int ret = 0;

    *out = (struct outfile){0};
    if (!path || !strcmp(path, "-")) {
        out->stream = path ? stdout : fallback;
        return 0;
    }
    int kind = file_kind(path);
    if (!*path)
        ret = -ENOENT;
    else if (kind == FILE_FOLDER)
        ret = -EISDIR;
    /* What a symbolic link names is replaced, not the link. */
    if (!ret && (kind != FILE_REGULAR || folder_real_path(path, &out->path)))
        out->path = strdup(path);
    if (!ret && !out->path)
        ret = -ENOMEM;
    if (!ret)
        ret = kind == FILE_OTHER ? open_stream(path, L"wbN", &out->stream) : open_beside(out);
    if (ret) {
        outfile_discard(out);
        return err_set(err, ret, "cannot write %s: %s", path, err_text(ret));
    }
    return 0;
}

/** As rename(2), which also replaces. */
static int replace(const char *from, const char *to)
{
    wchar_t *wide_from, *wide_to = NULL;

    int ret = wide_from_utf8(from, &wide_from);
    if (!ret)
        ret = wide_from_utf8(to, &wide_to);
    if (!ret && !MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING))
        ret = wide_error(GetLastError());
    free(wide_to);
    free(wide_from);
    return ret;
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
    if (!ret && out->beside)
        ret = replace(out->beside, out->path);
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
        (void)file_remove(out->beside);
    free(out->beside);
    free(out->path);
    *out = (struct outfile){0};
}
