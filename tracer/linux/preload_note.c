/* SPDX-License-Identifier: MIT */
/* Recording from inside a watched program. */
#include "tracer/linux/preload.h"

#include <linux/errno.h>
#include <linux/fcntl.h>

#include "tracer/image.h"
#include "tracer/linux/cpu.h"
#include "tracer/linux/preload_allowed.h"
#include "tracer/linux/preload_deep.h"
#include "tracer/linux/preload_delay.h"
#include "tracer/linux/sys.h"
#include "tracer/log_write.h"

#define SHORT_PATH_BYTES 256u

static uint32_t ask_cwd(char *out, uint32_t room_bytes);

#include "tracer/note_path.h" /* needs what is declared above */

static void ft_log_wait(void)
{
    const struct {
        long seconds, nanoseconds;
    } pause = {0, 200000};
    if (ft_own_allowed(FT_OWN_WAIT))
        SYS2(__NR_nanosleep, &pause, NULL);
    else
        for (long i = 0; i < pause.nanoseconds; i++)
            __asm__ volatile(""); /* less than a nanosecond each, or somewhat more */
}

START uint32_t ft_length(const char *text, uint32_t limit)
{
    uint32_t n = 0;
    /* To a word's boundary by bytes, then by aligned words, which never cross a page. */
    while ((uintptr_t)(text + n) % 8) {
        if (n >= limit || !text[n])
            return n < limit ? n : limit;
        n++;
    }
    for (; n < limit; n += 8) {
        uint64_t word = *(const uint64_t *)__builtin_assume_aligned(text + n, 8);
        uint64_t zero = (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
        if (zero) {
            n += (uint32_t)__builtin_ctzll(zero) / 8;
            break;
        }
    }
    return n < limit ? n : limit;
}

void ft_note_vfork_returned(void)
{
    if (!cwd_changed_by_vfork)
        return;
    cwd_changed_by_vfork = false;
    ft_note_cwd_changed();
}

/** Ask the kernel. @return the length, 0 for a folder without a name below our root, or a name
 * that is longer than the room */
START static uint32_t ask_cwd(char *out, uint32_t room_bytes)
{
    long n = ft_own_allowed(FT_OWN_FOLDER) ? SYS2(__NR_getcwd, out, room_bytes) : 0;
    /* "(unreachable)..." is what a folder outside of our root looks like. */
    return n > 1 && out[0] == '/' ? (uint32_t)n - 1 : 0;
}

uint32_t ft_note_cwd(char *out)
{
    return ask_cwd(out, FT_PATH_MAX);
}

/** Some threads have a folder of their own: nothing can be kept. */
static bool cwd_parted;

void ft_note_folders_part(int flags)
{
    if (flags & 0x200) /* CLONE_FS */
        __atomic_store_n(&cwd_parted, true, __ATOMIC_RELAXED);
}

START void ft_note_cwd_known(void)
{
    if (ft_preload_log && !ft_preload_in_vfork() && !cwd_parted)
        cwd_refresh();
}

bool ft_note_cwd_is_kept(void)
{
    return !__atomic_load_n(&cwd_parted, __ATOMIC_RELAXED) &&
           !(__atomic_load_n(&cwd_count, __ATOMIC_ACQUIRE) & 1u);
}

/**
 * The processor that runs us. The kernel keeps its number in that area, which costs a tenth of
 * asking the processor (16 ns here); its first member is a valid number at all times.
 */
static inline uint32_t current_cpu(void)
{
    long offset = ft_preload_rseq_offset;
    if (UNLIKELY(offset == 0))
        return ft_log_cpu();
    uint32_t cpu;
#if defined(__x86_64__)
    __asm__ volatile("movl %%fs:(%1), %0" : "=r"(cpu) : "r"(offset));
#else
    const char *thread;
    __asm__("mrs %0, tpidr_el0" : "=r"(thread));
    cpu = *(const volatile uint32_t *)(const volatile void *)(thread + offset);
#endif
    return cpu;
}

START static void append(unsigned kind, enum ft_op op, unsigned access, unsigned error, uint16_t id,
                         const char *base, uint32_t base_bytes, const char *path,
                         uint32_t path_bytes)
{
    const struct ft_record head = {
        .pid = ft_preload_pid(),
        .op = (uint16_t)op,
        .error = (uint16_t)error,
        .kind = (uint8_t)kind,
        .access = (uint8_t)access,
        .id = id,
    };
    ft_test_delay();
    ft_log_append(ft_preload_log, current_cpu(), &head, base, base_bytes, path, path_bytes);
}

void ft_note_reason(unsigned reason, const char *image)
{
    if (ft_preload_log)
        append(FT_KIND_NOTE, FT_OP_loader, 0, reason, 0, NULL, 0, image,
               image ? ft_length(image, FT_PATH_MAX) : 0);
}

/** What @fd is open on. @return the name's length; 0: no file, or a name that does not fit; or an
 * error: the kernel does not tell */
static long ask_fd(int fd, char *out, uint32_t room_bytes)
{
    char link[32] = "/proc/self/fd/";
    uint32_t n = sizeof("/proc/self/fd/") - 1;
    char digits[10];
    int count = 0;
    uint32_t value = (uint32_t)fd;

    if (fd < 0)
        return -EBADF;
    if (!ft_own_allowed(FT_OWN_DESCRIPTOR))
        return -EPERM;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count)
        link[n++] = digits[--count];
    link[n] = '\0';
    long length = SYS4(__NR_readlinkat, AT_FDCWD, link, out, room_bytes - 1);
    /* Cut where it does not fit; what is no file has no '/' in front ("pipe:[1]"). */
    if (length <= 0)
        return length;
    if ((uint32_t)length >= room_bytes - 1 || out[0] != '/')
        return 0;
    out[length] = '\0';
    return length;
}

