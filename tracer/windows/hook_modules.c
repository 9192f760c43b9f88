/* SPDX-License-Identifier: MIT */
/* What the loader maps: before us, and from sections that it keeps, without opening a file. */
#include "tracer/windows/hook.h"

extern IMAGE_DOS_HEADER __ImageBase;

static void note_module(enum ft_kind kind, const UNICODE_STRING *path)
{
    if (path->Length)
        ft_note_names(kind, FT_OP_loader, FT_READ, 0, ft_hook_state.pid, NULL, 0, path->Buffer,
                      path->Length);
}

static void NTAPI on_module(ULONG reason, const struct ft_module_event *event, void *context)
{
    (void)context;
    if (reason == FT_MODULE_LOADED && event->path)
        note_module(FT_KIND_ACCESS, event->path);
}

void ft_hook_note_modules(void)
{
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    ft_ldr_register *watch =
        (ft_ldr_register *)(uintptr_t)GetProcAddress(ntdll, "LdrRegisterDllNotification");
    ft_nt_query_process *query =
        (ft_nt_query_process *)(uintptr_t)GetProcAddress(ntdll, "NtQueryInformationProcess");
    PROCESS_BASIC_INFORMATION basic;
    if (!query || !NT_OK(query(GetCurrentProcess(), 0, &basic, sizeof(basic), NULL)))
        return; /* its start is missed, which the trace says */
    const PEB_LDR_DATA *loader = basic.PebBaseAddress->Ldr;
    /* Its list in order of loading stands before the one that headers name. */
    const LIST_ENTRY *head = &loader->InMemoryOrderModuleList - 1;
    void *cookie;

    /* We run under the loader's lock: the list stays as it is. Its first entry is the image. */
    for (const LIST_ENTRY *at = head->Flink; at != head; at = at->Flink) {
        const struct ft_module *module = CONTAINING_RECORD(at, struct ft_module, load_order);
        if (module->base != &__ImageBase)
            note_module(at == head->Flink ? FT_KIND_START : FT_KIND_ACCESS, &module->path);
    }
    if (watch)
        (void)watch(0, on_module, NULL, &cookie);
}
