/* SPDX-License-Identifier: MIT */
/* What machine this is, as far as uname(2) and sysconf(3) tell it. */
#include "harness/platform_posix.h"

#include <ctype.h>
#include <errno.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/buf.h"

#define MAX_PLATFORM_ID_BYTES 64u

/** "linux-x86_64", "macos-arm64": of [a-z0-9_-] whatever the system calls its processor. */
static char *platform_id(const char *machine)
{
    struct buf id;

    buf_init(&id, MAX_PLATFORM_ID_BYTES);
    buf_printf(&id, "%s-", tt_platform_system);
    for (; *machine && id.size_bytes < MAX_PLATFORM_ID_BYTES; machine++) {
        char c = (char)tolower((unsigned char)*machine);
        bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        buf_append(&id, fits ? &c : "_", 1);
    }
    char *out = buf_take(&id);
    buf_fini(&id);
    return out;
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
    result->platform.image = tt_platform_image();
    result->platform.kernel = tt_platform_clean(names.release);
    result->platform.libc = tt_platform_libc();
    result->platform.arch = tt_platform_clean(names.machine);
    result->platform.cpu = tt_platform_cpu();
    if (!result->platform.id || !result->platform.os || !result->platform.image ||
        !result->platform.kernel || !result->platform.libc || !result->platform.arch ||
        !result->platform.cpu)
        return err_set(err, -ENOMEM, "%s", err_text(-ENOMEM));
    return 0;
}
