/* SPDX-License-Identifier: MIT */
/* Recording from inside a watched program. */
#include "tracer/macos/interpose.h"

#include <fcntl.h>
#include <mach/mach_init.h>
#include <mach/vm_map.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>
#include <unistd.h>

#include "tracer/image.h"
#include "tracer/log_write.h"
#include "tracer/macos/cpu.h"

static void ft_log_wait(void)
{
    const struct timespec pause = {.tv_nsec = 200000};
    int kept = errno;
    (void)nanosleep(&pause, NULL);
    errno = kept;
}

/** From macOS 12 on, the oldest that this is built for, vfork(2) is fork(2). */
static bool ft_preload_in_vfork(void)
{
    return false;
}

bool ft_memory_read(const void *from, void *to, uint32_t size_bytes)
{
    vm_size_t done = 0;
    return vm_read_overwrite(mach_task_self(), (vm_address_t)from, size_bytes, (vm_address_t)to,
                             &done) == KERN_SUCCESS &&
           done == size_bytes;
}

/** Ask the system. @return the length, 0 for a folder without a name */
static uint32_t ask_cwd(char *out, uint32_t room_bytes)
{
    int kept = errno;
    uint32_t length = getcwd(out, room_bytes) ? (uint32_t)strlen(out) : 0;
    errno = kept;
    return length;
}

#include "tracer/note_path.h" /* needs what is declared above */

uint32_t ft_note_cwd(char *out)
{
    return ask_cwd(out, FT_PATH_MAX);
}

static bool cwd_parted;

void ft_note_moved(int error)
{
    if (error)
        return;
    ft_note_cwd_changed();
    if (ft_preload_log && !cwd_parted)
        cwd_refresh();
}

void ft_note_parted(int error)
{
    if (!error)
        __atomic_store_n(&cwd_parted, true, __ATOMIC_RELAXED);
}

void ft_note_root_changed(int error, const char *path)
{
    if (!error)
        ft_note_reason(FT_REASON_CHROOT, path);
}

unsigned ft_flags_access(int flags)
{
    int mode = flags & O_ACCMODE;
    unsigned access = mode == O_RDONLY ? FT_READ : mode == O_WRONLY ? FT_WRITE : FT_READ | FT_WRITE;
    return flags & (O_CREAT | O_TRUNC) ? access | FT_WRITE : access;
}

unsigned ft_mode_access(const char *mode)
{
    unsigned access = mode[0] == 'r' ? FT_READ : FT_WRITE;
    for (uint32_t i = 1; mode[0] && mode[i] && i < 8; i++)
        if (mode[i] == '+')
            access = FT_READ | FT_WRITE;
    return access;
}

static void append(unsigned kind, enum ft_op op, unsigned access, unsigned error, uint16_t id,
                   const char *base, uint32_t base_bytes, const char *path, uint32_t path_bytes)
{
    const struct ft_record head = {
        .pid = (uint32_t)getpid(), /* libSystem knows it */
        .op = (uint16_t)op,
        .error = (uint16_t)error,
        .kind = (uint8_t)kind,
        .access = (uint8_t)access,
        .id = id,
    };
    ft_log_append(ft_preload_log, ft_log_cpu(), &head, base, base_bytes, path, path_bytes);
}

static uint32_t path_length(const char *path)
{
    return (uint32_t)strnlen(path, FT_PATH_MAX);
}

/** Name of what @fd is open on. @return its length, 0 when the system does not tell */
static uint32_t fd_path(int fd, char out[MAXPATHLEN])
{
    int kept = errno;
    uint32_t length = fcntl(fd, F_GETPATH, out) < 0 ? 0 : (uint32_t)strnlen(out, MAXPATHLEN);
    errno = kept;
    return length;
}

/** What is known of an access but for its folder. */
struct below {
    unsigned kind, access;
    enum ft_op op;
    unsigned error;
    uint16_t id;
    const char *path;
    uint32_t path_bytes;
};

static __attribute__((noinline)) void note_below_fd(const struct below *below, int dirfd)
{
    char base[MAXPATHLEN];
    append(below->kind, below->op, below->access, below->error, below->id, base,
           fd_path(dirfd, base), below->path, below->path_bytes);
}

static __attribute__((noinline)) void note_below_asked_cwd(const struct below *below)
{
    char base[MAXPATHLEN];
    append(below->kind, below->op, below->access, below->error, below->id, base,
           ask_cwd(base, sizeof(base)), below->path, below->path_bytes);
}

