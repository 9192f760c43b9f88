/* SPDX-License-Identifier: MIT */
/* The injected library enters the children of the process that it is in. */
#include "tracer/windows/hook.h"
#include "tracer/windows/hook_ask.h"
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
    DWORD error = GetLastError();
    DWORD pid = GetProcessId(process);
    enum ft_entry entry =
        ft_hook_must_ask(process)
            ? ft_hook_ask(&ft_hook_state.payload, ft_hook_state.tracer, process, thread)
            : ft_inject(&injector, process, thread);

    if (ft_entry_expects_start(entry))
        ft_note_names(FT_KIND_EXPECT, FT_OP_NtCreateUserProcess, FT_EXPECT_START, 0, pid, NULL, 0,
                      image, image_bytes);
    if (ft_entry_reason(entry) != FT_REASON_NONE)
        ft_note_names(FT_KIND_NOTE, FT_OP_NtCreateUserProcess, 0, ft_entry_reason(entry), pid, NULL,
                      0, image, image_bytes);
    SetLastError(error);
}
