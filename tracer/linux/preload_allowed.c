/* SPDX-License-Identifier: MIT */
/* Our own system calls under a filter of the program's. */
#include "tracer/linux/preload_allowed.h"

#include <linux/audit.h>
#include <linux/prctl.h>

#include "tracer/linux/bpf.h"
#include "tracer/linux/preload.h"
#include "tracer/linux/sys.h"

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define EVERYTHING 0xffffffffu

uint32_t ft_own_denied;

static const struct {
    uint16_t number, call;
} own_calls[] = {
    {__NR_getcwd, FT_OWN_FOLDER},
    {__NR_readlinkat, FT_OWN_DESCRIPTOR},
    {__NR_process_vm_readv, FT_OWN_MEMORY},
    {__NR_rt_sigprocmask, FT_OWN_PROBE},
    {__NR_getpid, FT_OWN_PID},
    {__NR_nanosleep, FT_OWN_WAIT},
    {__NR_newfstatat, FT_OWN_STATUS},
    {__NR_mmap, FT_OWN_PAGES},
    {__NR_munmap, FT_OWN_PAGES},
    {__NR_openat, FT_OWN_CLIMB},
    {__NR_fstat, FT_OWN_CLIMB},
    {__NR_close, FT_OWN_CLIMB},
    {__NR_getdents64, FT_OWN_CLIMB},
    {__NR_openat, FT_OWN_ROUTE},
    {__NR_newfstatat, FT_OWN_ROUTE},
    {__NR_fstat, FT_OWN_ROUTE},
    {__NR_faccessat, FT_OWN_ROUTE},
    {__NR_fgetxattr, FT_OWN_ROUTE},
    {__NR_pread64, FT_OWN_ROUTE},
    {__NR_read, FT_OWN_ROUTE},
    {__NR_close, FT_OWN_ROUTE},
    {__NR_mmap, FT_OWN_ROUTE},
    {__NR_munmap, FT_OWN_ROUTE},
    {__NR_geteuid, FT_OWN_ROUTE},
    {__NR_getegid, FT_OWN_ROUTE},
    {__NR_faccessat2, FT_OWN_ENTER},
    {__NR_prctl, FT_OWN_ENTER},
    {__NR_seccomp, FT_OWN_ENTER},
    {__NR_openat, FT_OWN_ENTER},
    {__NR_readlinkat, FT_OWN_ENTER},
    {__NR_pread64, FT_OWN_ENTER},
    {__NR_write, FT_OWN_ENTER},
    {__NR_close, FT_OWN_ENTER},
    {__NR_futex, FT_OWN_ENTER},
    {__NR_nanosleep, FT_OWN_ENTER},
    {__NR_getpid, FT_OWN_ENTER},
    {__NR_gettid, FT_OWN_ENTER},
};

/** The strict mode allows nothing that we need, as a filter without instructions. */
static const struct sock_fprog strict;

const void *ft_own_filter_of_prctl(unsigned long option, unsigned long mode, const void *program)
{
    if (option != PR_SET_SECCOMP)
        return NULL;
    return mode == SECCOMP_MODE_STRICT ? &strict : program;
}

const void *ft_own_filter_of_seccomp(unsigned long operation, const void *program)
{
    if (operation == SECCOMP_SET_MODE_STRICT)
        return &strict;
    return operation == SECCOMP_SET_MODE_FILTER ? program : NULL;
}

void ft_own_settle(void)
{
    ft_preload_settle();
    ft_note_cwd_known();
    if (ft_preload_libraries_changed)
        ft_note_new_libraries();
}

uint32_t ft_own_filter_ahead(void)
{
    ft_own_settle();
    return __atomic_exchange_n(&ft_own_denied, EVERYTHING, __ATOMIC_RELAXED);
}

/** The calls that this filter does not simply make or fail. */
static uint32_t denied_by(const struct sock_fprog *program)
{
    uint32_t denied = 0;
    for (size_t i = 0; i < ARRAY_LEN(own_calls); i++) {
        const struct seccomp_data data = {.nr = own_calls[i].number, .arch = OUR_ARCHITECTURE};
        uint32_t action =
            ft_bpf_run(program->filter, program->len, &data) & SECCOMP_RET_ACTION_FULL;
        if (action != SECCOMP_RET_ALLOW && action != SECCOMP_RET_LOG && action != SECCOMP_RET_ERRNO)
            denied |= 1u << own_calls[i].call;
    }
    return denied;
}

void ft_own_filter_done(uint32_t before, bool done, const void *program)
{
    __atomic_store_n(&ft_own_denied, before | (done ? denied_by(program) : 0), __ATOMIC_RELAXED);
}
