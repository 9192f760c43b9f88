/* SPDX-License-Identifier: MIT */
/* The injected library of 32-bit programs asks the tracer for what it cannot do itself. */
#ifndef TRACER_WINDOWS_HOOK_ASK_H
#define TRACER_WINDOWS_HOOK_ASK_H

#include <stdbool.h>
#include <windows.h>

#include "tracer/windows/ask.h"
#include "tracer/windows/payload.h"

/** Is this a process that only the tracer can enter: a 64-bit one, seen from a 32-bit one? */
bool ft_hook_must_ask(HANDLE process);

/**
 * Have the tracer enter a suspended child. Waits for its answer, however long that takes: the child
 * must not begin while it is being written to; but no longer than the tracer lives.
 * @tracer a handle to wait for; or NULL
 * @return how it went; FT_ENTRY_FAILED too where there is no pipe, or nobody answers at it.
 * Changes GetLastError().
 */
enum ft_entry ft_hook_ask(const struct ft_payload *payload, HANDLE tracer, HANDLE process,
                          HANDLE thread);

#endif
