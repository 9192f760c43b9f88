/* SPDX-License-Identifier: MIT */
/* What the kernel tells of another task, and its memory. */
#include "tracer/linux/task.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tracer/linux/sys.h"

#define AUXV_ENTRY 9
#define AUXV_MAX_BYTES 1024
#define STAT_MAX_BYTES 512
#define STATUS_MAX_BYTES 4096

void ft_task_path(uint32_t tid, const char *name, char *out)
{
    (void)snprintf(out, FT_TASK_PATH_BYTES, "/proc/%lu/%s", (unsigned long)tid, name);
}

int ft_task_open(uint32_t tid, const char *name, int flags)
{
    char path[FT_TASK_PATH_BYTES];
    ft_task_path(tid, name, path);
    /* Not open(): musl's makes a second call, for kernels before O_CLOEXEC. */
    return (int)SYS4(__NR_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0);
}

bool ft_task_is_running(uint32_t pid)
{
    char text[STAT_MAX_BYTES];
    if (!pid || (kill((pid_t)pid, 0) && errno != EPERM))
        return false;
    int fd = ft_task_open(pid, "stat", O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *state = strrchr(text, ')'); /* the name before it may hold anything */
    return state && state[1] == ' ' && state[2] != 'Z' && state[2] != 'X';
}

bool ft_task_is_alone(uint32_t tid)
{
    char path[FT_TASK_PATH_BYTES];
    struct stat st;
    ft_task_path(tid, "task", path);
    /* A folder of its own for each: a third of what reading "status" takes. */
    return !stat(path, &st) && st.st_nlink == 2 + 1;
}

static unsigned long number_behind(const char *text, const char *field)
{
    const char *line = strstr(text, field);
    return line ? strtoul(line + strlen(field), NULL, 10) : 0;
}

static bool is_renumbered(const char *text)
{
    const char *line = strstr(text, "\nNSpid:\t");
    if (!line)
        return false;
    line += sizeof("\nNSpid:\t") - 1;
    return memchr(line, '\t', strcspn(line, "\n")) != NULL;
}

int ft_task_status(uint32_t tid, struct ft_task_status *out)
{
    char text[STATUS_MAX_BYTES];
    *out = (struct ft_task_status){0};
    int fd = ft_task_open(tid, "status", O_RDONLY);
    if (fd < 0)
        return fd;
    ssize_t n = read(fd, text, sizeof(text) - 1);
    int ret = n < 0 ? -errno : 0;
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    out->pid = (uint32_t)number_behind(text, "\nTgid:\t");
    out->threads = (uint32_t)number_behind(text, "\nThreads:\t");
    out->filters = number_behind(text, "\nSeccomp_filters:\t");
    out->is_renumbered = is_renumbered(text);
    out->gains_nothing = number_behind(text, "\nNoNewPrivs:\t") == 1;
    return ret;
}

int ft_task_shift(uint32_t tid, uint64_t entry, uint64_t *out)
{
    uint64_t entries[AUXV_MAX_BYTES / sizeof(uint64_t)];
    *out = 0;
    int fd = ft_task_open(tid, "auxv", O_RDONLY);
    if (fd < 0)
        return fd;
    ssize_t n = read(fd, entries, sizeof(entries));
    close(fd);
    for (ssize_t i = 0; i + 1 < n / (ssize_t)sizeof(uint64_t); i += 2) {
        if (entries[i] != AUXV_ENTRY)
            continue;
        *out = entries[i + 1] - entry;
        return 0;
    }
    return -ENOENT;
}

bool ft_task_word(uint32_t tid, uint64_t address, uint64_t *out)
{
    struct iovec here = {out, sizeof(*out)}, there = {(void *)(uintptr_t)address, sizeof(*out)};
    *out = 0;
    return process_vm_readv((pid_t)tid, &here, 1, &there, 1, 0) == (ssize_t)sizeof(*out);
}

int ft_memory_read(int memory, void *to, size_t size_bytes, uint64_t address)
{
    ssize_t n = pread(memory, to, size_bytes, (off_t)address);
    return n == (ssize_t)size_bytes ? 0 : n < 0 ? -errno : -ESRCH;
}

int ft_memory_write(int memory, const void *from, size_t size_bytes, uint64_t address)
{
    ssize_t n = pwrite(memory, from, size_bytes, (off_t)address);
    return n == (ssize_t)size_bytes ? 0 : n < 0 ? -errno : -ESRCH;
}
