/* SPDX-License-Identifier: MIT */
/*
 * The injected library's own parts, to each other. It runs in foreign programs: no C library, no
 * allocation, no lock, no thread-local state; nothing that it calls changes what GetLastError()
 * says, and each call gives back what the kernel gave.
 */
#ifndef TRACER_WINDOWS_HOOK_H
#define TRACER_WINDOWS_HOOK_H

#include <stdbool.h>

#include "tracer/image.h"
#include "tracer/ops.h"
#include "tracer/record.h"
#include "tracer/windows/nt.h"
#include "tracer/windows/payload.h"

/** The functions that are hooked, in the order of calls.def. */
enum ft_hook {
#define FT_HOOK(op, function) FT_HOOK_##function,
#include "tracer/windows/calls.def"
    FT_HOOK_COUNT
};

/** What the process has: written once, while it is entered. */
struct ft_hook_state {
    struct ft_log_head *log; /**< NULL: not attached, or the tracer is gone */
    HANDLE log_section, tracer;
    DWORD pid;
    uintptr_t originals[FT_HOOK_COUNT]; /**< what does what each function did; 0: not hooked */
    struct ft_payload payload;          /**< for the children */
    /* Functions of ntdll, found by name: some are lacking where others are not. */
    ft_nt_query_object *query_object;
    ft_nt_query_volume *query_volume;
    ft_nt_resume_thread *resume_thread;
    ft_nt_delay_execution *delay_execution;
    ft_nt_read_memory *read_memory;
};

extern struct ft_hook_state ft_hook_state;

/** Address of the function that takes a hooked one's place (hook_calls.c). */
uintptr_t ft_hook_replacement(enum ft_hook hook);

/* Recording (hook_note.c). Each takes the status that the call has given. */

/** A path with its folder: what NtCreateFile and its kin take. */
void ft_note_object(enum ft_op op, unsigned access, NTSTATUS status,
                    const OBJECT_ATTRIBUTES *attributes);

/** Names, in units' bytes. */
void ft_note_names(enum ft_kind kind, enum ft_op op, unsigned access, unsigned error, DWORD pid,
                   const void *base, uint32_t base_bytes, const void *path, uint32_t path_bytes);

/** A process is incompletely watched. @text ASCII, as it is */
void ft_note_reason(enum ft_reason reason, const char *text);

/** Ask for the name of what is open, in the kernel's name space. @return its bytes; 0: no name that
 * fits, or none that may be asked for */
uint32_t ft_note_handle_name(HANDLE handle, struct ft_object_name *out);

/** May this many bytes be read? Asks the kernel, without a fault. */
bool ft_note_readable(const void *address, size_t size_bytes);

/** The image, and what has been mapped before us (hook_modules.c). */
void ft_hook_note_modules(void);

/** Enter a child that has not begun, and say how that went (hook_children.c). */
void ft_hook_enter_child(HANDLE process, HANDLE thread, const void *image, uint32_t image_bytes);

#endif
