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

#define PAGE_BYTES 4096u
#define PIECE_BYTES 2048u /* stacks may be small */
#define READ_SCAN_MAX (256u << 10)
#define STATIC_SCAN_MAX (4u << 20) /* beyond, the time it takes is worth more */
#define INTERPRETERS_MAX 5         /* as the kernel's bprm recursion limit */

static long read_file(void *context, void *to, size_t size_bytes, uint64_t offset)
{
    return SYS4(__NR_pread64, *(const int *)context, to, size_bytes, offset);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/** Piece by piece, each with the end of the one before: for small files cheaper than a mapping. */
static unsigned scan_read(int fd, const struct ft_image *image)
{
    unsigned char piece[PIECE_BYTES];
    unsigned found = 0;

    for (uint64_t done = 0; done < image->code_bytes; done += PIECE_BYTES - FT_SCAN_CONTEXT) {
        uint64_t left = image->code_bytes - done;
        long n = SYS4(__NR_pread64, fd, piece, left < PIECE_BYTES ? left : PIECE_BYTES,
                      image->code_offset + done);
        if (n <= 0)
            break;
        found |= ft_image_scan(piece, (size_t)n);
    }
    return found;
}

static unsigned scan_mapped(int fd, const struct ft_image *image)
{
    /* Down to a page's boundary, as mappings want it. */
    uint64_t skip = image->code_offset % PAGE_BYTES;
    long bytes = (long)(image->code_bytes + skip);
    long map =
        sys6(__NR_mmap, 0, bytes, PROT_READ, MAP_PRIVATE, fd, (long)(image->code_offset - skip));
    if (sys_failed(map))
        return 0;
    unsigned found = ft_image_scan((const unsigned char *)map + skip, image->code_bytes);
    SYS2(__NR_munmap, map, bytes);
    return found;
}

/** Look through a file's code, or remember what was found before. */
static unsigned scan_code(int fd, const struct stat *st, const struct ft_image *image,
                          struct ft_log_head *log)
{
    uint64_t key = mix(mix(mix(mix(mix(1, st->st_dev), st->st_ino), (uint64_t)st->st_size),
                           (uint64_t)st->st_mtime),
                       (uint64_t)st->st_mtime_nsec);
    uint64_t *slot = log ? &log->scans[key >> 32 & (FT_SCAN_SLOTS - 1)] : NULL;
    uint64_t known = slot ? __atomic_load_n(slot, __ATOMIC_RELAXED) : 0;
    if ((known ^ key) < 0x100 && (known & FT_SCANNED))
        return (unsigned)known & ~FT_SCANNED & 0xff;

    unsigned found =
        image->code_bytes <= READ_SCAN_MAX ? scan_read(fd, image) : scan_mapped(fd, image);
    if (slot)
        __atomic_store_n(slot, (key & ~(uint64_t)0xff) | FT_SCANNED | found, __ATOMIC_RELAXED);
    return found;
}

/** Does an exec of it change who the process is? */
static bool gains_privileges(int fd, const struct stat *st)
{
    char capabilities[64];

    uint32_t user = (uint32_t)SYS0(__NR_geteuid), group = (uint32_t)SYS0(__NR_getegid);
    if ((st->st_mode & MODE_SETUID) && st->st_uid != user)
        return true;
    /* Without the group's execute bit it once meant mandatory locking. */
    if ((st->st_mode & MODE_SETGID) && (st->st_mode & MODE_GROUP_EXEC) && st->st_gid != group)
        return true;
    return user != 0 &&
           SYS4(__NR_fgetxattr, fd, "security.capability", capabilities, sizeof(capabilities)) > 0;
}

/** The way into an ELF file, by what its headers, its mode and its code say. */
static enum ft_way elf_way(int fd, const struct ft_image *image, struct ft_log_head *log)
{
    struct stat st;
    if (SYS2(__NR_fstat, fd, &st))
        return image->way;
    if (gains_privileges(fd, &st))
        return FT_WAY_UNTOUCHED;
    /* Behind the file's end a mapping cannot be read. */
    bool sound = image->code_bytes && image->code_offset < (uint64_t)st.st_size &&
                 image->code_bytes <= (uint64_t)st.st_size - image->code_offset;
    bool dynamic = image->way == FT_WAY_PRELOAD;
    if (!sound || (!dynamic && image->code_bytes > STATIC_SCAN_MAX))
        return image->way;
    unsigned found = scan_code(fd, &st, image, log);
    if (dynamic)
        return found & FT_CODE_CALLS ? FT_WAY_KERNEL : FT_WAY_PRELOAD;
    return found & FT_CODE_SECCOMP ? FT_WAY_TRACE : FT_WAY_KERNEL;
}

enum ft_way ft_route_file(const char *path, struct ft_log_head *log, ft_route_loaded *loaded,
                          void *context)
{
    struct ft_image image = {.way = FT_WAY_KERNEL};
    char interpreter[FT_INTERPRETER_MAX];

    for (int depth = 0; depth <= INTERPRETERS_MAX; depth++) {
        int fd = (int)SYS4(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
        if (loaded && depth)
            loaded(context, path, fd < 0 ? -fd : 0);
        if (fd < 0)
            return fd == -EACCES ? FT_WAY_PRELOAD : FT_WAY_KERNEL;
        ft_image_inspect(read_file, &fd, &image);
        enum ft_way way = image.kind == FT_IMAGE_ELF ? elf_way(fd, &image, log) : image.way;
        SYS1(__NR_close, fd);
        if (image.kind != FT_IMAGE_SCRIPT) {
            if (loaded && image.interpreter[0])
                loaded(context, image.interpreter,
                       (int)-SYS3(__NR_faccessat, AT_FDCWD, image.interpreter, 0));
            return way;
        }
        for (int i = 0; i < FT_INTERPRETER_MAX; i++)
            interpreter[i] = image.interpreter[i];
        path = interpreter;
    }
    return FT_WAY_KERNEL;
}
