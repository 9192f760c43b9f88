/* SPDX-License-Identifier: MIT */
/* Attaching a process to the log: before anything else of it runs, or at its first access. */
#include "tracer/linux/preload.h"

#include <linux/fcntl.h>
#include <linux/mman.h>

#include "tracer/linux/preload_allowed.h"
#include "tracer/linux/sys.h"

struct ft_log_head *ft_preload_log;
long ft_preload_rseq_offset;
char ft_preload_env[96];
ROOM char ft_preload_path[FT_PATH_MAX];

/** While the constructor runs nothing else of this process does. */
static uint32_t pid_at_start;

/** A page that fork and clone hand on zeroed: 0 means that the pid must be asked for. */
static uint32_t *fork_page;

/** The child of this thread's vfork, which runs on its memory until it execs. */
static __thread uint32_t vfork_pid __attribute__((tls_model("initial-exec")));

void ft_preload_set_vfork_pid(uint32_t pid)
{
    vfork_pid = pid;
}

bool ft_preload_in_vfork(void)
{
    return vfork_pid != 0;
}

/** Other processes may run on this memory, and that page is theirs too. */
static bool memory_shared;

void ft_preload_memory_shared(void)
{
    __atomic_store_n(&memory_shared, true, __ATOMIC_RELAXED);
    __atomic_store_n(&fork_page, NULL, __ATOMIC_RELAXED);
}

static void make_fork_page(void)
{
    if (__atomic_load_n(&memory_shared, __ATOMIC_RELAXED))
        return;
    long page =
        sys6(__NR_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (sys_failed(page))
        return;
    if (SYS3(__NR_madvise, page, 4096, MADV_WIPEONFORK) == 0)
        __atomic_store_n(&fork_page, (uint32_t *)page, __ATOMIC_RELEASE);
    else
        SYS2(__NR_munmap, page, 4096);
}

/** glibc 2.35 and later register the area and say where it is (rseq(2)). */
static void find_rseq(void)
{
    const long *offset = ft_next(FT_FN___rseq_offset);
    const unsigned *size = ft_next(FT_FN___rseq_size);
    if (offset && size && *size)
        __atomic_store_n(&ft_preload_rseq_offset, *offset, __ATOMIC_RELAXED);
}

void ft_preload_settle(void)
{
    static bool settled;
    if (__atomic_exchange_n(&settled, true, __ATOMIC_RELAXED))
        return;
    find_rseq();
    make_fork_page();
    (void)ft_preload_pid();
}

/** What makes a record cheap is dear to get, by pages that have to be touched: most processes
 * record less than this. */
#define SETTLE_AFTER 24

START static __attribute__((noinline)) uint32_t ask_pid(void)
{
    static uint32_t asked;
    static uint32_t known;
    if (pid_at_start)
        return pid_at_start;
    if (UNLIKELY(!ft_own_allowed(FT_OWN_PID)))
        return __atomic_load_n(&known, __ATOMIC_RELAXED); /* this process's, or its parent's */
    if (__atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED) == SETTLE_AFTER)
        ft_preload_settle();
    uint32_t pid = (uint32_t)SYS0(__NR_getpid);
    __atomic_store_n(&known, pid, __ATOMIC_RELAXED);
    uint32_t *place = __atomic_load_n(&fork_page, __ATOMIC_ACQUIRE);
    if (place)
        __atomic_store_n(place, pid, __ATOMIC_RELAXED);
    return pid;
}

START uint32_t ft_preload_pid(void)
{
    if (UNLIKELY(vfork_pid != 0))
        return vfork_pid;
    const uint32_t *place = __atomic_load_n(&fork_page, __ATOMIC_ACQUIRE);
    uint32_t pid = place ? __atomic_load_n(place, __ATOMIC_RELAXED) : 0;
    return LIKELY(pid != 0) ? pid : ask_pid();
}

/** Value of the variable called @name ("NAME=" with its '='), or NULL. */
START static const char *find_variable(char *const *envp, const char *name)
{
    for (; envp && *envp; envp++) {
        const char *entry = *envp;
        uint32_t i = 0;
        while (name[i] && entry[i] == name[i])
            i++;
        if (!name[i])
            return entry + i;
    }
    return NULL;
}

