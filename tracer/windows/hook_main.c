/* SPDX-License-Identifier: MIT */
/* Where the injected library begins: attach to the log, then lead ntdll's functions to ours. */
#include "common/compiler.h"
#include "tracer/windows/hook.h"
#include "tracer/windows/stub.h"

#if defined(_M_X64) || defined(__x86_64__)
#define MACHINE FT_STUB_X86_64
#elif defined(_M_ARM64) || defined(__aarch64__)
#define MACHINE FT_STUB_AARCH64
#else
#define MACHINE FT_STUB_I386
#endif

#define ROOMS_BYTES 4096u
_Static_assert(FT_HOOK_COUNT *FT_STUB_ROOM_BYTES <= ROOMS_BYTES, "each function has a room");

struct ft_hook_state ft_hook_state;

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, void *reserved);

/** The name by which the import table of an entered process asks for us; does nothing. */
void ft_hook_anchor(void);

void ft_hook_anchor(void)
{
}

static bool is_payload(const struct ft_payload *payload)
{
    return payload->magic == FT_PAYLOAD_MAGIC && payload->size_bytes == sizeof(*payload);
}

static void put_back(IMAGE_DATA_DIRECTORY *directories, unsigned which, struct ft_directory saved)
{
    directories[which].VirtualAddress = saved.address;
    directories[which].Size = saved.size_bytes;
}

/** Before our import descriptor, when we came in by one; the headers become what they were. */
static const struct ft_payload *find_before_imports(void)
{
    char *base = (char *)GetModuleHandleW(NULL);
    IMAGE_NT_HEADERS *headers =
        (IMAGE_NT_HEADERS *)(void *)(base + ((const IMAGE_DOS_HEADER *)(void *)base)->e_lfanew);
    IMAGE_DATA_DIRECTORY *directories = headers->OptionalHeader.DataDirectory;
    uint32_t imports = directories[IMAGE_DIRECTORY_ENTRY_IMPORT].VirtualAddress;
    uint32_t block_bytes = (sizeof(struct ft_payload) + 15u) & ~15u;
    DWORD before, ours;

    /* An image's own table stands inside of it. */
    if (imports < headers->OptionalHeader.SizeOfImage + block_bytes)
        return NULL;
    const struct ft_payload *payload =
        (const struct ft_payload *)(const void *)(base + imports - block_bytes);
    if (!is_payload(payload) || payload->block_bytes != block_bytes)
        return NULL;
    if (VirtualProtect(headers, sizeof(*headers), PAGE_READWRITE, &before)) {
        put_back(directories, IMAGE_DIRECTORY_ENTRY_IMPORT, payload->imports);
        put_back(directories, IMAGE_DIRECTORY_ENTRY_BOUND_IMPORT, payload->bound_imports);
        put_back(directories, IMAGE_DIRECTORY_ENTRY_IAT, payload->addresses);
        (void)VirtualProtect(headers, sizeof(*headers), before, &ours);
    }
    return payload;
}

/** Alone at the start of an allocation, when we came in by an APC. */
static const struct ft_payload *find_in_memory(void)
{
    MEMORY_BASIC_INFORMATION region;
    for (const char *at = NULL; VirtualQuery(at, &region, sizeof(region)) == sizeof(region);) {
        const struct ft_payload *payload = region.BaseAddress;
        if (region.State == MEM_COMMIT && region.Type == MEM_PRIVATE &&
            region.Protect == PAGE_READWRITE && region.BaseAddress == region.AllocationBase &&
            region.RegionSize >= sizeof(*payload) && is_payload(payload) && !payload->block_bytes)
            return payload;
        const char *next = (const char *)region.BaseAddress + region.RegionSize;
        if (next <= at)
            break;
        at = next;
    }
    return NULL;
}

static bool attach(void)
{
    const struct ft_payload *payload = find_before_imports();
    if (!payload)
        payload = find_in_memory();
    if (!payload)
        return false;
    ft_hook_state.payload = *payload;
    ft_hook_state.pid = GetCurrentProcessId();
    ft_hook_state.log_section = (HANDLE)(uintptr_t)payload->log_section;
    ft_hook_state.tracer = (HANDLE)(uintptr_t)payload->tracer;
    struct ft_log_head *log = MapViewOfFile(ft_hook_state.log_section,
                                            FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, FT_LOG_BYTES);
    if (!log || ATOMIC_LOAD(&log->magic) != FT_LOG_MAGIC || log->version != FT_LOG_VERSION ||
        log->nonce != payload->nonce)
        return false;
    ft_hook_state.log = log;
    return true;
}

