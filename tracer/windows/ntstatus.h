/* SPDX-License-Identifier: MIT */
/* What the NT kernel answers, as errno values. */
#ifndef TRACER_WINDOWS_NTSTATUS_H
#define TRACER_WINDOWS_NTSTATUS_H

#include <stdint.h>

/* Part of the injected library too: no C library behind this. */

/**
 * The errno value that the C run-time's open(), stat() and such would set where the kernel gave
 * this status; EIO for a failure that the table does not hold.
 * @return 0 for success and for information, warnings of a folder's end included
 * Pure.
 */
int ft_ntstatus_errno(uint32_t status);

#endif
