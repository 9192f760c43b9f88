/* SPDX-License-Identifier: MIT */
/* Entering a process whose first thread has not begun. */
#include "tracer/windows/inject.h"

#include <stdbool.h>
#include <stddef.h>

#include "common/compiler.h"

#define IMPORTS_MAX 4096u
#define ALIGN16(value) (((value) + 15u) & ~15u)
#define ANCHOR_ORDINAL 1u /**< of the one name that the library exports */

/* Addresses are 64 bits wide: a 64-bit process also enters 32-bit ones. */

static bool read_memory(HANDLE process, uint64_t from, void *to, size_t size_bytes)
{
    SIZE_T done = 0;
    return ReadProcessMemory(process, (const void *)(uintptr_t)from, to, size_bytes, &done) &&
           done == size_bytes;
}

static bool write_memory(HANDLE process, uint64_t to, const void *from, size_t size_bytes)
{
    SIZE_T done = 0;
    return WriteProcessMemory(process, (void *)(uintptr_t)to, from, size_bytes, &done) &&
           done == size_bytes;
}

static FARPROC ntdll_function(const char *name)
{
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    return ntdll ? GetProcAddress(ntdll, name) : NULL;
}

/** An image in a process. */
struct image {
    HANDLE process;
    uint64_t base, headers;
    bool is_64;
    uint32_t size_bytes, imports_count;
    uint64_t directories_address;
    IMAGE_DATA_DIRECTORY directories[IMAGE_NUMBEROF_DIRECTORY_ENTRIES];
};

/** Our descriptor and what it needs, written behind each other. */
struct layout {
    uint32_t descriptors, names, addresses, name, total; /**< from the block's start */
};

/** Where the image of a process stands that has not begun. @return 0: unknown, or it has begun */
static uint64_t image_base(HANDLE process)
{
    ft_nt_query_process *query =
        (ft_nt_query_process *)(uintptr_t)ntdll_function("NtQueryInformationProcess");
    PROCESS_BASIC_INFORMATION basic;
    /* Behind two pointers in its PEB. The loader's data is made by the process's first steps. */
    struct {
        uintptr_t image_base, loader_data;
    } found;
    if (!query || !NT_OK(query(process, 0, &basic, sizeof(basic), NULL)) ||
        !read_memory(process, (uintptr_t)basic.PebBaseAddress + 2 * sizeof(void *), &found,
                     sizeof(found)))
        return 0;
    return found.loader_data ? 0 : found.image_base;
}

static enum ft_entry find_image(HANDLE process, struct image *out)
{
    IMAGE_DOS_HEADER dos;
    IMAGE_NT_HEADERS32 head; /* both kinds begin alike */

    out->process = process;
    out->base = image_base(process);
    if (!out->base || !read_memory(process, out->base, &dos, sizeof(dos)) ||
        dos.e_magic != IMAGE_DOS_SIGNATURE || dos.e_lfanew < 0)
        return FT_ENTRY_FAILED;
    out->headers = out->base + (uint32_t)dos.e_lfanew;
    if (!read_memory(process, out->headers, &head, sizeof(head)) ||
        head.Signature != IMAGE_NT_SIGNATURE)
        return FT_ENTRY_FAILED;
    bool fits = head.FileHeader.Machine == IMAGE_FILE_MACHINE_I386;
#if defined(_M_X64) || defined(__x86_64__)
    fits |= head.FileHeader.Machine == IMAGE_FILE_MACHINE_AMD64;
#elif defined(_M_ARM64) || defined(__aarch64__)
    fits = head.FileHeader.Machine == IMAGE_FILE_MACHINE_ARM64;
#endif
    if (!fits)
        return FT_ENTRY_ARCHITECTURE;
    out->is_64 = head.OptionalHeader.Magic == IMAGE_NT_OPTIONAL_HDR64_MAGIC;
    out->size_bytes = head.OptionalHeader.SizeOfImage; /* at one place in both */
    out->directories_address =
        out->headers + (out->is_64 ? offsetof(IMAGE_NT_HEADERS64, OptionalHeader.DataDirectory)
                                   : offsetof(IMAGE_NT_HEADERS32, OptionalHeader.DataDirectory));
    return read_memory(process, out->directories_address, out->directories,
                       sizeof(out->directories))
               ? FT_ENTRY_DONE
               : FT_ENTRY_FAILED;
}

