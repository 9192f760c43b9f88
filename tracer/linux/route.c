/* SPDX-License-Identifier: MIT */
/* Which way into a file, through the interpreters of scripts. */
#include "tracer/linux/route.h"

#include <asm/stat.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <stdbool.h>

#include "tracer/image_scan.h"
#include "tracer/linux/sys.h"

/* As <sys/stat.h> has them, which is not for us. */
#define MODE_SETUID 04000u
#define MODE_SETGID 02000u
#define MODE_GROUP_EXEC 00010u
#define MODE_TYPE 0170000u
#define MODE_REGULAR 0100000u

#define PIECE_BYTES 2048u /* stacks may be small */
#define LARGE_PIECE_BYTES (64u << 10)
#define SMALL_CODE_BYTES (64u << 10) /* up to here a mapping costs more than it saves */
#define STATIC_SCAN_MAX (4u << 20)   /* beyond, the time it takes is worth more */
#define INTERPRETERS_MAX 5           /* as the kernel's bprm recursion limit */

static long read_file(void *context, void *to, size_t size_bytes, uint64_t offset)
{
    return SYS4(__NR_pread64, *(const int *)context, to, size_bytes, offset);
}

/* Besides FT_CODE_*, what is remembered of a file. */
#define SCAN_PLAIN 0x20u        /* dynamic, for our library and by the usual loader */
#define SCAN_CAPABILITIES 0x40u /* has file capabilities */
_Static_assert(!((FT_CODE_CALLS | FT_CODE_SECCOMP) & (SCAN_PLAIN | SCAN_CAPABILITIES | FT_SCANNED)),
               "the findings fit beside each other");

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/** Look through code piece by piece, each with the end of the one before. Read and not mapped: of a
 * file that is cut meanwhile a mapping would end the program. */
static unsigned scan_pieces(int fd, const struct ft_image *image, unsigned char *piece,
                            uint32_t piece_bytes)
{
    unsigned found = 0;

    for (uint64_t done = 0; done < image->code_bytes; done += piece_bytes - FT_SCAN_CONTEXT) {
        uint64_t left = image->code_bytes - done;
        long n = SYS4(__NR_pread64, fd, piece, left < piece_bytes ? left : piece_bytes,
                      image->code_offset + done);
        if (n <= 0)
            break;
        found |= ft_image_scan(piece, (size_t)n);
    }
    return found;
}

