/* SPDX-License-Identifier: MIT */
/* The shared log's memory on Windows: a section without a name, which children get a handle of. */
#define _CRT_RAND_S /* rand_s() in stdlib.h */
#include "tracer/log_memory.h"

#include <errno.h>
#include <stdlib.h>

#include "common/wide.h"
#include "tracer/windows/nt.h"

void ft_log_memory_pause(void)
{
    Sleep(1);
}

uint32_t ft_log_memory_writer(void)
{
    return GetCurrentThreadId() >> 2;
}

/** From the system's generator, which mingw's and Microsoft's run-times both reach by rand_s(). */
static int make_nonce(uint64_t *out)
{
    unsigned int parts[2];
    if (rand_s(&parts[0]) || rand_s(&parts[1]))
        return -EIO;
    *out = (uint64_t)parts[0] << 32 | parts[1];
    return 0;
}

int ft_log_memory_open(struct ft_log *log)
{
    uint64_t nonce;
    int ret = make_nonce(&nonce);
    if (ret)
        return ret;
    HANDLE section = CreateFileMappingW(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE, 0,
                                        (DWORD)FT_LOG_BYTES, NULL);
    void *map =
        section ? MapViewOfFile(section, FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, FT_LOG_BYTES) : NULL;
    if (!map) {
        ret = wide_error(GetLastError());
        if (section)
            CloseHandle(section);
        return ret;
    }
    log->head = map;
    log->section = section;
    log->head->tracer_pid = GetCurrentProcessId();
    log->head->nonce = nonce;
    return 0;
}

void ft_log_memory_close(struct ft_log *log)
{
    if (log->head)
        (void)UnmapViewOfFile(log->head);
    if (log->section)
        (void)CloseHandle(log->section);
}

enum ft_attached ft_log_attached(const struct ft_log *log)
{
    /* PUBLIC_OBJECT_BASIC_INFORMATION; each process that was entered holds a handle until it ends.
     */
    struct {
        ULONG attributes;
        ACCESS_MASK rights;
        ULONG handle_count, pointer_count;
        ULONG reserved[10];
    } basic;
    ULONG returned;
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    ft_nt_query_object *query =
        ntdll ? (ft_nt_query_object *)(uintptr_t)GetProcAddress(ntdll, "NtQueryObject") : NULL;
    if (!query || !NT_OK(query(log->section, 0, &basic, sizeof(basic), &returned)))
        return FT_ATTACHED_UNKNOWN;
    return basic.handle_count > 1 ? FT_ATTACHED_SOMEBODY : FT_ATTACHED_NOBODY;
}
