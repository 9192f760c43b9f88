/* SPDX-License-Identifier: MIT */
/* The shared log's memory on macOS: a file, because shared memory objects have names of at most 31
 * bytes and are sized once. */
#include "tracer/log_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "common/buf.h"
#include "tracer/macos/cpu.h"

void ft_log_memory_pause(void)
{
    struct timespec pause = {.tv_nsec = 200000};
    (void)nanosleep(&pause, NULL);
}

uint32_t ft_log_memory_writer(void)
{
    return ft_log_cpu();
}

/** Make the file, which nobody of another user may open, with all its room: writing to it never
 * fails for want of that. @path set to its name, the caller's to free() */
static int open_file(char **path)
{
    const char *folder = getenv("TMPDIR");
    struct buf text;

    if (!folder || folder[0] != '/')
        folder = "/tmp";
    buf_init(&text, PATH_MAX);
    (void)buf_printf(&text, "%s/filetrace.XXXXXX", folder);
    *path = buf_take(&text);
    buf_fini(&text);
    if (!*path)
        return -ENOMEM;
    int fd = mkstemp(*path);
    int ret = fd < 0 ? -errno : 0;
    fstore_t room = {.fst_flags = F_ALLOCATEALL,
                     .fst_posmode = F_PEOFPOSMODE,
                     .fst_length = (off_t)FT_LOG_BYTES};
    if (!ret && (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || fcntl(fd, F_PREALLOCATE, &room) < 0 ||
                 ftruncate(fd, (off_t)FT_LOG_BYTES)))
        ret = -errno;
    if (!ret)
        return fd;
    if (fd >= 0) {
        close(fd);
        (void)unlink(*path);
    }
    free(*path);
    *path = NULL;
    return ret;
}

int ft_log_memory_open(struct ft_log *log)
{
    char *path = NULL;
    int fd = open_file(&path);
    if (fd < 0)
        return fd;
    void *map = mmap(NULL, FT_LOG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
        int ret = -errno;
        close(fd);
        (void)unlink(path);
        free(path);
        return ret;
    }
    log->head = map;
    log->fd = fd;
    log->path = path;
    log->head->tracer_pid = (uint32_t)getpid();
    arc4random_buf(&log->head->nonce, sizeof(log->head->nonce));
    return 0;
}

void ft_log_memory_close(struct ft_log *log)
{
    if (log->head)
        (void)munmap(log->head, FT_LOG_BYTES);
    if (log->fd >= 0)
        close(log->fd);
    if (log->path)
        (void)unlink(log->path);
    free(log->path);
}

enum ft_attached ft_log_attached(const struct ft_log *log)
{
    /* The system does not say; each process records its start and each fork itself. */
    (void)log;
    return FT_ATTACHED_UNKNOWN;
}