/** A decimal number; *text is moved behind it and one ':'. */
START static uint64_t take_number(const char **text)
{
    uint64_t value = 0;
    while (**text >= '0' && **text <= '9')
        value = value * 10 + (uint64_t)(*(*text)++ - '0');
    if (**text == ':')
        (*text)++;
    return value;
}

START static char *put_text(char *to, const char *text)
{
    while (*text)
        *to++ = *text++;
    *to = '\0';
    return to;
}

START static char *put_number(char *to, uint64_t value)
{
    char digits[20];
    int n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n)
        *to++ = digits[--n];
    *to = '\0';
    return to;
}

/** Keep our variable's value, apart from what is known of a filter. */
START static void keep_value(const char *value)
{
    const char *end = value;
    for (int i = 0; i < 4; i++)
        (void)take_number(&end);
    char *to = ft_preload_env;
    while (value < end)
        *to++ = *value++;
    if (*end && to > ft_preload_env)
        to--; /* the ':' in front of it */
    *to = '\0';
    ft_own_denied = (uint32_t)take_number(&end);
}

/** Map the tracer's log. The descriptor is closed at once: the program finds its own numbers
 * as if we were not there. */
START static struct ft_log_head *map_log(const char *value)
{
    uint64_t pid = take_number(&value);
    uint64_t fd_there = take_number(&value);
    (void)take_number(&value); /* the request pipe */
    uint64_t nonce = take_number(&value);

    char path[64];
    char *end = put_text(path, "/proc/");
    end = put_number(end, pid);
    end = put_text(end, "/fd/");
    (void)put_number(end, fd_there);
    long fd = SYS4(__NR_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    if (fd < 0)
        return NULL;
    long map = sys6(__NR_mmap, 0, (long)FT_LOG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    SYS1(__NR_close, fd);
    if (sys_failed(map))
        return NULL;
    struct ft_log_head *log = (struct ft_log_head *)map;
    if (log->magic != FT_LOG_MAGIC || log->version != FT_LOG_VERSION || log->nonce != nonce) {
        SYS2(__NR_munmap, map, FT_LOG_BYTES);
        return NULL;
    }
    return log;
}

/** The entry of LD_PRELOAD that is this library: the one whose file name is ours. */
START static void keep_own_path(const char *preload)
{
    static const char name[] = "libfiletrace-preload.so";
    const char *entry = preload;
    while (entry && *entry) {
        uint32_t length = 0;
        while (entry[length] && entry[length] != ':' && entry[length] != ' ')
            length++;
        uint32_t i = 0;
        while (i < sizeof(name) - 1 && length >= sizeof(name) - 1 &&
               entry[length - (sizeof(name) - 1) + i] == name[i])
            i++;
        if (i == sizeof(name) - 1 && length < sizeof(ft_preload_path)) {
            for (uint32_t k = 0; k < length; k++)
                ft_preload_path[k] = entry[k];
            ft_preload_path[length] = '\0';
            return;
        }
        entry += length;
        if (*entry)
            entry++;
    }
}

/** ld.so runs this before any other constructor (-z initfirst), the C library's included. */
START __attribute__((constructor)) static void attach(int argc, char **argv, char **envp)
{
    (void)argc;
    const char *value = find_variable(envp, FT_ENV "=");
    if (!value || ft_length(value, sizeof(ft_preload_env)) >= sizeof(ft_preload_env))
        return;
    struct ft_log_head *log = map_log(value);
    if (!log)
        return;
    keep_value(value);
    const char *preload = find_variable(envp, "LD_PRELOAD=");
    keep_own_path(preload);
    pid_at_start = (uint32_t)SYS0(__NR_getpid);
    __atomic_store_n(&ft_preload_log, log, __ATOMIC_RELEASE);
    ft_note_start(argv, envp, preload, find_variable(envp, "LD_LIBRARY_PATH="));
    pid_at_start = 0;
}