static uint32_t fd_path(int fd, char *out, uint32_t room_bytes)
{
    long length = ask_fd(fd, out, room_bytes);
    return length > 0 ? (uint32_t)length : 0;
}

uint32_t ft_fd_path(int fd, char *out)
{
    return fd_path(fd, out, FT_PATH_MAX);
}

/** What a path below a folder of unknown length needs. */
struct below {
    unsigned kind, access;
    enum ft_op op;
    int error;
    uint16_t id;
    int folder; /* descriptor, or AT_FDCWD for a working folder that cannot be kept */
    const char *path;
    uint32_t path_bytes;
};

static uint32_t folder_path(int folder, char *out, uint32_t room_bytes)
{
    return folder == AT_FDCWD ? ask_cwd(out, room_bytes) : fd_path(folder, out, room_bytes);
}

static void append_below(const struct below *below, const char *base, uint32_t base_bytes)
{
    append(below->kind, below->op, below->access, (unsigned)below->error, below->id, base,
           base_bytes, below->path, below->path_bytes);
}

static void append_found(void *below, const char *base, uint32_t base_bytes)
{
    append_below(below, base, base_bytes);
}

static __attribute__((noinline)) void note_below_long(const struct below *below)
{
    char base[FT_PATH_MAX];
    uint32_t base_bytes = folder_path(below->folder, base, sizeof(base));
    if (base_bytes || !ft_deep_folder(below->folder, append_found, (void *)(uintptr_t)below))
        append_below(below, base, base_bytes);
}

/** Stacks may be small, and most folders have short names. */
static __attribute__((noinline)) void note_below(const struct below *below)
{
    char base[SHORT_PATH_BYTES];
    uint32_t base_bytes = folder_path(below->folder, base, sizeof(base));
    if (base_bytes)
        append_below(below, base, base_bytes);
    else
        note_below_long(below);
}

static __attribute__((noinline)) void note_below_cwd(unsigned kind, enum ft_op op, unsigned access,
                                                     int error, uint16_t id, const char *path,
                                                     uint32_t path_bytes)
{
    if (UNLIKELY(__atomic_load_n(&cwd_parted, __ATOMIC_RELAXED)))
        return note_below(&(struct below){kind, access, op, error, id, AT_FDCWD, path, path_bytes});
    uint32_t count = __atomic_load_n(&cwd_count, __ATOMIC_ACQUIRE);
    if (UNLIKELY(count & 1u)) {
        cwd_refresh();
        count = __atomic_load_n(&cwd_count, __ATOMIC_ACQUIRE);
    }
    uint32_t place = (count + 1) / 2 % 2;
    if (UNLIKELY(!cwd_place[place].length)) /* too long to keep, or without a name */
        return note_below(&(struct below){kind, access, op, error, id, AT_FDCWD, path, path_bytes});
    append(kind, op, access, (unsigned)error, id, cwd_place[place].path, cwd_place[place].length,
           path, path_bytes);
}

