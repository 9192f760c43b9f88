/* SPDX-License-Identifier: MIT */
/* The injected library enters the children of the process that it is in. */
#include "tracer/windows/hook.h"
#include "tracer/windows/inject.h"

void ft_hook_enter_child(HANDLE process, HANDLE thread, const void *image, uint32_t image_bytes)
{
    const struct ft_injector injector = {
        .payload = &ft_hook_state.payload,
        .log_section = ft_hook_state.log_section,
        .tracer = ft_hook_state.tracer,
        .query_attributes =
            (ft_nt_query_attributes *)ft_hook_state.originals[FT_HOOK_NtQueryAttributesFile],
    };
    static const enum ft_reason reasons[] = {
        [FT_ENTRY_LATE] = FT_REASON_ENTERED_LATE,
        [FT_ENTRY_REFUSED] = FT_REASON_POLICY,
        [FT_ENTRY_ARCHITECTURE] = FT_REASON_ARCHITECTURE,
        [FT_ENTRY_FAILED] = FT_REASON_NOT_ENTERED,
    };
    DWORD error = GetLastError();
    DWORD pid = GetProcessId(process);
    enum ft_entry entry = ft_inject(&injector, process, thread);

    if (entry == FT_ENTRY_DONE || entry == FT_ENTRY_LATE)
        ft_note_names(FT_KIND_EXPECT, FT_OP_NtCreateUserProcess, FT_EXPECT_START, 0, pid, NULL, 0,
                      image, image_bytes);
    if (entry != FT_ENTRY_DONE)
        ft_note_names(FT_KIND_NOTE, FT_OP_NtCreateUserProcess, 0, reasons[entry], pid, NULL, 0,
                      image, image_bytes);
    SetLastError(error);
}
