/* SPDX-License-Identifier: MIT */
/* The functions of tracer/calls.def that macOS's C library has with the same parameters: their rows
 * are interposed as they stand there. What differs, or is macOS's own, is in
 * tracer/macos/calls.def. */
#ifndef TRACER_MACOS_SHARED_H
#define TRACER_MACOS_SHARED_H

#define FT_ON_MACOS_access , 1
#define FT_ON_MACOS_acct , 1
#define FT_ON_MACOS_chmod , 1
#define FT_ON_MACOS_chown , 1
#define FT_ON_MACOS_chroot , 1
#define FT_ON_MACOS_creat , 1
#define FT_ON_MACOS_faccessat , 1
#define FT_ON_MACOS_fchdir , 1
#define FT_ON_MACOS_fchmodat , 1
#define FT_ON_MACOS_fchownat , 1
#define FT_ON_MACOS_fdopendir , 1
#define FT_ON_MACOS_fstatat , 1
#define FT_ON_MACOS_ftok , 1
#define FT_ON_MACOS_getdirentries , 1
#define FT_ON_MACOS_lchmod , 1
#define FT_ON_MACOS_lchown , 1
#define FT_ON_MACOS_link , 1
#define FT_ON_MACOS_linkat , 1
#define FT_ON_MACOS_lstat , 1
#define FT_ON_MACOS_lutimes , 1
#define FT_ON_MACOS_mkdir , 1
#define FT_ON_MACOS_mkdirat , 1
#define FT_ON_MACOS_mkdtemp , 1
#define FT_ON_MACOS_mkfifo , 1
#define FT_ON_MACOS_mknod , 1
#define FT_ON_MACOS_mkostemp , 1
#define FT_ON_MACOS_mkostemps , 1
#define FT_ON_MACOS_mkstemp , 1
#define FT_ON_MACOS_mkstemps , 1
#define FT_ON_MACOS_opendir , 1
#define FT_ON_MACOS_pathconf , 1
#define FT_ON_MACOS_readlink , 1
#define FT_ON_MACOS_readlinkat , 1
#define FT_ON_MACOS_remove , 1
#define FT_ON_MACOS_rename , 1
#define FT_ON_MACOS_renameat , 1
#define FT_ON_MACOS_rmdir , 1
#define FT_ON_MACOS_scandir , 1
#define FT_ON_MACOS_stat , 1
#define FT_ON_MACOS_statfs , 1
#define FT_ON_MACOS_statvfs , 1
#define FT_ON_MACOS_symlink , 1
#define FT_ON_MACOS_symlinkat , 1
#define FT_ON_MACOS_truncate , 1
#define FT_ON_MACOS_unlink , 1
#define FT_ON_MACOS_unlinkat , 1
#define FT_ON_MACOS_utime , 1
#define FT_ON_MACOS_utimensat , 1
#define FT_ON_MACOS_utimes , 1

/*
 * FT_IF_ON_MACOS(function, text): the text when the function is in the list above, else nothing.
 * The ", 1" of a name that is in it moves the words behind by one, so that the fourth is FT_KEEP.
 */
#define FT_KEEP(...) __VA_ARGS__
#define FT_DROP(...)
#define FT_FOURTH(a, b, c, d, ...) d
#define FT_CHOOSE(...) FT_FOURTH(__VA_ARGS__, FT_KEEP, FT_KEEP, FT_DROP, )
#define FT_CHOOSER(function) FT_CHOOSE(~FT_ON_MACOS_##function)
#define FT_IF_ON_MACOS(function, ...) FT_CHOOSER(function)(__VA_ARGS__)

#endif