static inline void note(unsigned kind, enum ft_op op, unsigned access, int error, uint16_t id,
                        int dirfd, const char *path)
{
    if (UNLIKELY(!ft_preload_log) || UNLIKELY(!readable_after(path, error)))
        return;
    error &= ~FT_PATH_WAS_READ;
    if (UNLIKELY(ft_preload_libraries_changed))
        ft_note_new_libraries();
    uint32_t path_bytes = ft_length(path, FT_PATH_MAX);
    if (LIKELY(path[0] == '/'))
        append(kind, op, access, (unsigned)error, id, NULL, 0, path, path_bytes);
    else if (path_bytes == 0 || (error == EBADF && dirfd != AT_FDCWD))
        return; /* names nothing, or the descriptor itself (AT_EMPTY_PATH); or is below nothing */
    else if (dirfd == AT_FDCWD)
        note_below_cwd(kind, op, access, error, id, path, path_bytes);
    else
        note_below(&(struct below){kind, access, op, error, id, dirfd, path, path_bytes});
}

START void ft_note_at(enum ft_op op, unsigned access, int error, int dirfd, const char *path)
{
    note(FT_KIND_ACCESS, op, access, error, 0, dirfd, path);
}

void ft_note_below(enum ft_op op, unsigned access, int error, const char *base, uint32_t base_bytes,
                   const char *path)
{
    if (!ft_preload_log || !readable_after(path, error))
        return;
    uint32_t path_bytes = ft_length(path, FT_PATH_MAX);
    append(FT_KIND_ACCESS, op, access, (unsigned)(error & ~FT_PATH_WAS_READ), 0, base, base_bytes,
           path, path_bytes);
}

static __attribute__((noinline)) void note_fd_long(enum ft_op op, unsigned access, int error,
                                                   int fd)
{
    char path[FT_PATH_MAX];
    long path_bytes = ask_fd(fd, path, sizeof(path));
    if (path_bytes > 0)
        append(FT_KIND_ACCESS, op, access, (unsigned)error, 0, NULL, 0, path, (uint32_t)path_bytes);
    else if (path_bytes == -EPERM)
        ft_note_reason(FT_REASON_PATH_UNKNOWN, NULL); /* a filter is in the way */
}

void ft_note_fd(enum ft_op op, unsigned access, int error, int fd)
{
    char path[SHORT_PATH_BYTES];
    if (!ft_preload_log)
        return;
    uint32_t path_bytes = fd_path(fd, path, sizeof(path));
    if (path_bytes)
        append(FT_KIND_ACCESS, op, access, (unsigned)error, 0, NULL, 0, path, path_bytes);
    else
        note_fd_long(op, access, error, fd);
}

uint16_t ft_note_attempt(enum ft_op op, int dirfd, const char *path, bool watched)
{
    static uint16_t last;
    uint16_t id = (uint16_t)(__atomic_add_fetch(&last, 1, __ATOMIC_RELAXED));
    note(FT_KIND_ATTEMPT, op, FT_READ | (watched ? FT_EXPECT_START : 0), 0, id, dirfd, path);
    return id;
}

void ft_note_fork(uint32_t child)
{
    const struct ft_record head = {.pid = child, .kind = FT_KIND_FORK};
    if (ft_preload_log)
        ft_log_append(ft_preload_log, current_cpu(), &head, NULL, 0, NULL, 0);
}

START void ft_note_image(const char *path)
{
    note(FT_KIND_START, FT_OP_loader, FT_READ, 0, 0, AT_FDCWD, path[0] ? path : "/");
}

void ft_note_expect(uint32_t child, const char *path)
{
    const struct ft_record head = {
        .pid = child, .op = FT_OP_posix_spawn, .kind = FT_KIND_EXPECT, .access = FT_EXPECT_START};
    if (ft_preload_log)
        ft_log_append(ft_preload_log, current_cpu(), &head, NULL, 0, path,
                      ft_length(path, FT_PATH_MAX));
}

void ft_note_failure(uint16_t id, int error)
{
    if (ft_preload_log)
        append(FT_KIND_RESULT, FT_OP_NONE, 0, (unsigned)error, id, NULL, 0, NULL, 0);
}
