/* SPDX-License-Identifier: MIT */
/* What a spawn's file actions will open. Their layout is glibc's own affair (the same since
 * 2.29): before the first use it is checked against a list made by glibc itself. */
#include "tracer/linux/preload_actions.h"

#include <linux/errno.h>
#include <linux/fcntl.h>

enum tag { TAG_CLOSE, TAG_DUP2, TAG_OPEN, TAG_CHDIR, TAG_FCHDIR };

/** One action. */
struct action {
    int tag;
    union {
        struct {
            int fd;
            const char *path;
            int flags;
            unsigned mode;
        } open;
        struct {
            const char *path;
        } chdir;
        struct {
            int fd;
        } fchdir;
    } u;
};

/** posix_spawn_file_actions_t. */
struct actions {
    int allocated, used;
    struct action *list;
    int padding[16];
};

enum layout { LAYOUT_UNCHECKED, LAYOUT_KNOWN, LAYOUT_OTHER };

static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

/** Have glibc make a list and see whether it reads as it should. */
static enum layout check_layout(void)
{
    int (*init)(void *) = (int (*)(void *))ft_next(FT_FN_posix_spawn_file_actions_init);
    int (*destroy)(void *) = (int (*)(void *))ft_next(FT_FN_posix_spawn_file_actions_destroy);
    int (*add_open)(void *, int, const char *, int, unsigned) = (int (*)(
        void *, int, const char *, int, unsigned))ft_next(FT_FN_posix_spawn_file_actions_addopen);
    int (*add_chdir)(void *, const char *) =
        (int (*)(void *, const char *))ft_next(FT_FN_posix_spawn_file_actions_addchdir_np);
    int (*add_fchdir)(void *, int) =
        (int (*)(void *, int))ft_next(FT_FN_posix_spawn_file_actions_addfchdir_np);
    union {
        struct actions actions;
        char room[256]; /* whatever its size is */
    } made = {.room = {0}};
    enum layout layout = LAYOUT_OTHER;

    if (!init || !destroy || !add_open || !add_chdir || !add_fchdir || init(&made))
        return LAYOUT_OTHER;
    if (!add_open(&made, 7, "/probe-open", 0x1234, 0456) && !add_chdir(&made, "/probe-chdir") &&
        !add_fchdir(&made, 9) && made.actions.used == 3) {
        const struct action *list = made.actions.list;
        if (list[0].tag == TAG_OPEN && list[0].u.open.fd == 7 && list[0].u.open.flags == 0x1234 &&
            same_text(list[0].u.open.path, "/probe-open") && list[1].tag == TAG_CHDIR &&
            same_text(list[1].u.chdir.path, "/probe-chdir") && list[2].tag == TAG_FCHDIR &&
            list[2].u.fchdir.fd == 9)
            layout = LAYOUT_KNOWN;
    }
    destroy(&made);
    return layout;
}

static uint32_t append(char *to, uint32_t n, const char *text)
{
    for (; *text && n + 1 < FT_PATH_MAX; text++)
        to[n++] = *text;
    to[n] = '\0';
    return n;
}

static void enter(struct ft_spawn_folder *folder, const char *path)
{
    if (path[0] == '/')
        folder->path_bytes = append(folder->path, 0, path);
    else if (folder->path_bytes)
        folder->path_bytes =
            append(folder->path, append(folder->path, folder->path_bytes, "/"), path);
    folder->changed = true;
}

void ft_spawn_actions_read(const void *opaque, bool record, struct ft_spawn_folder *out)
{
    static enum layout layout = LAYOUT_UNCHECKED;
    const struct actions *actions = opaque;

    out->changed = false;
    out->unknown = false;
    out->path_bytes = 0;
    if (!actions || actions->used <= 0)
        return;
    if (layout == LAYOUT_UNCHECKED)
        layout = check_layout();
    if (layout != LAYOUT_KNOWN) {
        out->unknown = true;
        return;
    }
    out->path_bytes = ft_note_cwd(out->path);
    for (int i = 0; i < actions->used; i++) {
        const struct action *action = &actions->list[i];
        if (action->tag == TAG_CHDIR) {
            ft_note_below(FT_OP_chdir, FT_READ, FT_ERROR_UNKNOWN | FT_PATH_WAS_READ, out->path,
                          out->path_bytes, action->u.chdir.path);
            enter(out, action->u.chdir.path);
        } else if (action->tag == TAG_FCHDIR) {
            out->path_bytes = ft_fd_path(action->u.fchdir.fd, out->path);
            out->changed = true;
        } else if (action->tag == TAG_OPEN && record) {
            ft_note_below(FT_OP_open, ft_flags_access((unsigned)action->u.open.flags),
                          FT_ERROR_UNKNOWN | FT_PATH_WAS_READ, out->path, out->path_bytes,
                          action->u.open.path);
        }
    }
}
