/* SPDX-License-Identifier: MIT */
/* A bounded table of process ids: open addressing, at most half full. */
#include "tracer/pids.h"

#include <errno.h>
#include <stdlib.h>

static struct ft_process *find(const struct ft_pids *pids, uint32_t pid)
{
    size_t i = pid * 0x9e3779b1u;
    for (;; i++) {
        struct ft_process *slot = &pids->slots[i & (pids->capacity - 1)];
        if (slot->pid == pid || !slot->pid)
            return slot;
    }
}

static int grow(struct ft_pids *pids)
{
    size_t capacity = pids->capacity ? pids->capacity * 2 : 64;
    struct ft_pids bigger = {.slots = calloc(capacity, sizeof(*bigger.slots)),
                             .capacity = capacity};
    if (!bigger.slots)
        return -ENOMEM;
    for (size_t i = 0; i < pids->capacity; i++) {
        if (pids->slots[i].pid)
            *find(&bigger, pids->slots[i].pid) = pids->slots[i];
    }
    bigger.count = pids->count;
    free(pids->slots);
    *pids = bigger;
    return 0;
}

int ft_pids_get(struct ft_pids *pids, uint32_t pid, struct ft_process **out)
{
    *out = NULL;
    if (!pid)
        return -EPROTO; /* marks an empty slot */
    if (!pid)
        return *out = NULL, -EPROTO; /* marks an empty slot: only a forged record has it */
    if (pids->count * 2 >= pids->capacity) {
        int ret = pids->count >= FT_PIDS_MAX ? -E2BIG : grow(pids);
        if (ret)
            return ret;
    }
    *out = find(pids, pid);
    if (!(*out)->pid) {
        (*out)->pid = pid;
        pids->count++;
    }
    return 0;
}

void ft_pids_fini(struct ft_pids *pids)
{
    free(pids->slots);
    *pids = (struct ft_pids){0};
}
