/* SPDX-License-Identifier: MIT */
/* The shared log's memory on Linux: a memfd, or a file without a name. */
#include "tracer/log_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "tracer/linux/cpu.h"

void ft_log_memory_pause(void)
{
    struct timespec pause = {.tv_nsec = 200000};
    (void)nanosleep(&pause, NULL);
}

uint32_t ft_log_memory_writer(void)
{
    return ft_log_cpu();
}

/** A file without a name whose memory is reserved: writing to it never fails for want of room. */
static int open_unnamed(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    int ret = -posix_fallocate(fd, 0, (off_t)FT_LOG_BYTES);
    if (ret) {
        close(fd);
        return ret;
    }
    return fd;
}

/** The kernel does not count a memfd's first descriptor among its writers; one opened by name it
 * does, which ft_log_attached() needs. @return @fd where that cannot be */
static int open_again(int fd)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    int again = open(path, O_RDWR | O_CLOEXEC);
    if (again < 0)
        return fd;
    close(fd);
    return again;
}

/** A memfd, whose size no mount limits and nobody changes: a watched program that cuts it would end
 * all who have it mapped. Where a sandbox denies that, a file. */
static int open_memory(void)
{
    int fd = memfd_create("filetrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && !ftruncate(fd, (off_t)FT_LOG_BYTES)) {
        (void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
        return open_again(fd);
    }
    if (fd >= 0)
        close(fd);
    static const char *const folders[] = {"/dev/shm", "/tmp", "/var/tmp"};
    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        fd = open_unnamed(folders[i]);
        if (fd >= 0)
            return fd;
    }
    return -1;
}

int ft_log_memory_open(struct ft_log *log)
{
    uint64_t nonce = 0;
    int fd = open_memory();
    int sharing = fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED | MAP_NORESERVE;
    void *map = mmap(NULL, FT_LOG_BYTES, PROT_READ | PROT_WRITE, sharing, fd, 0);
    if (map == MAP_FAILED || getrandom(&nonce, sizeof(nonce), 0) != (ssize_t)sizeof(nonce)) {
        int ret = -errno;
        if (map != MAP_FAILED)
            munmap(map, FT_LOG_BYTES);
        if (fd >= 0)
            close(fd);
        return ret;
    }
    log->head = map;
    log->fd = fd;
    log->head->tracer_pid = (uint32_t)getpid();
    log->head->nonce = nonce;
    return 0;
}

void ft_log_memory_close(struct ft_log *log)
{
    if (log->head)
        munmap(log->head, FT_LOG_BYTES);
    if (log->fd >= 0)
        close(log->fd);
}

enum ft_attached ft_log_attached(const struct ft_log *log)
{
    /* A write lease is only given while no other open file can write (fcntl(2), F_SETLEASE), and
     * a mapping keeps the file open that it was made of. */
    if (fcntl(log->fd, F_SETLEASE, F_WRLCK) == 0) {
        (void)fcntl(log->fd, F_SETLEASE, F_UNLCK);
        return FT_ATTACHED_NOBODY;
    }
    return errno == EAGAIN ? FT_ATTACHED_SOMEBODY : FT_ATTACHED_UNKNOWN;
}
