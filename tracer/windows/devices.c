/* SPDX-License-Identifier: MIT */
/* What the kernel calls this machine's disks. */
#include "tracer/windows/devices.h"

#include <string.h>
#include <wchar.h>
#include <windows.h>

#include "tracer/windows/ntpath.h"

#define NAME_UNITS (FT_NT_DEVICE_BYTES / 2u)

static int note_device(const wchar_t *nt, const wchar_t *dos, ft_log_sink *sink, void *context)
{
    uint32_t nt_bytes = (uint32_t)wcslen(nt) * 2, dos_bytes = (uint32_t)wcslen(dos) * 2;
    uint32_t size_bytes = (uint32_t)(FT_RECORD_HEAD_BYTES + nt_bytes + dos_bytes + 7u) & ~7u;
    union {
        struct ft_record record;
        char bytes[FT_RECORD_HEAD_BYTES + 4 * NAME_UNITS + 8];
    } room = {.record = {.state = FT_STATE_COMMITTED | size_bytes,
                         .base_bytes = (uint16_t)nt_bytes,
                         .path_bytes = (uint16_t)dos_bytes,
                         .kind = FT_KIND_DEVICE,
                         .access = FT_NT_NAMES}};
    memcpy(room.bytes + FT_RECORD_HEAD_BYTES, nt, nt_bytes);
    memcpy(room.bytes + FT_RECORD_HEAD_BYTES + nt_bytes, dos, dos_bytes);
    return sink(context, &room.record, size_bytes);
}

int ft_devices_note(ft_log_sink *sink, void *context)
{
    wchar_t drive[] = L"A:", name[NAME_UNITS];
    DWORD drives = GetLogicalDrives();
    int ret = 0;

    for (unsigned i = 0; i < 26 && !ret; i++) {
        drive[0] = (wchar_t)(L'A' + i);
        /* What a letter of subst stands for is named by that, not by the letter. */
        if (drives & 1u << i && QueryDosDeviceW(drive, name, NAME_UNITS) &&
            wcsncmp(name, L"\\??\\", 4) != 0)
            ret = note_device(name, drive, sink, context);
    }
    UINT length = GetSystemWindowsDirectoryW(name, NAME_UNITS);
    if (!ret && length && length < NAME_UNITS)
        ret = note_device(L"\\SystemRoot", name, sink, context);
    return ret;
}
