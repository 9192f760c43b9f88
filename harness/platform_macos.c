/* SPDX-License-Identifier: MIT */
/* What machine this is, on macOS: uname(2), sysctlbyname(3), dyld(3). */
#include <mach-o/dyld.h>
#include <stdlib.h>
#include <sys/sysctl.h>

#include "common/buf.h"
#include "harness/platform_posix.h"

const char tt_platform_system[] = "macos";

/** A text that the kernel knows, into @out with a NUL; empty when it does not. */
static void read_text(const char *name, char out[TT_RESULT_MAX_STRING_BYTES])
{
    size_t size_bytes = TT_RESULT_MAX_STRING_BYTES - 1;
    if (sysctlbyname(name, out, &size_bytes, NULL, 0))
        size_bytes = 0;
    out[size_bytes] = '\0';
}

/** "macOS 15.6 (24G84)". */
char *tt_platform_image(void)
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

char *tt_platform_cpu(void)
{
    char name[TT_RESULT_MAX_STRING_BYTES];
    read_text("machdep.cpu.brand_string", name);
    tt_platform_cut_frequency(name);
    return tt_platform_clean(name);
}

/** "libSystem 1351.0.0": the version that the running one says it has. */
char *tt_platform_libc(void)
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

bool tt_platform_can_inject(void)
{
    return false; /* no static programs here */
}
