/* SPDX-License-Identifier: MIT */
/* What machine this is, on macOS: uname(2), sysctlbyname(3), dyld(3). */
#include <ctype.h>
#include <errno.h>
#include <mach-o/dyld.h>
#include <stdlib.h>
#include <sys/sysctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/buf.h"
#include "harness/platform.h"

#define MAX_PLATFORM_ID_BYTES 64u

/** A text that the kernel knows, into @out with a NUL; empty when it does not. */
static void read_text(const char *name, char out[TT_RESULT_MAX_STRING_BYTES])
{
    size_t size_bytes = TT_RESULT_MAX_STRING_BYTES - 1;
    if (sysctlbyname(name, out, &size_bytes, NULL, 0))
        size_bytes = 0;
    out[size_bytes] = '\0';
}

/** "macOS 15.6 (24G84)". */
static char *image(void)
{
    char version[TT_RESULT_MAX_STRING_BYTES], build[TT_RESULT_MAX_STRING_BYTES];
    struct buf text;

    read_text("kern.osproductversion", version);
    read_text("kern.osversion", build);
    buf_init(&text, TT_RESULT_MAX_STRING_BYTES);
    if (version[0])
        buf_printf(&text, "macOS %s", version);
    if (version[0] && build[0])
        buf_printf(&text, " (%s)", build);
    char *clean = tt_platform_clean(text.data ? text.data : "");
    buf_fini(&text);
    return clean;
}

static char *cpu(void)
{
    char name[TT_RESULT_MAX_STRING_BYTES];
    read_text("machdep.cpu.brand_string", name);
    tt_platform_cut_frequency(name);
    return tt_platform_clean(name);
}

/** "libSystem 1351.0.0": the version that the running one says it has. */
static char *libc(void)
{
    int32_t version = NSVersionOfRunTimeLibrary("System");
    struct buf text;

    buf_init(&text, TT_RESULT_MAX_STRING_BYTES);
    if (version != -1)
        buf_printf(&text, "libSystem %d.%d.%d", version >> 16, version >> 8 & 0xff, version & 0xff);
    char *clean = tt_platform_clean(text.data ? text.data : "");
    buf_fini(&text);
    return clean;
}

/** "macos-arm64", of [a-z0-9_-] whatever the system calls its processor. */
static char *platform_id(const char *machine)
{
    struct buf id;

    buf_init(&id, MAX_PLATFORM_ID_BYTES);
    buf_puts(&id, "macos-");
    for (; *machine && id.size_bytes < MAX_PLATFORM_ID_BYTES; machine++) {
        char c = (char)tolower((unsigned char)*machine);
        bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        buf_append(&id, fits ? &c : "_", 1);
    }
    char *out = buf_take(&id);
    buf_fini(&id);
    return out;
}

bool tt_platform_can_inject(void)
{
    return false; /* no static programs here */
}

int tt_platform_fill(struct tt_result *result, struct err *err)
{
    struct utsname names;

    if (uname(&names))
        return err_set(err, -errno, "cannot tell which system this is: %s", err_text(errno));
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    result->platform.cores = cores > 0 ? (uint32_t)cores : 1;
    result->platform.id = platform_id(names.machine);
    result->platform.os = tt_platform_clean(names.sysname);
    result->platform.image = image();
    result->platform.kernel = tt_platform_clean(names.release);
    result->platform.libc = libc();
    result->platform.arch = tt_platform_clean(names.machine);
    result->platform.cpu = cpu();
    if (!result->platform.id || !result->platform.os || !result->platform.image ||
        !result->platform.kernel || !result->platform.libc || !result->platform.arch ||
        !result->platform.cpu)
        return err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
    return 0;
}