/** Count up to the one of zeros: the recorded size is not to be trusted. */
static bool count_imports(struct image *image)
{
    uint32_t address = image->directories[IMAGE_DIRECTORY_ENTRY_IMPORT].VirtualAddress;
    IMAGE_IMPORT_DESCRIPTOR descriptor;

    image->imports_count = 0;
    while (address) {
        if (image->imports_count == IMPORTS_MAX ||
            !read_memory(image->process,
                         image->base + address + image->imports_count * sizeof(descriptor),
                         &descriptor, sizeof(descriptor)))
            return false;
        if (!descriptor.Name && !descriptor.FirstThunk)
            break;
        image->imports_count++;
    }
    return true;
}

/** Room above the image, so near that its distance is 32 bits wide, which tables hold. */
static uint64_t allocate_above(const struct image *image, uint32_t size_bytes)
{
    const uint64_t step = 0x10000;
    uint64_t limit = image->is_64 ? image->base + UINT64_C(0xfff00000) : UINT64_C(0x7ffe0000);
    uint64_t at = (image->base + image->size_bytes + step - 1) & ~(step - 1);

    while (at + size_bytes < limit) {
        MEMORY_BASIC_INFORMATION region;
        if (!VirtualQueryEx(image->process, (void *)(uintptr_t)at, &region, sizeof(region)))
            return 0;
        uint64_t end = (uint64_t)(uintptr_t)region.BaseAddress + region.RegionSize;
        if (region.State == MEM_FREE && end - at >= size_bytes) {
            void *room = VirtualAllocEx(image->process, (void *)(uintptr_t)at, size_bytes,
                                        MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
            if (room)
                return (uintptr_t)room;
            end = at + 1;
        }
        at = (end + step - 1) & ~(step - 1);
    }
    return 0;
}

static const uint16_t *library_of(const struct ft_injector *injector, bool is_64)
{
    return injector->payload->libraries[is_64 ? FT_LIBRARY_64 : FT_LIBRARY_32];
}

/** As bytes for an import table. @return the length with its NUL; 0: not ASCII */
static uint32_t narrow(const uint16_t *path, char *out)
{
    uint32_t n = 0;
    do {
        if (n == FT_LIBRARY_UNITS || path[n] > 0x7e)
            return 0;
        out[n] = (char)path[n];
    } while (path[n++]);
    return n;
}

static bool write_block(const struct image *image, uint64_t block, const struct layout *layout,
                        const char *name, const struct ft_payload *payload)
{
    uint32_t rva = (uint32_t)(block - image->base);
    uint32_t old = image->directories[IMAGE_DIRECTORY_ENTRY_IMPORT].VirtualAddress;
    IMAGE_IMPORT_DESCRIPTOR descriptor = {0};
    uint64_t by_ordinal[2] = {(image->is_64 ? UINT64_C(1) << 63 : UINT64_C(1) << 31) |
                              ANCHOR_ORDINAL};
    uint32_t thunks_bytes = image->is_64 ? 16 : 8;

    descriptor.OriginalFirstThunk = rva + layout->names;
    descriptor.FirstThunk = rva + layout->addresses;
    descriptor.Name = rva + layout->name;
    bool done =
        write_memory(image->process, block, payload, sizeof(*payload)) &&
        write_memory(image->process, block + layout->descriptors, &descriptor,
                     sizeof(descriptor)) &&
        write_memory(image->process, block + layout->names, by_ordinal, thunks_bytes) &&
        write_memory(image->process, block + layout->addresses, by_ordinal, thunks_bytes) &&
        write_memory(image->process, block + layout->name, name, layout->total - layout->name);
    for (uint32_t i = 0; done && i < image->imports_count; i++) {
        uint64_t from = image->base + old + i * sizeof(descriptor);
        uint64_t to = block + layout->descriptors + (i + 1) * sizeof(descriptor);
        done = read_memory(image->process, from, &descriptor, sizeof(descriptor)) &&
               write_memory(image->process, to, &descriptor, sizeof(descriptor));
    }
    return done;
}

static bool write_directories(const struct image *image)
{
    DWORD before, ours;
    void *address = (void *)(uintptr_t)image->directories_address;
    if (!VirtualProtectEx(image->process, address, sizeof(image->directories), PAGE_READWRITE,
                          &before))
        return false;
    bool done = write_memory(image->process, image->directories_address, image->directories,
                             sizeof(image->directories));
    (void)VirtualProtectEx(image->process, address, sizeof(image->directories), before, &ours);
    return done;
}

static struct ft_directory saved(const struct image *image, unsigned which)
{
    return (struct ft_directory){image->directories[which].VirtualAddress,
                                 image->directories[which].Size};
}

/** Put our library in front of the image's own. The payload stands before the descriptors, where
 * the library looks for it, and tells how to put the image's headers back. */
static enum ft_entry enter_by_imports(struct image *image, const char *name, uint32_t name_bytes,
                                      struct ft_payload *payload)
{
    struct layout layout = {.descriptors = ALIGN16(sizeof(*payload))};
    uint32_t table_bytes = (image->imports_count + 2) * (uint32_t)sizeof(IMAGE_IMPORT_DESCRIPTOR);
    layout.names = ALIGN16(layout.descriptors + table_bytes);
    layout.addresses = layout.names + 16;
    layout.name = layout.addresses + 16;
    layout.total = layout.name + name_bytes;
    uint64_t block = allocate_above(image, layout.total);
    if (!block)
        return FT_ENTRY_FAILED;

    payload->block_bytes = layout.descriptors;
    payload->imports = saved(image, IMAGE_DIRECTORY_ENTRY_IMPORT);
    payload->bound_imports = saved(image, IMAGE_DIRECTORY_ENTRY_BOUND_IMPORT);
    payload->addresses = saved(image, IMAGE_DIRECTORY_ENTRY_IAT);
    bool done = write_block(image, block, &layout, name, payload);
    uint32_t table = (uint32_t)(block - image->base) + layout.descriptors;
    image->directories[IMAGE_DIRECTORY_ENTRY_IMPORT] = (IMAGE_DATA_DIRECTORY){table, table_bytes};
    image->directories[IMAGE_DIRECTORY_ENTRY_BOUND_IMPORT] = (IMAGE_DATA_DIRECTORY){0, 0};
    if (!image->directories[IMAGE_DIRECTORY_ENTRY_IAT].VirtualAddress)
        /* What the loader makes writable while it fills addresses in. */
        image->directories[IMAGE_DIRECTORY_ENTRY_IAT] =
            (IMAGE_DATA_DIRECTORY){table, layout.total - layout.descriptors};
    if (done && write_directories(image))
        return FT_ENTRY_DONE;
    (void)VirtualFreeEx(image->process, (void *)(uintptr_t)block, 0, MEM_RELEASE);
    return FT_ENTRY_FAILED;
}

/** The path stands behind the payload, which the library finds by its magic. */
static enum ft_entry enter_by_apc(HANDLE process, HANDLE thread, const uint16_t *path,
                                  struct ft_payload *payload)
{
    size_t path_bytes = FT_LIBRARY_UNITS * sizeof(*path);
    /* kernel32 stands at one address in all processes of a kind. */
    HMODULE kernel32 = GetModuleHandleW(L"kernel32.dll");
    FARPROC load = kernel32 ? GetProcAddress(kernel32, "LoadLibraryW") : NULL;
    char *block = load && thread ? VirtualAllocEx(process, NULL, sizeof(*payload) + path_bytes,
                                                  MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE)
                                 : NULL;
    if (!block)
        return FT_ENTRY_FAILED;
    payload->block_bytes = 0;
    uint64_t at = (uintptr_t)block;
    if (write_memory(process, at, payload, sizeof(*payload)) &&
        write_memory(process, at + sizeof(*payload), path, path_bytes) &&
        QueueUserAPC((PAPCFUNC)(uintptr_t)load, thread, (ULONG_PTR)(block + sizeof(*payload))))
        return FT_ENTRY_LATE;
    (void)VirtualFreeEx(process, block, 0, MEM_RELEASE);
    return FT_ENTRY_FAILED;
}

/** Would the system keep our library out? Then a process whose import table names it could not
 * start. Where it cannot be asked it has no such policies. */
static bool is_forbidden(HANDLE process)
{
    typedef BOOL WINAPI get_policy(HANDLE, int, void *, SIZE_T);
    static const struct {
        int policy;
        DWORD bits;
    } policies[] = {
        {2, 1}, /* ProcessDynamicCodePolicy: ProhibitDynamicCode */
        {7, 4}, /* ProcessControlFlowGuardPolicy: StrictMode */
        {8, 3}, /* ProcessSignaturePolicy: MicrosoftSignedOnly, StoreSignedOnly */
    };
    HMODULE kernel32 = GetModuleHandleW(L"kernel32.dll");
    get_policy *get =
        kernel32 ? (get_policy *)(uintptr_t)GetProcAddress(kernel32, "GetProcessMitigationPolicy")
                 : NULL;
    for (size_t i = 0; get && i < ARRAY_LEN(policies); i++) {
        DWORD flags = 0;
        if (get(process, policies[i].policy, &flags, sizeof(flags)) && (flags & policies[i].bits))
            return true;
    }
    /* An AppContainer may not read files that nobody gave it. */
    ft_nt_open_token *open = (ft_nt_open_token *)(uintptr_t)ntdll_function("NtOpenProcessToken");
    ft_nt_query_token *query =
        (ft_nt_query_token *)(uintptr_t)ntdll_function("NtQueryInformationToken");
    HANDLE token;
    DWORD contained = 0;
    ULONG returned;
    if (open && query && NT_OK(open(process, TOKEN_QUERY, &token))) {
        (void)query(token, 29 /* TokenIsAppContainer */, &contained, sizeof(contained), &returned);
        CloseHandle(token);
    }
    return contained != 0;
}

/** A process whose import table names a library that is not there could not start either. */
static bool is_there(const struct ft_injector *injector, const uint16_t *path)
{
    WCHAR name[FT_LIBRARY_UNITS + 4] = {'\\', '?', '?', '\\'};
    FILE_BASIC_INFO ignored;
    uint32_t n = 0;

    while (n < FT_LIBRARY_UNITS && path[n]) {
        name[4 + n] = (WCHAR)path[n];
        n++;
    }
    UNICODE_STRING text = {(USHORT)((4 + n) * 2), (USHORT)((4 + n) * 2), name};
    OBJECT_ATTRIBUTES attributes;
    InitializeObjectAttributes(&attributes, &text, OBJ_CASE_INSENSITIVE, NULL, NULL);
    return n && injector->query_attributes &&
           NT_OK(injector->query_attributes(&attributes, &ignored));
}

static HANDLE give(HANDLE process, HANDLE ours, DWORD rights)
{
    HANDLE theirs = NULL;
    if (ours && !DuplicateHandle(GetCurrentProcess(), ours, process, &theirs, rights, FALSE,
                                 rights ? 0 : DUPLICATE_SAME_ACCESS))
        return NULL;
    return theirs;
}

static void take_back(HANDLE process, uint64_t theirs)
{
    if (theirs)
        (void)DuplicateHandle(process, (HANDLE)(uintptr_t)theirs, NULL, NULL, 0, FALSE,
                              DUPLICATE_CLOSE_SOURCE);
}

static enum ft_entry enter(struct image *image, HANDLE thread, const uint16_t *path,
                           struct ft_payload *payload)
{
    char name[FT_LIBRARY_UNITS];
    uint32_t name_bytes = narrow(path, name);

    if (name_bytes)
        return count_imports(image) ? enter_by_imports(image, name, name_bytes, payload)
                                    : FT_ENTRY_FAILED;
    if (image->is_64 != (sizeof(void *) == 8))
        return FT_ENTRY_FAILED; /* LoadLibraryW stands elsewhere there */
    return enter_by_apc(image->process, thread, path, payload);
}

enum ft_entry ft_inject(const struct ft_injector *injector, HANDLE process, HANDLE thread)
{
    struct image image = {0};
    struct ft_payload payload = *injector->payload;

    if (is_forbidden(process))
        return FT_ENTRY_REFUSED;
    enum ft_entry entry = find_image(process, &image);
    if (entry != FT_ENTRY_DONE)
        return entry;
    const uint16_t *path = library_of(injector, image.is_64);
    if (!path[0])
        return FT_ENTRY_ARCHITECTURE;
    if (!is_there(injector, path))
        return FT_ENTRY_FAILED;
    payload.magic = FT_PAYLOAD_MAGIC;
    payload.size_bytes = sizeof(payload);
    payload.log_section = (uintptr_t)give(process, injector->log_section, 0);
    payload.tracer = (uintptr_t)give(process, injector->tracer, SYNCHRONIZE);
    entry = payload.log_section ? enter(&image, thread, path, &payload) : FT_ENTRY_FAILED;
    if (!ft_entry_expects_start(entry)) {
        take_back(process, payload.log_section);
        take_back(process, payload.tracer);
    }
    return entry;
}
