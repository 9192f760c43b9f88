/* SPDX-License-Identifier: MIT */
/* Whether to inject an image, or to leave its few calls to the notification. */
#include "tracer/linux/worth.h"

#include "tracer/linux/payload.h"

#define FIRST_STARTS 2u

bool ft_worth_start(struct ft_left *left, const struct ft_log_head *log, struct ft_slot *slot,
                    uint32_t pid)
{
    unsigned start = 1 + __atomic_fetch_add(&slot->starts, 1, __ATOMIC_RELAXED);
    bool is_busy = __atomic_load_n(&log->busy[slot->place], __ATOMIC_RELAXED) != 0;
    bool is_sample = start <= FIRST_STARTS || (start & (start - 1)) == 0;
    bool worth = is_busy || is_sample || (log->flags & FT_FLAG_INJECT_ALL);

    left->processes[pid % FT_LEFT_MAX].pid = worth ? 0 : pid;
    left->processes[pid % FT_LEFT_MAX].calls = 0;
    left->processes[pid % FT_LEFT_MAX].place = slot->place;
    return worth;
}

void ft_worth_call(struct ft_left *left, struct ft_log_head *log, uint32_t pid)
{
    unsigned i = pid % FT_LEFT_MAX;
    if (left->processes[i].pid != pid || ++left->processes[i].calls != FT_WORTH_CALLS)
        return;
    __atomic_store_n(&log->busy[left->processes[i].place], 1, __ATOMIC_RELAXED);
    left->processes[i].pid = 0;
}