static __attribute__((noinline)) void note_below_cwd(const struct below *below)
{
    uint32_t count = __atomic_load_n(&cwd_count, __ATOMIC_ACQUIRE);
    if (UNLIKELY(__atomic_load_n(&cwd_parted, __ATOMIC_RELAXED))) {
        note_below_asked_cwd(below);
        return;
    }
    if (UNLIKELY(count & 1u)) {
        cwd_refresh();
        count = __atomic_load_n(&cwd_count, __ATOMIC_ACQUIRE);
    }
    uint32_t place = (count + 1) / 2 % 2;
    if (UNLIKELY(!cwd_place[place].length))
        note_below_asked_cwd(below);
    else
        append(below->kind, below->op, below->access, below->error, below->id,
               cwd_place[place].path, cwd_place[place].length, below->path, below->path_bytes);
}

static void note(unsigned kind, enum ft_op op, unsigned access, int error, uint16_t id, int dirfd,
                 const char *path)
{
    if (UNLIKELY(!ft_preload_log) || UNLIKELY(!readable_after(path, error)))
        return;
    error &= ~FT_PATH_WAS_READ;
    const struct below below = {kind, access, op, (unsigned)error, id, path, path_length(path)};
    if (LIKELY(path[0] == '/'))
        append(kind, op, access, (unsigned)error, id, NULL, 0, path, below.path_bytes);
    else if (!below.path_bytes || (error == EBADF && dirfd != AT_FDCWD))
        return; /* names nothing, or is below nothing */
    else if (dirfd == AT_FDCWD)
        note_below_cwd(&below);
    else
        note_below_fd(&below, dirfd);
}

void ft_note_at(enum ft_op op, unsigned access, int error, int dirfd, const char *path)
{
    note(FT_KIND_ACCESS, op, access, error, 0, dirfd, path);
}

void ft_note_below(enum ft_op op, unsigned access, int error, const char *base, uint32_t base_bytes,
                   const char *path)
{
    if (ft_preload_log && readable_after(path, error))
        append(FT_KIND_ACCESS, op, access, (unsigned)(error & ~FT_PATH_WAS_READ), 0, base,
               base_bytes, path, path_length(path));
}

void ft_note_fd(enum ft_op op, unsigned access, int error, int fd)
{
    char path[MAXPATHLEN];
    if (!ft_preload_log)
        return;
    uint32_t path_bytes = fd_path(fd, path);
    if (path_bytes)
        append(FT_KIND_ACCESS, op, access, (unsigned)error, 0, NULL, 0, path, path_bytes);
}

void ft_note_reason(unsigned reason, const char *image)
{
    if (ft_preload_log)
        append(FT_KIND_NOTE, FT_OP_loader, 0, reason, 0, NULL, 0, image, path_length(image));
}

uint16_t ft_note_attempt(enum ft_op op, const char *path, bool watched)
{
    static uint16_t last;
    uint16_t id = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    note(FT_KIND_ATTEMPT, op, FT_READ | (watched ? FT_EXPECT_START : 0), 0, id, AT_FDCWD, path);
    return id;
}

void ft_note_failure(uint16_t id, int error)
{
    if (ft_preload_log)
        append(FT_KIND_RESULT, FT_OP_NONE, 0, (unsigned)error, id, NULL, 0, NULL, 0);
}

void ft_note_image(const char *path)
{
    note(FT_KIND_START, FT_OP_loader, FT_READ, 0, 0, AT_FDCWD, path[0] ? path : "/");
}

/** Append a record of another process. */
static void append_of(uint32_t pid, const struct ft_record *kind, const char *path)
{
    struct ft_record head = *kind;
    head.pid = pid;
    if (ft_preload_log)
        ft_log_append(ft_preload_log, ft_log_cpu(), &head, NULL, 0, path, path_length(path));
}

void ft_note_expect(uint32_t child, const char *path)
{
    append_of(child,
              &(const struct ft_record){
                  .op = FT_OP_posix_spawn, .kind = FT_KIND_EXPECT, .access = FT_EXPECT_START},
              path);
}

void ft_note_fork(uint32_t child)
{
    append_of(child, &(const struct ft_record){.kind = FT_KIND_FORK}, "");
}
