/* SPDX-License-Identifier: MIT */
/* What the kernel calls this machine's disks. */
#ifndef TRACER_WINDOWS_DEVICES_H
#define TRACER_WINDOWS_DEVICES_H

#include "common/compiler.h"
#include "tracer/log.h"

/**
 * Pass on a record for each drive's letter, and for Windows' own folder: FT_KIND_DEVICE. Where the
 * system does not tell there are fewer, and the kernel's own names stay in the trace.
 * @return 0, or what @sink returned
 */
MUST_USE int ft_devices_note(ft_log_sink *sink, void *context);

#endif
