/* SPDX-License-Identifier: MIT */
/* Entering a process whose first thread has not begun. */
#ifndef TRACER_WINDOWS_INJECT_H
#define TRACER_WINDOWS_INJECT_H

#include "tracer/windows/entry.h"
#include "tracer/windows/nt.h"
#include "tracer/windows/payload.h"

/* Part of the injected library too, which enters the children: no C library behind this. */

/** What one who enters others has. */
struct ft_injector {
    const struct ft_payload *payload;         /**< what the process gets, but for its own handles */
    HANDLE log_section;                       /**< a handle of ours */
    HANDLE tracer;                            /**< a handle of ours to wait for; or NULL */
    ft_nt_query_attributes *query_attributes; /**< one that records nothing */
};

/**
 * Have a process load our library first of all, by rewriting its import table in memory: the
 * only way that sees what the image's libraries do while they begin. Where the library's path
 * is not ASCII, which an import table cannot say for certain, by an APC of the first thread.
 * On anything but DONE and LATE the process has not been changed, or so little (memory that
 * nobody knows of) that it runs as if nothing had been.
 * @process with rights to read, write, query and duplicate into
 * @thread  its first one, suspended before its first instruction; a process that has begun is
 *          left alone: FT_ENTRY_FAILED
 */
enum ft_entry ft_inject(const struct ft_injector *injector, HANDLE process, HANDLE thread);

#endif
