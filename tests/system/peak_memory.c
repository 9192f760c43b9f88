/* SPDX-License-Identifier: MIT */
/*
 * Runs a command and tells how much memory its program took at most, with what it shares:
 *   peak_memory RESULT COMMAND [ARG...]
 * RESULT gets one number, in bytes: over all processes that run the file of COMMAND, their own
 * resident memory, and every anonymous shared file (memfd, /dev/shm) that they hold, counted once
 * and whole, whoever touched its pages. Sampled every 2 ms, less often where looking through many
 * processes takes long. Exit status: the command's.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/compiler.h"

#define SHARED_MAX 256
#define SHORTEST_PAUSE_NS 2000000u
#define LONGEST_PAUSE_NS 200000000u

struct sample {
    uint64_t own_bytes;
    struct {
        dev_t device;
        ino_t inode;
        uint64_t bytes;
    } shared[SHARED_MAX];
    size_t shared_count;
};

/* Adds the file behind a link of /proc when it is memory. */
static void add_shared(struct sample *sample, const char *link)
{
    char target[PATH_MAX];
    struct stat status;
    ssize_t size = readlink(link, target, sizeof target - 1);
    if (size <= 0)
        return;
    target[size] = 0;
    if (strncmp(target, "/memfd:", 7) != 0 && strncmp(target, "/dev/shm/", 9) != 0 &&
        strncmp(target, "/dev/zero", 9) != 0)
        return;
    if (stat(link, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    for (size_t i = 0; i < sample->shared_count; i++)
        if (sample->shared[i].device == status.st_dev && sample->shared[i].inode == status.st_ino)
            return;
    if (sample->shared_count == SHARED_MAX)
        return;
    sample->shared[sample->shared_count].device = status.st_dev;
    sample->shared[sample->shared_count].inode = status.st_ino;
    sample->shared[sample->shared_count++].bytes = (uint64_t)status.st_blocks * 512;
}

static void add_links(struct sample *sample, const char *folder)
{
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char link[PATH_MAX];
        if (entry->d_name[0] != '.' &&
            (size_t)snprintf(link, sizeof link, "%s/%s", folder, entry->d_name) < sizeof link)
            add_shared(sample, link);
    }
    closedir(dir);
}

static uint64_t own_bytes(const char *process)
{
    char path[64], line[256];
    uint64_t total = 0;
    (void)snprintf(path, sizeof path, "/proc/%s/status", process);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "RssAnon:", 8) == 0 || strncmp(line, "RssFile:", 8) == 0)
            total += strtoull(line + 8, NULL, 10) * 1024;
    (void)fclose(file); /* read only */
    return total;
}

/* All processes that run the file: a helper of the program may have left its tree. */
static uint64_t take_sample(const struct stat *image)
{
    struct sample sample = {0};
    DIR *dir = opendir("/proc");
    if (dir == NULL)
        return 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char path[64];
        struct stat status;
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || strlen(entry->d_name) > 20)
            continue;
        (void)snprintf(path, sizeof path, "/proc/%.20s/exe", entry->d_name);
        if (stat(path, &status) != 0 || status.st_ino != image->st_ino ||
            status.st_dev != image->st_dev)
            continue;
        sample.own_bytes += own_bytes(entry->d_name);
        (void)snprintf(path, sizeof path, "/proc/%.20s/fd", entry->d_name);
        add_links(&sample, path);
        (void)snprintf(path, sizeof path, "/proc/%.20s/map_files", entry->d_name);
        add_links(&sample, path);
    }
    closedir(dir);
    uint64_t total = sample.own_bytes;
    for (size_t i = 0; i < sample.shared_count; i++)
        total += sample.shared[i].bytes;
    return total;
}

int main(int argc, char **argv)
{
    struct stat image;
    if (argc < 3 || stat(argv[2], &image) != 0) {
        fputs("usage: peak_memory RESULT COMMAND [ARG...], with the path of COMMAND\n", stderr);
        return 2;
    }
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return 3;
    }
    if (child == 0) {
        execv(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    uint64_t peak = 0;
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        uint64_t start_ns = clock_monotonic_ns();
        uint64_t now = take_sample(&image);
        uint64_t pause_ns = (clock_monotonic_ns() - start_ns) * 10;
        if (now > peak)
            peak = now;
        if (pause_ns < SHORTEST_PAUSE_NS)
            pause_ns = SHORTEST_PAUSE_NS;
        if (pause_ns > LONGEST_PAUSE_NS)
            pause_ns = LONGEST_PAUSE_NS;
        nanosleep(&(struct timespec){.tv_nsec = (long)pause_ns}, NULL);
    }
    FILE *file = fopen(argv[1], "w");
    if (file == NULL) {
        perror(argv[1]);
        return 3;
    }
    fprintf(file, "%llu\n", (unsigned long long)peak);
    if (fclose(file) != 0)
        return 3;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