static unsigned scan(int fd, const struct ft_image *image)
{
    unsigned char piece[PIECE_BYTES];
    long map = -ENOMEM;

    if (image->code_bytes > SMALL_CODE_BYTES)
        map = sys6(__NR_mmap, 0, LARGE_PIECE_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (sys_failed(map))
        return scan_pieces(fd, image, piece, PIECE_BYTES);
    unsigned found = scan_pieces(fd, image, (unsigned char *)map, LARGE_PIECE_BYTES);
    SYS2(__NR_munmap, map, LARGE_PIECE_BYTES);
    return found;
}

/** Which file, in which state: its change time covers mode, owner and capabilities. */
static uint64_t file_key(const struct stat *st)
{
    uint64_t key = mix(mix(mix(1, st->st_dev), st->st_ino), (uint64_t)st->st_size);
    key = mix(mix(key, (uint64_t)st->st_mtime), (uint64_t)st->st_mtime_nsec);
    return mix(mix(key, (uint64_t)st->st_ctime), (uint64_t)st->st_ctime_nsec);
}

static uint64_t *scan_slot(struct ft_log_head *log, uint64_t key)
{
    return log ? &log->scans[key >> 32 & (FT_SCAN_SLOTS - 1)] : NULL;
}

/** @return what is remembered, with FT_SCANNED; 0 for nothing */
static unsigned remembered(struct ft_log_head *log, uint64_t key)
{
    const uint64_t *slot = scan_slot(log, key);
    uint64_t known = slot ? __atomic_load_n(slot, __ATOMIC_RELAXED) : 0;
    return (known ^ key) < 0x100 && (known & FT_SCANNED) ? (unsigned)known & 0xff : 0;
}

static void remember(struct ft_log_head *log, uint64_t key, unsigned found)
{
    uint64_t *slot = scan_slot(log, key);
    if (slot)
        __atomic_store_n(slot, (key & ~(uint64_t)0xff) | FT_SCANNED | found, __ATOMIC_RELAXED);
}

/** Look through a file's code and at its rights. */
static unsigned look(int fd, const struct stat *st, const struct ft_image *image)
{
    char capabilities[64];
    unsigned found = 0;

    if (SYS4(__NR_fgetxattr, fd, "security.capability", capabilities, sizeof(capabilities)) > 0)
        found |= SCAN_CAPABILITIES;
    if (image->way == FT_WAY_PRELOAD && ft_image_is_usual_loader(image->interpreter))
        found |= SCAN_PLAIN;
    bool sound = image->code_bytes && image->code_offset < (uint64_t)st->st_size &&
                 image->code_bytes <= (uint64_t)st->st_size - image->code_offset;
    if (sound && (image->way == FT_WAY_PRELOAD || image->code_bytes <= STATIC_SCAN_MAX))
        found |= scan(fd, image);
    return found;
}

/** Does an exec of it change who the process is? */
static bool gains_privileges(const struct stat *st, unsigned found)
{
    if ((st->st_mode & MODE_SETUID) && st->st_uid != (uint32_t)SYS0(__NR_geteuid))
        return true;
    /* Without the group's execute bit it once meant mandatory locking. */
    if ((st->st_mode & MODE_SETGID) && (st->st_mode & MODE_GROUP_EXEC) &&
        st->st_gid != (uint32_t)SYS0(__NR_getegid))
        return true;
    return (found & SCAN_CAPABILITIES) && SYS0(__NR_geteuid) != 0;
}

/** The way into an ELF file, by what its headers, its mode and its code say. */
static enum ft_way elf_way(const struct stat *st, enum ft_way by_headers, unsigned found)
{
    if (gains_privileges(st, found))
        return FT_WAY_UNTOUCHED;
    if (by_headers == FT_WAY_PRELOAD)
        return found & FT_CODE_CALLS ? FT_WAY_KERNEL : FT_WAY_PRELOAD;
    return found & FT_CODE_SECCOMP ? FT_WAY_TRACE : FT_WAY_KERNEL;
}

/** The way into a file that cannot be opened. */
static enum ft_way way_without(long error)
{
    /* For want of descriptors or memory it is not known what it is. Anything else: unreadable,
     * or the exec will fail. */
    return error == -EMFILE || error == -ENFILE || error == -ENOMEM ? FT_WAY_KERNEL
                                                                    : FT_WAY_PRELOAD;
}

/** Where most execs end: a plain dynamic program that has been looked at before. */
static bool route_remembered(const char *path, struct ft_log_head *log, ft_route_loaded *loaded,
                             void *context, enum ft_way *way)
{
    struct stat st;
    long ret = SYS4(__NR_newfstatat, AT_FDCWD, path, &st, 0);
    if (ret < 0 && way_without(ret) == FT_WAY_PRELOAD && ret != -EACCES) {
        *way = FT_WAY_PRELOAD;
        return true;
    }
    unsigned found = ret < 0 ? 0 : remembered(log, file_key(&st));
    if (!(found & SCAN_PLAIN))
        return false;
    if (loaded)
        loaded(context, FT_IMAGE_USUAL_LOADER, 0);
    *way = elf_way(&st, FT_WAY_PRELOAD, found);
    return true;
}

/** The way into an open ELF file. */
static enum ft_way route_elf(int fd, const struct ft_image *image, struct ft_log_head *log)
{
    struct stat st;
    if (SYS2(__NR_fstat, fd, &st))
        return image->way;
    uint64_t key = file_key(&st);
    unsigned found = remembered(log, key);
    if (!found) {
        found = look(fd, &st, image);
        remember(log, key, found);
    }
    return elf_way(&st, image->way, found);
}

/** How to look at a file and what it leads to. */
struct walk {
    ft_route_open *open;
    ft_route_loaded *loaded; /* or NULL */
    void *context;           /* of both */
    struct ft_log_head *log;
    bool is_told; /* nobody asks for the way, which takes a look through the code */
};

/** Read only what an exec would: a FIFO that nobody writes to would hold us up. */
static int open_here(void *context, const char *path, int flags)
{
    struct stat st;
    (void)context;
    long ret = flags & O_PATH ? 0 : SYS4(__NR_newfstatat, AT_FDCWD, path, &st, 0);
    if (ret < 0)
        return (int)ret;
    if (!(flags & O_PATH) && (st.st_mode & MODE_TYPE) != MODE_REGULAR)
        return -EACCES;
    flags |= O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    return (int)SYS4(__NR_openat, AT_FDCWD, path, flags, 0);
}

/** The program's loader is not looked at; that it is there decides whether the exec works. */
static void tell_loader(const struct walk *walk, const char *loader)
{
    int fd = walk->open(walk->context, loader, O_PATH);
    walk->loaded(walk->context, loader, fd < 0 ? -fd : 0);
    if (fd >= 0)
        SYS1(__NR_close, fd);
}

/** From an open file, through the interpreters. @fd is closed; or a negative errno value */
static enum ft_way walk_from(const struct walk *walk, int fd)
{
    struct ft_image image = {.way = FT_WAY_KERNEL};
    char interpreter[FT_INTERPRETER_MAX];

    for (int depth = 0;; depth++) {
        if (fd < 0)
            return way_without(fd);
        ft_image_inspect(read_file, &fd, &image);
        bool is_elf = image.kind == FT_IMAGE_ELF;
        enum ft_way way = is_elf && !walk->is_told ? route_elf(fd, &image, walk->log) : image.way;
        SYS1(__NR_close, fd);
        if (image.kind != FT_IMAGE_SCRIPT) {
            if (walk->loaded && image.interpreter[0])
                tell_loader(walk, image.interpreter);
            return way;
        }
        if (depth == INTERPRETERS_MAX)
            return FT_WAY_KERNEL;
        for (int i = 0; i < FT_INTERPRETER_MAX; i++)
            interpreter[i] = image.interpreter[i];
        fd = walk->open(walk->context, interpreter, O_RDONLY);
        if (walk->loaded)
            walk->loaded(walk->context, interpreter, fd < 0 ? -fd : 0);
    }
}

enum ft_way ft_route_file(const char *path, struct ft_log_head *log, ft_route_loaded *loaded,
                          void *context)
{
    const struct walk walk = {.open = open_here, .loaded = loaded, .context = context, .log = log};
    enum ft_way way;

    if (route_remembered(path, log, loaded, context, &way))
        return way;
    return walk_from(&walk, open_here(NULL, path, O_RDONLY));
}

void ft_route_tell(int fd, ft_route_open *open, ft_route_loaded *loaded, void *context)
{
    const struct walk walk = {.open = open, .loaded = loaded, .context = context, .is_told = true};
    (void)walk_from(&walk, fd);
}