/** Executable room, below ntdll and near it where that can be had: short jumps must reach it. */
static uint8_t *allocate_rooms(const void *ntdll)
{
    const uintptr_t step = 0x10000, reach = 0x7000000;
    uintptr_t from = (uintptr_t)ntdll & ~(step - 1);

    for (uintptr_t distance = step; distance < reach && distance < from; distance += step) {
        void *room = VirtualAlloc((void *)(from - distance), ROOMS_BYTES, MEM_RESERVE | MEM_COMMIT,
                                  PAGE_READWRITE);
        if (room)
            return room;
    }
    return VirtualAlloc(NULL, ROOMS_BYTES, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

static void copy(uint8_t *to, const uint8_t *from, uint32_t size_bytes)
{
    for (uint32_t i = 0; i < size_bytes; i++)
        to[i] = from[i];
}

static bool write_code(uint8_t *to, const uint8_t *from, uint32_t size_bytes)
{
    DWORD before, ours;
    if (!VirtualProtect(to, size_bytes, PAGE_EXECUTE_READWRITE, &before))
        return false;
    copy(to, from, size_bytes);
    (void)VirtualProtect(to, size_bytes, before, &ours);
    (void)FlushInstructionCache(GetCurrentProcess(), to, size_bytes);
    return true;
}

/** One function that is to be hooked, and where. */
struct place {
    const char *name;
    uint8_t *entry; /**< NULL: this system has no such function, so nobody calls it */
    struct ft_stub stub;
};

/** Lead every function to ours: all rooms are filled before any entry is written over, so that they
 * are never writable and executable at once. */
static void install(void)
{
    static struct place places[] = {
#define FT_HOOK(op, function) [FT_HOOK_##function] = {.name = #function},
#include "tracer/windows/calls.def"
    };
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    uint8_t *rooms = allocate_rooms(ntdll);
    DWORD before;

    for (unsigned i = 0; i < FT_HOOK_COUNT; i++) {
        struct place *place = &places[i];
        uint8_t *room = rooms + i * FT_STUB_ROOM_BYTES;
        place->entry = (uint8_t *)(uintptr_t)GetProcAddress(ntdll, place->name);
        if (!place->entry || !rooms)
            continue;
        enum ft_stub_result result =
            ft_stub_make(MACHINE, place->entry, (uintptr_t)place->entry, (uintptr_t)room,
                         ft_hook_replacement((enum ft_hook)i), &place->stub);
        if (result == FT_STUB_HOOKED) {
            copy(room, place->stub.room, FT_STUB_ROOM_BYTES);
            ft_hook_state.originals[i] = (uintptr_t)place->stub.original;
        }
    }
    bool executable = rooms && VirtualProtect(rooms, ROOMS_BYTES, PAGE_EXECUTE_READ, &before) &&
                      FlushInstructionCache(GetCurrentProcess(), rooms, ROOMS_BYTES);
    for (unsigned i = 0; i < FT_HOOK_COUNT; i++) {
        struct place *place = &places[i];
        bool hooked = executable && ft_hook_state.originals[i] &&
                      write_code(place->entry, place->stub.entry, place->stub.entry_bytes);
        if (!hooked && place->entry) {
            /* As it is: children are asked for through it. */
            ft_hook_state.originals[i] = (uintptr_t)place->entry;
            ft_note_reason(FT_REASON_NOT_HOOKED, place->name);
        }
    }
}

static void find_functions(void)
{
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
#define FIND(type, name) ((type *)(uintptr_t)GetProcAddress(ntdll, name))
    ft_hook_state.query_object = FIND(ft_nt_query_object, "NtQueryObject");
    ft_hook_state.query_volume = FIND(ft_nt_query_volume, "NtQueryVolumeInformationFile");
    ft_hook_state.resume_thread = FIND(ft_nt_resume_thread, "NtResumeThread");
    ft_hook_state.delay_execution = FIND(ft_nt_delay_execution, "NtDelayExecution");
    ft_hook_state.read_memory = FIND(ft_nt_read_memory, "NtReadVirtualMemory");
#undef FIND
}

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, void *reserved)
{
    (void)reserved;
    if (reason != DLL_PROCESS_ATTACH)
        return TRUE;
    (void)DisableThreadLibraryCalls(instance);
    find_functions();
    if (!attach())
        return TRUE; /* nothing is recorded of it, which the tracer notices */
    ft_hook_note_modules();
    install();
    return TRUE;
}
