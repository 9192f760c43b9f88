/* SPDX-License-Identifier: MIT */
/* What the reporter gives up before it looks at hostile bytes: programs, and writing files. */
#ifndef REPORT_SANDBOX_H
#define REPORT_SANDBOX_H

#include <stddef.h>

#include "common/compiler.h"

/** What may still be written. Paths may be NULL: such an entry says nothing. All borrowed. */
struct rep_sandbox {
    const char *const *replaced; /**< files that file_write() writes: beside, and renamed; so also
                                      what else lies in their folders, and new files there */
    size_t replaced_count;
    const char *const *appended; /**< files that are added to; one that is missing as above */
    size_t appended_count;
    const char *const *folders; /**< that are there: files in them, and below */
    size_t folders_count;
};

/* What is shut off. Bits. */
#define REP_SANDBOX_WRITES 1u /**< opening, making, renaming, removing other files */
#define REP_SANDBOX_CALLS                                                                          \
    2u /**< starting programs and processes, and calls for debugging others,                       \
            for changing names' owners and rights, for serving connections */

/**
 * Shut off, for the rest of the process, as much as the system can: on Linux by Landlock
 * (5.13 or later; docs: userspace-api/landlock.rst) and by a seccomp filter. Reading, resolving
 * names, connecting, making threads and writing to what is open already stay as they are.
 * What is refused fails: a write with EACCES, a call with EPERM.
 *
 * To be called while there is one thread; it cannot be undone.
 * @missing "", or words for a person: what this system lacks
 * @return the bits of what is shut off; 0 where the system has no such thing
 */
unsigned rep_sandbox_enter(const struct rep_sandbox *allowed, const char **missing);

#endif
