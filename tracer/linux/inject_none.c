/* SPDX-License-Identifier: MIT */
/* Recording from inside static programs, on a machine that it is not written for. */
#include "tracer/linux/inject.h"
#include "tracer/linux/slots.h"

const bool ft_can_inject = false;

void ft_inject_init(struct ft_inject *inject, struct ft_log *log, struct ft_slots *slots,
                    int listener)
{
    (void)slots;
    inject->log = log;
    inject->listener = listener;
}

void ft_inject_before_answer(struct ft_inject *inject, const struct seccomp_notif *notification,
                             uint32_t pid)
{
    (void)inject;
    (void)notification;
    (void)pid;
}

void ft_inject_unanswered(struct ft_inject *inject, const struct seccomp_notif *notification)
{
    (void)inject;
    (void)notification;
}

void ft_inject_leave(struct ft_inject *inject)
{
    (void)inject;
}

void ft_inject_fini(struct ft_inject *inject)
{
    (void)inject;
}

void ft_slots_fini(struct ft_slots *slots)
{
    (void)slots;
}
