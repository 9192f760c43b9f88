/* SPDX-License-Identifier: MIT */
/* Reading memory of the program that may not be there. */
#include "tracer/linux/preload.h"

#include <linux/errno.h>
#include <linux/uio.h>

#include "tracer/image.h"
#include "tracer/linux/preload_allowed.h"
#include "tracer/linux/sys.h"

#define PAGE_BYTES 4096u /* the smallest */

/** Copy page by page, each asked for by a call that reads eight bytes and then does not know what
 * to do with them. @return 0, -EFAULT, or another error when that call is not allowed */
static long read_probed(const char *from, char *to, uint32_t size_bytes)
{
    uint32_t done = 0;
    while (done < size_bytes) {
        uintptr_t at = (uintptr_t)(from + done);
        long ret = ft_own_allowed(FT_OWN_PROBE)
                       ? SYS4(__NR_rt_sigprocmask, -1, at & ~(uintptr_t)7, NULL, 8)
                       : -EPERM;
        if (ret != -EINVAL)
            return ret;
        uint32_t left = PAGE_BYTES - (uint32_t)(at % PAGE_BYTES);
        for (; left && done < size_bytes; left--, done++)
            to[done] = from[done];
    }
    return 0;
}

bool ft_memory_read(const void *from, void *to, uint32_t size_bytes)
{
    struct iovec here = {to, size_bytes}, there = {(void *)(uintptr_t)from, size_bytes};
    long ret = ft_own_allowed(FT_OWN_MEMORY) ? sys6(__NR_process_vm_readv, ft_preload_pid(),
                                                    (long)&here, 1, (long)&there, 1, 0)
                                             : -EPERM;
    if (ret >= 0 || ret == -EFAULT)
        return ret == (long)size_bytes;
    ret = read_probed(from, to, size_bytes);
    if (ret && ret != -EFAULT)
        ft_note_reason(FT_REASON_PATH_UNKNOWN, NULL);
    return !ret;
}
