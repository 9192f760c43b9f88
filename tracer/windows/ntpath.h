/* SPDX-License-Identifier: MIT */
/* From the names of the NT kernel to the paths that people type: pure, for every system. */
#ifndef TRACER_WINDOWS_NTPATH_H
#define TRACER_WINDOWS_NTPATH_H

#include <stddef.h>

#include "common/compiler.h"

#define FT_NT_DEVICES_MAX 64
#define FT_NT_DEVICE_BYTES 256

/** What the kernel calls a disk, and what people do. Both WTF-8, without a final '\\'. */
struct ft_nt_device {
    char nt[FT_NT_DEVICE_BYTES];  /**< "\Device\HarddiskVolume3", "\SystemRoot" */
    char dos[FT_NT_DEVICE_BYTES]; /**< "C:", "C:\Windows" */
};

/** The machine's disks. Zeroed: none. */
struct ft_nt_devices {
    struct ft_nt_device entries[FT_NT_DEVICES_MAX];
    size_t count;
};

/** Add one. @return 0, -ENAMETOOLONG, -E2BIG (no room) or -EINVAL (one is empty) */
int ft_nt_devices_add(struct ft_nt_devices *devices, const char *nt, size_t nt_bytes,
                      const char *dos, size_t dos_bytes);

/** What a name is. */
enum ft_nt_kind {
    FT_NT_FILE,    /**< of a file, folder or disk's root: an absolute DOS path */
    FT_NT_OTHER,   /**< of a pipe, console or other device: no path that anybody looks for */
    FT_NT_UNKNOWN, /**< nobody knows where it starts: out is relative, or empty */
};

/** Room that ft_nt_path() needs for these lengths in bytes of UTF-16. */
#define FT_NT_PATH_BYTES(base_bytes, path_bytes)                                                   \
    (((size_t)(base_bytes) + (size_t)(path_bytes)) / 2 * 3 + FT_NT_DEVICE_BYTES + 16)

/**
 * Join a folder and a name and make a DOS path of them: "C:\dir\file", "\\server\share\file",
 * and where a disk has no letter "\\?\Volume{...}\file" or "\\?\GLOBALROOT\Device\X\file".
 * Names stay as they are given: short (8.3) ones, their case, streams, surrogates without a
 * partner. Only a drive's letter becomes a capital, and separators are written once.
 * @base, @path little-endian UTF-16, at any address; @base is the folder's name as the kernel
 *          or the process has it, empty when @path is absolute; a name that starts with '\' or
 *          with a drive ignores it
 * @devices may be NULL: none
 * @out     at least FT_NT_PATH_BYTES() bytes; WTF-8, NUL-terminated
 * @out_bytes its length
 * Pure.
 */
enum ft_nt_kind ft_nt_path(const void *base, size_t base_bytes, const void *path, size_t path_bytes,
                           const struct ft_nt_devices *devices, char *out, size_t *out_bytes);

#endif
