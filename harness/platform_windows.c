/* SPDX-License-Identifier: MIT */
/* What machine this is, on Windows: RtlGetVersion, the registry, GetNativeSystemInfo. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "common/buf.h"
#include "common/wide.h"
#include "harness/platform.h"

#define MAX_VALUE_UNITS 512u
#define WINDOWS_11_BUILD 22000u /* its registry still says "Windows 10" */

/** A text of the registry's HKEY_LOCAL_MACHINE. @return the caller's, NULL when there is none */
static char *registry_text(const wchar_t *key, const wchar_t *name)
{
    wchar_t value[MAX_VALUE_UNITS];
    DWORD size_bytes = sizeof(value);

    /* Ends the text with a NUL, whatever is stored. */
    if (RegGetValueW(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_SZ, NULL, value, &size_bytes))
        return NULL;
    return wide_to_utf8(value);
}

static char *cpu(void)
{
    char *name = registry_text(L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
                               L"ProcessorNameString");
    if (name)
        tt_platform_cut_frequency(name);
    char *clean = tt_platform_clean(name ? name : "");
    free(name);
    return clean;
}

/** The version of wine, which is not Windows, as a result has to say; NULL on Windows. */
static const char *wine(void)
{
    typedef const char *wine_get_version(void);
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    FARPROC found = ntdll ? GetProcAddress(ntdll, "wine_get_version") : NULL;
    wine_get_version *get = NULL;

    memcpy(&get, &found, sizeof(get)); /* no cast from one kind of function to another */
    return get ? get() : NULL;
}

/** The version that GetVersionExW hides from programs that do not say which they know. */
static void version(OSVERSIONINFOW *out)
{
    typedef LONG WINAPI rtl_get_version(OSVERSIONINFOW *);
    rtl_get_version *get = NULL;
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    FARPROC found = ntdll ? GetProcAddress(ntdll, "RtlGetVersion") : NULL;

    *out = (OSVERSIONINFOW){.dwOSVersionInfoSize = sizeof(*out)};
    memcpy(&get, &found, sizeof(get));
    if (get)
        (void)get(out);
}

static char *kernel(const OSVERSIONINFOW *system)
{
    struct buf text;

    buf_init(&text, TT_RESULT_MAX_STRING_BYTES);
    buf_printf(&text, "%lu.%lu.%lu", system->dwMajorVersion, system->dwMinorVersion,
               system->dwBuildNumber);
    char *out = buf_take(&text);
    buf_fini(&text);
    return out;
}

/** "Windows Server 2025 Datacenter 24H2" */
static char *image(const OSVERSIONINFOW *system)
{
    static const wchar_t key[] = L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion";
    static const char ten[] = "Windows 10";
    char *product = registry_text(key, L"ProductName");
    char *release = registry_text(key, L"DisplayVersion");
    struct buf text;

    buf_init(&text, TT_RESULT_MAX_STRING_BYTES);
    const char *rest = product ? product : "Windows";
    if (system->dwBuildNumber >= WINDOWS_11_BUILD && !strncmp(rest, ten, strlen(ten))) {
        buf_puts(&text, "Windows 11");
        rest += strlen(ten);
    }
    buf_puts(&text, rest);
    if (release && *release)
        buf_printf(&text, " %s", release);
    if (wine())
        buf_printf(&text, " (wine %s)", wine());
    char *raw = buf_take(&text);
    char *clean = tt_platform_clean(raw ? raw : "");
    buf_fini(&text);
    free(raw);
    free(product);
    free(release);
    return clean;
}

/** As Linux calls them, so that a person knows them from one system to the next. */
static const char *machine(WORD architecture)
{
    switch (architecture) {
    case PROCESSOR_ARCHITECTURE_AMD64:
        return "x86_64";
    case PROCESSOR_ARCHITECTURE_ARM64:
        return "aarch64";
    case PROCESSOR_ARCHITECTURE_INTEL:
        return "i686";
    default:
        return "unknown";
    }
}

/** The C runtime that these programs were linked with. */
static char *libc(void)
{
#if defined(_UCRT)
    return tt_platform_clean("ucrt");
#else
    return tt_platform_clean("msvcrt");
#endif
}

bool tt_platform_can_inject(void)
{
    return false; /* no static programs here */
}

int tt_platform_fill(struct tt_result *result, struct err *err)
{
    OSVERSIONINFOW system;
    SYSTEM_INFO hardware;
    struct buf id;

    version(&system);
    GetNativeSystemInfo(&hardware);
    const char *arch = machine(hardware.wProcessorArchitecture);
    buf_init(&id, 64);
    buf_printf(&id, "windows-%s", arch);
    result->platform.id = buf_take(&id);
    buf_fini(&id);
    DWORD cores = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    result->platform.cores = cores ? cores : 1;
    result->platform.os = tt_platform_clean("Windows");
    result->platform.image = image(&system);
    result->platform.kernel = kernel(&system);
    result->platform.libc = libc();
    result->platform.arch = tt_platform_clean(arch);
    result->platform.cpu = cpu();
    if (!result->platform.id || !result->platform.os || !result->platform.image ||
        !result->platform.kernel || !result->platform.libc || !result->platform.arch ||
        !result->platform.cpu)
        return err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
    return 0;
}
