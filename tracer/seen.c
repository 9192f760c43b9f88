/* SPDX-License-Identifier: MIT */
/* A memory of what was printed: one entry a slot, a newcomer replaces the old one. */
#include "tracer/seen.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_COUNT 65536u
#define LIMIT_BYTES (32u << 20)

struct entry {
    uint64_t hash;
    uint32_t pid;
    uint32_t error;
    uint32_t access;
    uint32_t path_bytes;
    const char *op;
    char path[];
};

struct ft_seen {
    struct entry *slots[SLOT_COUNT]; /* owned */
    size_t used_bytes;
};

int ft_seen_new(struct ft_seen **out)
{
    *out = calloc(1, sizeof(**out));
    return *out ? 0 : -ENOMEM;
}

void ft_seen_free(struct ft_seen *seen)
{
    for (size_t i = 0; seen && i < SLOT_COUNT; i++)
        free(seen->slots[i]);
    free(seen);
}

/** FNV-1a (Fowler, Noll, Vo): spreads well enough; equality is decided by comparison. */
static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size_bytes)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size_bytes; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

bool ft_seen_before(struct ft_seen *seen, const struct ft_access *access)
{
    uint64_t hash = hash_bytes(UINT64_C(0xcbf29ce484222325), access->path, access->path_bytes);
    hash = hash_bytes(hash, &access->pid, sizeof(access->pid));
    hash = hash_bytes(hash, &access->error, sizeof(access->error));
    hash = hash_bytes(hash, &access->access, sizeof(access->access));
    hash = hash_bytes(hash, access->op, strlen(access->op));

    struct entry **slot = &seen->slots[(hash ^ hash >> 32) % SLOT_COUNT];
    struct entry *old = *slot;
    if (old && old->hash == hash && old->pid == access->pid && old->error == access->error &&
        old->access == access->access && old->path_bytes == access->path_bytes &&
        !strcmp(old->op, access->op) && !memcmp(old->path, access->path, access->path_bytes))
        return true;

    if (old) {
        seen->used_bytes -= sizeof(*old) + old->path_bytes;
        free(old);
        *slot = NULL;
    }
    size_t size_bytes = sizeof(*old) + access->path_bytes;
    if (size_bytes > LIMIT_BYTES - seen->used_bytes)
        return false;
    struct entry *entry = malloc(size_bytes);
    if (!entry)
        return false;
    *entry = (struct entry){.hash = hash,
                            .pid = access->pid,
                            .error = access->error,
                            .access = access->access,
                            .path_bytes = (uint32_t)access->path_bytes,
                            .op = access->op};
    memcpy(entry->path, access->path, access->path_bytes);
    seen->used_bytes += size_bytes;
    *slot = entry;
    return false;
}
