/* SPDX-License-Identifier: MIT */
/* Somebody else's hook, as security products set them: a short jump over NtCreateFile's entry,
 * here from a call-back before main(). Then opens 5 files, and is content when its hook saw them.
 * Where the tracer came first (by an import table) theirs leads to ours; where it comes later (by
 * an APC) ours leads to theirs. */
#include <stdint.h>
#include <stdio.h>

#include "tests/windows/tracer/nt_calls.h"
#include "tests/windows/tracer/tls.h"

static volatile LONG calls;
static const char *found = "another shape";

/** Executable room that a short jump reaches. */
static unsigned char *room_below(const void *code)
{
    uintptr_t from = (uintptr_t)code & ~(uintptr_t)0xffff;
    for (uintptr_t distance = 0x200000; distance < 0x7000000; distance += 0x10000) {
        void *room = VirtualAlloc((void *)(from - distance), 4096, MEM_RESERVE | MEM_COMMIT,
                                  PAGE_EXECUTE_READWRITE);
        if (room)
            return room;
    }
    return NULL;
}

static unsigned char *put(unsigned char *to, const void *bytes, size_t count)
{
    memcpy(to, bytes, count);
    return to + count;
}

/** jmp [rip+0], and the address behind it. */
static unsigned char *put_jump(unsigned char *to, const void *target)
{
    to = put(to, "\xff\x25\0\0\0\0", 6);
    return put(to, &target, 8);
}

static void hook(void)
{
    unsigned char *entry = (unsigned char *)nt_function("NtCreateFile");
    unsigned char *room = room_below(entry), *moved = room + 64;
    volatile LONG *counter = &calls;
    DWORD before;

    if (!room)
        return;
    /* What was there goes on behind: whole instructions that may stand anywhere. */
    if (!memcmp(entry, "\x4c\x8b\xd1\xb8", 4)) {
        found = "the kernel's own";
        put_jump(put(moved, entry, 16), entry + 16);
    } else if (!memcmp(entry, "\xff\x25\0\0\0\0", 6)) {
        found = "an absolute jump";
        put(moved, entry, 14);
    } else {
        return;
    }
    unsigned char *at = put(room, "\x50\x48\xb8", 3); /* push rax; mov rax, counter */
    at = put(at, &counter, 8);
    at = put(at, "\xf0\xff\x00\x58", 4); /* lock inc dword [rax]; pop rax */
    put_jump(at, moved);
    int32_t distance = (int32_t)(room - (entry + 5));
    VirtualProtect(entry, 5, PAGE_EXECUTE_READWRITE, &before);
    entry[0] = 0xe9;
    memcpy(entry + 1, &distance, 4);
    VirtualProtect(entry, 5, before, &before);
}

static void NTAPI on_thread(PVOID module, DWORD reason, PVOID reserved)
{
    (void)module;
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH)
        hook();
}

TLS_CALLBACK(on_thread);

int main(void)
{
#if !defined(__x86_64__) && !defined(_M_X64)
    printf("SKIPPED: this foreign hook is machine code of x86-64\n");
    return 77;
#endif
    LONG before = calls;
    for (int i = 0; i < 5; i++) {
        wchar_t name[] = {L'f', (wchar_t)(L'0' + i), 0};
        HANDLE file =
            CreateFileW(name, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
        if (file == INVALID_HANDLE_VALUE)
            return 2;
        CloseHandle(file);
    }
    printf("the foreign hook found %s and saw %ld calls\n", found, calls - before);
    return calls - before < 5;
}
