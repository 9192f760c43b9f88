/* SPDX-License-Identifier: MIT */
/* Sites that were found in a large static image, kept for the next run. */
#include "tracer/linux/site_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x31736574690a1a00) /* "\0\x1a\nites1" */
#define NAME_BYTES 32u
#define FOLDER_BYTES 4096u

/** What a file begins with; the sites follow. */
struct head {
    uint64_t magic, checksum; /* of all that follows */
    uint32_t site_bytes, count;
    struct ft_slot_key image, maker; /* whose sites, found by which build */
};

static uint64_t hash(uint64_t seed, const void *data, size_t size_bytes)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size_bytes; i++)
        seed = (seed ^ bytes[i]) * UINT64_C(0x100000001b3);
    return seed;
}

#define HASH_START UINT64_C(0xcbf29ce484222325)

static uint64_t checksum(const struct head *head, const struct ft_site *sites)
{
    size_t skip = offsetof(struct head, site_bytes);
    uint64_t sum = hash(HASH_START, (const char *)head + skip, sizeof(*head) - skip);
    return hash(sum, sites, head->count * sizeof(*sites));
}

/** @return whether there is such a head: which file, and who has made it */
static bool make_head(const struct ft_slot_key *key, size_t count, struct head *out)
{
    struct stat st;
    memset(out, 0, sizeof(*out));
    if (stat("/proc/self/exe", &st))
        return false;
    out->magic = MAGIC;
    out->site_bytes = sizeof(struct ft_site);
    out->count = (uint32_t)count;
    out->image = *key;
    out->maker = ft_slot_key_of(&st);
    return true;
}

static void name_of(const struct ft_slot_key *key, const char *prefix, char *out)
{
    uint64_t number =
        hash(hash(HASH_START, &key->device, sizeof(key->device)), &key->inode, sizeof(key->inode));
    (void)snprintf(out, NAME_BYTES, "%ssites-%02x", prefix,
                   (unsigned)(number % FT_SITE_CACHE_FILES));
}

/** Ours alone: nobody else can put anything there. */
static bool is_ours(int fd, mode_t kind)
{
    struct stat st;
    return !fstat(fd, &st) && (st.st_mode & S_IFMT) == kind && st.st_uid == geteuid() &&
           !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/** The folder, made if need be and if its parent is there. @return a descriptor, or -1 */
static int open_folder(bool make)
{
    char path[FOLDER_BYTES];
    const char *base = getenv("XDG_CACHE_HOME"), *below = "";
    if (geteuid() != getuid())
        return -1; /* the environment is somebody else's */
    if (!base || base[0] != '/') {
        base = getenv("HOME");
        below = "/.cache";
    }
    if (!base || base[0] != '/')
        return -1;
    int length = snprintf(path, sizeof(path), "%s%s", base, below);
    if (length < 0 || (size_t)length + sizeof("/tracetax") > sizeof(path))
        return -1;
    if (make)
        (void)mkdir(path, 0700);
    memcpy(path + length, "/tracetax", sizeof("/tracetax"));
    if (make)
        (void)mkdir(path, 0700);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && !is_ours(fd, S_IFDIR)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

size_t ft_site_cache_load(const struct ft_slot_key *key, struct ft_site *out, size_t max)
{
    struct head wanted, head;
    char name[NAME_BYTES];
    size_t count = 0;
    int folder = open_folder(false);
    if (folder < 0)
        return 0;
    name_of(key, "", name);
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const struct iovec parts[] = {{&head, sizeof(head)}, {out, max * sizeof(*out)}};
    ssize_t n = fd >= 0 && is_ours(fd, S_IFREG) ? preadv(fd, parts, 2, 0) : -1;
    if (n >= (ssize_t)sizeof(head) && head.count <= max && make_head(key, head.count, &wanted) &&
        (size_t)n == sizeof(head) + head.count * sizeof(*out)) {
        wanted.checksum = checksum(&wanted, out);
        count = memcmp(&head, &wanted, sizeof(head)) == 0 ? head.count : 0;
    }
    if (fd >= 0)
        close(fd);
    close(folder);
    return count;
}

void ft_site_cache_store(const struct ft_slot_key *key, const struct ft_site *sites, size_t count)
{
    struct head head;
    char name[NAME_BYTES], beside[NAME_BYTES], prefix[NAME_BYTES / 2];
    int folder = make_head(key, count, &head) ? open_folder(true) : -1;
    if (folder < 0)
        return;
    head.checksum = checksum(&head, sites);
    (void)snprintf(prefix, sizeof(prefix), ".%ld-", (long)getpid());
    name_of(key, "", name);
    name_of(key, prefix, beside);
    int fd = openat(folder, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    const struct iovec parts[] = {{&head, sizeof(head)},
                                  {(void *)(uintptr_t)sites, count * sizeof(*sites)}};
    const ssize_t all = (ssize_t)(sizeof(head) + count * sizeof(*sites));
    bool written = fd >= 0 && writev(fd, parts, 2) == all;
    if (fd >= 0 && (close(fd) || !written || renameat(folder, beside, folder, name)))
        (void)unlinkat(folder, beside, 0);
    close(folder);
}
