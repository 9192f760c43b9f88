/* SPDX-License-Identifier: MIT */
/* A bounded table of process ids: open addressing, at most half full. */
#include "tracer/pids.h"

#include <errno.h>
#include <stdlib.h>

static struct ft_process *find(const struct ft_pids *pids, uint32_t pid)
{
    size_t i = (uint32_t)(pid * 0x9e3779b1u);
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
        return -EPROTO; /* marks an empty slot: only a forged record has it */
    struct ft_process *slot = pids->capacity ? find(pids, pid) : NULL;
    if (!slot || !slot->pid) {
        if (pids->count >= FT_PIDS_MAX)
            return -E2BIG;
        int ret = pids->count * 2 >= pids->capacity ? grow(pids) : 0;
        if (ret)
            return ret;
        slot = find(pids, pid);
        slot->pid = pid;
        pids->count++;
    }
    *out = slot;
    return 0;
}

void ft_pids_fini(struct ft_pids *pids)
{
    free(pids->slots);
    *pids = (struct ft_pids){0};
}
