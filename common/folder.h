/* SPDX-License-Identifier: MIT */
/*
 * Folders, and paths as the system knows them. Paths that come out of here are UTF-8 and have '/'
 * between their parts on every system; Windows takes both that and its own.
 */
#ifndef COMMON_FOLDER_H
#define COMMON_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/compiler.h"
#include "common/err.h"

/** Why there is no folder_state(), for a message. */
extern const char folder_state_hint[];

/**
 * The folder for what programs keep from run to run: $XDG_STATE_HOME or ~/.local/state; on Windows
 * $XDG_STATE_HOME or %LOCALAPPDATA%. A relative one is passed over, as the XDG Base Directory
 * Specification asks.
 * @out absolute, the caller's to free(); NULL on failure
 * @return 0, -ENOENT (there is none) or -ENOMEM
 */
MUST_USE int folder_state(char **out);

/**
 * Make an own folder for a while, below $TMPDIR or /tmp; on Windows below TMPDIR, TMP or TEMP.
 * @prefix of its name
 * @out    its real path, the caller's to free(); NULL on failure
 * @return 0, or what the system says
 */
MUST_USE int folder_make_own(const char *prefix, char **out, struct err *err);

/** Remove a folder and what is in it; what cannot be removed stays. Links are not followed.
 * Fine on NULL. */
void folder_remove(const char *path);

/** The working folder. @return the caller's to free(); NULL when the system does not say */
MUST_USE char *folder_current(void);

/**
 * Can files be made in it? Where the system cannot tell, only: is it a folder?
 * @return 0, -ENOENT, -ENOTDIR, -EACCES or what the system says
 */
MUST_USE int folder_check_writable(const char *path);

/**
 * Names in a folder that @keep wants, without "." and "..", in the order of their bytes.
 * @out @count names, for folder_list_free(); NULL and 0 on failure
 * @return 0, -ENOENT, -ENOMEM or what the system says
 */
MUST_USE int folder_list(const char *path, bool (*keep)(const char *name), char ***out,
                         size_t *count);

/** Free. Fine on NULL. */
void folder_list_free(char **names, size_t count);

/**
 * The absolute path without links of a file that is there.
 * @out the caller's to free(); NULL on failure
 * @return 0, -ENOENT, -ENOMEM or what the system says
 */
MUST_USE int folder_real_path(const char *path, char **out);

/** Does a path name the same whatever the working folder is? */
bool folder_is_absolute(const char *path);

/** The last part of a path: where its name begins. Borrowed from @path. */
const char *folder_name(const char *path);

#endif
