/* SPDX-License-Identifier: MIT */
/*
 * Recording from inside a static program. This becomes one piece of code at FT_PAYLOAD_BASE
 * (payload.ld) that the tracer maps into the program: no C library, no vector registers, no
 * data of its own but what payload.h says, frames small enough for the stacks of goroutines.
 */
#include "tracer/linux/payload.h"

#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/uio.h>
#include <stdbool.h>
#include <stddef.h>

#include "tracer/image.h"
#include "tracer/linux/cpu.h"
#include "tracer/linux/payload_calls.h"
#include "tracer/linux/rules.h"
#include "tracer/linux/sys.h"
#define FT_LOG_IS_PARTLY_MAPPED
#include "tracer/log_write.h"
#include "tracer/ops.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NOINLINE __attribute__((noinline))

#define HEAD ((const volatile struct ft_payload_head *)FT_PAYLOAD_BASE)
#define DATA ((struct ft_payload_data *)FT_PAYLOAD_DATA)
#define WIPED ((struct ft_payload_wiped *)FT_PAYLOAD_WIPED)
#define LOG ((struct ft_log_head *)FT_PAYLOAD_LOG)

#define NUMBERS 512 /* the last place is nobody's */

/** By number; a rule of 0 is none, which is what the code below tests. */
struct call {
    uint8_t op, rule; /* enum ft_op; enum ft_rule, and 1 */
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
#ifdef __clang__
#pragma clang diagnostic ignored "-Winitializer-overrides"
#endif
__attribute__((used)) const struct call ft_payload_calls[NUMBERS] = {
#define FT_KERNEL(op, rule, x86_64, i386, aarch64)                                                 \
    [(x86_64) < 0 ? NUMBERS - 1 : (x86_64)] = {FT_OP_##op, FT_RULE_##rule + 1},
#include "tracer/calls.def"
#define LEFT(name) [__NR_##name] = {0},
    FT_PAYLOAD_LEAVES(LEFT)[NUMBERS - 1] = {0},
};
#pragma GCC diagnostic pop

/*
 * What stubs call, by the pointer in front: registers as at the site, the stack below its red
 * zone. The kernel's call may change rcx and r11, so these are free. With the carry set the site
 * makes the call itself: when it is none of ours, when the tracer says so, and when the log is full
 * and nobody empties it, for then the tracer, or who stands in for it, is asked. unlinkat is one to
 * be left when it removes a folder, which may be the working folder.
 */
__asm__(".section .text.first, \"ax\"\n"
        "ft_payload_head:\n"
        "    .quad ft_payload_hook, 0, 0, 0\n" /* struct ft_payload_head */
        "ft_payload_hook:\n"
        "    cmp $511, %eax\n"
        "    jae 1f\n"
        "    mov %eax, %r11d\n"
        "    cmpb $0, ft_payload_calls + 1(, %r11, 2)\n"
        "    je 1f\n"
        "    cmpl $0, ft_payload_head + 16\n" /* HEAD->declines */
        "    jne 1f\n"
        "    cmpq $0, 0x60018\n" /* LOG->lost */
        "    jne 1f\n"
        "    cmp $263, %eax\n" /* unlinkat */
        "    je 2f\n"
        "3:  push %rax\n"
        "    syscall\n"
        "    push %rax\n"
        "    push %rdi\n"
        "    push %rsi\n"
        "    push %rdx\n"
        "    push %r10\n"
        "    push %r8\n"
        "    push %r9\n"
        "    mov %rsp, %rdi\n"
        "    call ft_payload_note\n"
        "    pop %r9\n"
        "    pop %r8\n"
        "    pop %r10\n"
        "    pop %rdx\n"
        "    pop %rsi\n"
        "    pop %rdi\n"
        "    pop %rax\n"
        "    lea 8(%rsp), %rsp\n"
        "    clc\n"
        "    ret\n"
        "2:  test $0x200, %edx\n" /* AT_REMOVEDIR */
        "    jz 3b\n"
        "1:  stc\n"
        "    ret\n"
        ".text\n");

_Static_assert(offsetof(struct ft_payload_head, declines) == 16 &&
                   sizeof(struct ft_payload_head) == 32,
               "as written above");
_Static_assert(FT_PAYLOAD_LOG + offsetof(struct ft_log_head, lost) == 0x60018, "as written above");
_Static_assert(sizeof(struct call) == 2 && offsetof(struct call, rule) == 1 && FT_OP_COUNT <= 256,
               "as written above");

/** What the code above has pushed. */
struct frame {
    uint64_t arguments[6]; /* the last one first */
    int64_t result;
    uint64_t number;
};

static void ft_log_wait(void)
{
    const struct {
        long seconds, nanoseconds;
    } pause = {0, 200000};
    SYS2(__NR_nanosleep, &pause, NULL);
}

/**
 * A chunk behind those that are mapped from the start: map the whole log, once more. Nobody has its
 * descriptor, but a shared mapping can be repeated (mremap(2) from a size of 0) and go on behind
 * its end. @return NULL: there is no room for that
 */
static NOINLINE char *map_whole_log(void)
{
    char *log = __atomic_load_n(&DATA->log, __ATOMIC_ACQUIRE);
    if (!log) {
        long map = SYS4(__NR_mremap, LOG, 0, FT_LOG_BYTES, MREMAP_MAYMOVE);
        if (sys_failed(map)) {
            ATOMIC_ADD_RELAXED(&LOG->lost, 1);
            return NULL;
        }
        if (__atomic_compare_exchange_n(&DATA->log, &log, (char *)map, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            log = (char *)map;
        else /* another thread was quicker */
            SYS2(__NR_munmap, map, FT_LOG_BYTES);
    }
    return log;
}

static inline char *ft_log_place(struct ft_log_head *log, uint32_t chunk, uint32_t offset)
{
    if (UNLIKELY(chunk >= FT_PAYLOAD_LOG_CHUNKS)) {
        log = (struct ft_log_head *)(void *)map_whole_log();
        if (!log)
            return NULL;
    }
    return ft_log_chunk(log, chunk) + offset;
}

static inline uint64_t argument(const struct frame *frame, unsigned place)
{
    return frame->arguments[5 - place];
}

static NOINLINE uint32_t ask_pid(void)
{
    uint32_t pid = (uint32_t)SYS0(__NR_getpid);
    if (!HEAD->pid_is_unsure)
        __atomic_store_n(&WIPED->pid, pid, __ATOMIC_RELAXED);
    return pid;
}

static inline uint32_t own_pid(void)
{
    uint32_t pid = __atomic_load_n(&WIPED->pid, __ATOMIC_RELAXED);
    return LIKELY(pid && !HEAD->pid_is_unsure) ? pid : ask_pid();
}

/** Bytes before the NUL, at most @limit; by aligned words, which never cross a page. */
static inline uint32_t length_of(const char *text, uint32_t limit)
{
    uint32_t skip = (uint32_t)((uintptr_t)text % 8);
    const uint64_t *at = (const uint64_t *)(const void *)(text - skip);
    uint64_t word = *at | (skip ? ~UINT64_C(0) >> (64 - 8 * skip) : 0);
    uint32_t n = 0;
    for (;;) {
        uint64_t zero = (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
        if (zero) {
            n += (uint32_t)__builtin_ctzll(zero) / 8 - skip;
            return n < limit ? n : limit;
        }
        n += 8;
        if (n >= limit + skip)
            return limit;
        word = *++at;
    }
}

/** The path and the access that are to be recorded. */
struct access {
    uint16_t op, error;
    uint32_t access;
    const char *path;
    uint32_t path_bytes;
    int folder;
};

static NOINLINE void append(const struct access *access, unsigned kind, const char *base,
                            uint32_t base_bytes)
{
    const struct ft_record head = {
        .pid = own_pid(),
        .op = access->op,
        .error = kind == FT_KIND_NOTE ? FT_REASON_PATH_UNKNOWN : access->error,
        .kind = (uint8_t)kind,
        .access = (uint8_t)access->access,
    };
    ft_log_append(LOG, ft_log_cpu(), &head, base, base_bytes, access->path, access->path_bytes);
}

/** The folder that a path starts from has no name: the trace lacks it, and says so. */
static void note_unknown(const struct access *access)
{
    append(access, FT_KIND_NOTE, NULL, 0);
}

/** Where a link of /proc leads. @return its length, or 0 where that is no file */
static NOINLINE uint32_t read_name(const char *link, char *out, uint32_t room_bytes)
{
    long length = SYS4(__NR_readlinkat, AT_FDCWD, link, out, room_bytes);
    return length > 0 && (uint32_t)length < room_bytes && out[0] == '/' ? (uint32_t)length : 0;
}

/** Name of what a descriptor is open on. @return its length, or 0 */
static uint32_t ask_name(int fd, char *out, uint32_t room_bytes)
{
    char link[32] = "/proc/self/fd/";
    char digits[10];
    uint32_t n = sizeof("/proc/self/fd/") - 1, count = 0, value = (uint32_t)fd;

    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count)
        link[n++] = digits[--count];
    link[n] = '\0';
    return read_name(link, out, room_bytes);
}

/** Name of the folder that a path starts from. @return its length, 0 when it has none */
static uint32_t ask_folder(int folder, char *out, uint32_t room_bytes)
{
    if (folder != AT_FDCWD)
        return folder < 0 ? 0 : ask_name(folder, out, room_bytes);
    long n = SYS2(__NR_getcwd, out, room_bytes);
    /* "(unreachable)..." is what a folder outside of our root looks like. */
    if (LIKELY(n > 1 && out[0] == '/'))
        return (uint32_t)n - 1;
    /* A folder that was removed still has the name that it had. */
    return read_name("/proc/self/cwd", out, room_bytes);
}

/** Take a place for a folder's name; the stack may be too small for it. @return -1: all in use */
static int take_place(void)
{
    for (uint32_t i = 0; i < FT_PAYLOAD_FOLDERS; i++) {
        uint32_t expected = 0;
        if (__atomic_compare_exchange_n(&WIPED->folder_in_use[i], &expected, 1, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return (int)i;
    }
    return -1;
}

/** Without a place: the name is written into the log at once, in a record of the largest size. */
static NOINLINE void append_in_log(const struct access *access)
{
    uint32_t size_bytes =
        (uint32_t)(FT_RECORD_HEAD_BYTES + FT_PATH_MAX + access->path_bytes + 7u) & ~7u;
    struct ft_record *record =
        (struct ft_record *)(void *)ft_log_reserve(LOG, ft_log_cpu(), size_bytes);
    if (!record)
        return;
    __atomic_store_n(&record->state, FT_STATE_BEGUN | size_bytes, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_RELEASE);
    uint32_t base_bytes = ask_folder(access->folder, record->bytes, FT_PATH_MAX);
    record->pid = own_pid();
    record->op = access->op;
    record->error = access->error;
    record->base_bytes = (uint16_t)base_bytes;
    record->path_bytes = (uint16_t)access->path_bytes;
    record->kind = FT_KIND_ACCESS;
    record->access = (uint8_t)access->access;
    record->id = 0;
    ft_log_copy(record->bytes + base_bytes, access->path, access->path_bytes);
    __atomic_store_n(&record->state, FT_STATE_COMMITTED | size_bytes, __ATOMIC_RELEASE);
    if (!base_bytes)
        note_unknown(access);
}

/** A path below a folder. A descriptor that is none opens nothing. */
static NOINLINE void append_below(const struct access *access)
{
    if (access->folder != AT_FDCWD && access->error == EBADF)
        return;
    int place = take_place();
    if (place < 0)
        return append_in_log(access);
    char *name = WIPED->folders[place];
    uint32_t base_bytes = ask_folder(access->folder, name, FT_PAYLOAD_PAGE_BYTES);
    append(access, FT_KIND_ACCESS, name, base_bytes);
    __atomic_store_n(&WIPED->folder_in_use[place], 0, __ATOMIC_RELEASE);
    if (!base_bytes)
        note_unknown(access);
}

/** A folder that is listed, known by its descriptor only. */
static NOINLINE void append_listed(struct access *access)
{
    int place = take_place();
    if (place < 0) {
        access->path_bytes = 0;
        return append_in_log(access);
    }
    access->path = WIPED->folders[place];
    access->path_bytes =
        access->folder < 0 ? 0
                           : ask_name(access->folder, WIPED->folders[place], FT_PAYLOAD_PAGE_BYTES);
    if (access->path_bytes)
        append(access, FT_KIND_ACCESS, NULL, 0);
    __atomic_store_n(&WIPED->folder_in_use[place], 0, __ATOMIC_RELEASE);
}

/** Copy memory that may not be there, in the kernel's hands. */
static bool copy_unsure(const void *from, void *to, uint32_t size_bytes)
{
    struct iovec here = {to, size_bytes}, there = {(void *)(uintptr_t)from, size_bytes};
    return sys6(__NR_process_vm_readv, SYS0(__NR_getpid), (long)&here, 1, (long)&there, 1, 0) ==
           (long)size_bytes;
}

/** Does the path end before memory does? The kernel has perhaps not looked. */
static NOINLINE bool is_readable(const char *path)
{
    char part[64];
    for (uint32_t done = 0; done < FT_PATH_MAX;) {
        uint32_t size = (uint32_t)(sizeof(part) - (uintptr_t)(path + done) % sizeof(part));
        if (!copy_unsure(path + done, part, size))
            return false;
        for (uint32_t i = 0; i < size; i++)
            if (!part[i])
                return true;
        done += size;
    }
    return true;
}

/** Errors that the kernel finds only after it has read a call's one path. */
static inline bool has_read_path(unsigned error)
{
    return error == 0 || error == ENOENT || error == EACCES || error == ENOTDIR ||
           error == EEXIST || error == ELOOP || error == EISDIR || error == ENODATA ||
           error == EMFILE;
}

static uint32_t access_of(const struct ft_rule_path *rule, const struct frame *frame)
{
    uint64_t flags = 0;
    switch (rule->access) {
    case FT_RULE_IS_READ:
        return FT_READ;
    case FT_RULE_IS_WRITE:
        return FT_WRITE;
    case FT_RULE_IS_LIST:
        return FT_LIST;
    case FT_RULE_BY_FLAGS:
        flags = argument(frame, rule->path + 1u);
        break;
    default:
        if (!copy_unsure((const void *)argument(frame, rule->path + 1u), &flags, sizeof(flags)))
            flags = 0;
    }
    return ft_flags_access(flags);
}

static inline __attribute__((always_inline)) void note_path(const struct frame *frame, uint16_t op,
                                                            const struct ft_rule_path *rule,
                                                            unsigned error, bool sure)
{
    struct access access = {
        .op = op,
        .error = (uint16_t)error,
        .access = access_of(rule, frame),
        .folder = rule->folder == FT_RULE_CWD ? AT_FDCWD : (int)argument(frame, rule->folder),
        .path = (const char *)argument(frame, rule->path),
    };
    if (rule->access == FT_RULE_IS_LIST)
        return append_listed(&access);
    if (!access.path || (UNLIKELY(!sure) && !is_readable(access.path)))
        return;
    access.path_bytes = length_of(access.path, FT_PATH_MAX);
    if (LIKELY(access.path[0] == '/'))
        append(&access, FT_KIND_ACCESS, NULL, 0);
    else if (access.path_bytes) /* "" names nothing, or the descriptor itself */
        append_below(&access);
}

__attribute__((used)) void ft_payload_note(const struct frame *frame);

/** A call has come back: record what it tried. */
void ft_payload_note(const struct frame *frame)
{
    const struct call *call = &ft_payload_calls[(uint32_t)frame->number % NUMBERS];
    const struct ft_rule_path *path = ft_rule_paths[call->rule - 1u];
    const struct ft_rule_path *end = path + 1 + (path[1].access != FT_RULE_NO_PATH);
    unsigned error = frame->result < 0 && frame->result >= -4095 ? (unsigned)-frame->result : 0;

    if (error == EFAULT || error == ENOSYS)
        return;
    bool sure = end - path == 1 ? has_read_path(error) : error == 0;
    for (; path < end; path++)
        note_path(frame, call->op, path, error, sure);
    if (UNLIKELY(WIPED->calls < FT_WORTH_CALLS) && ++WIPED->calls == FT_WORTH_CALLS)
        __atomic_store_n(&LOG->busy[HEAD->image % FT_IMAGES_MAX], 1, __ATOMIC_RELAXED);
}
