/* SPDX-License-Identifier: MIT */
/* Folders whose name is longer than FT_PATH_MAX. */
#ifndef TRACER_LINUX_PRELOAD_DEEP_H
#define TRACER_LINUX_PRELOAD_DEEP_H

#include "tracer/linux/preload.h"

#define FT_DEEP_MAX FT_BASE_MAX

/**
 * Find the name of a folder that the kernel does not say.
 * @folder descriptor, or AT_FDCWD
 * @found  called once with the name, valid during the call
 * @return false when it was not called: the folder has been removed, a parent may not be read,
 *         or the name is longer than FT_DEEP_MAX
 * Some system calls a level.
 */
HIDDEN bool ft_deep_folder(int folder,
                           void (*found)(void *context, const char *base, uint32_t base_bytes),
                           void *context);

#endif
