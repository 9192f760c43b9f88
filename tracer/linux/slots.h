/* SPDX-License-Identifier: MIT */
/* What static images need to record from inside, made once for each: code to write, sites to patch.
 */
#ifndef TRACER_LINUX_SLOTS_H
#define TRACER_LINUX_SLOTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/compiler.h"
#include "tracer/record.h"
#include "tracer/sites.h"

#define FT_SLOT_SITES_MAX 512
#define FT_SLOT_SEGMENTS_MAX 4

/** Which file it is, as long as it is not written. */
struct ft_slot_key {
    uint64_t device, inode, size_bytes, modified_ns, changed_ns;
};

struct stat;

struct ft_slot_key ft_slot_key_of(const struct stat *st);

/** An image, as it is linked. Never changes once made. */
struct ft_slot {
    struct ft_slot_key key;
    int error;           /**< why nothing can be injected (negative errno value), or 0 */
    bool is_exempt;      /**< its own code lies where the filter lets calls through */
    bool is_movable;     /**< static-pie: addresses below are relative to where it is loaded */
    unsigned char *code; /**< owned: the payload's text, then the stubs */
    size_t stubs_bytes;
    uint64_t stubs; /**< where the stubs must be */
    uint64_t entry;
    size_t segments_count;
    struct {
        uint64_t start, end;
    } segments[FT_SLOT_SEGMENTS_MAX]; /**< executable ones, in whole pages */
    size_t sites_count;
    struct ft_site *sites;  /**< owned */
    uint64_t *stub_of_site; /**< owned */
    unsigned place;         /**< among the slots, and in ft_log_head.busy */
    unsigned starts;        /**< atomic: how often the image was started (worth.h) */
    unsigned users;
    bool is_dropped;
};

/** Zeroed: none yet. */
struct ft_slots {
    pthread_mutex_t lock;
    struct ft_log_head *log; /**< borrowed: whose payload it is */
    struct ft_slot *slots[FT_IMAGES_MAX];
    size_t count, next;
};

/**
 * The slot of an executable file, from memory or made now.
 * @path of the file; "/proc/TID/exe"
 * @out for ft_slots_put(); NULL on failure. Its `error` says whether there is anything to use
 * @return 0 or -ENOMEM, or what stat(2) or open(2) says. Thread safe.
 */
MUST_USE int ft_slots_get(struct ft_slots *slots, const char *path, struct ft_slot **out);

/** Give a slot back. NULL is fine. */
void ft_slots_put(struct ft_slots *slots, struct ft_slot *slot);

/** Free all; none may be in use. */
void ft_slots_fini(struct ft_slots *slots);

#endif
