/* SPDX-License-Identifier: MIT */
/* What a payload cannot know is told to it, while the call that brings it about is answered. */
#include "tracer/linux/inject_tell.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tracer/linux/payload.h"
#include "tracer/linux/task.h"

#define CANCEL_SIGNAL 32
#define NEW_PID_FLAG 0x20000000u
#define VM_FLAG 0x100u
#define THREAD_FLAG 0x10000u
#define X32_BIT 0x40000000

bool ft_inject_is_in(const struct ft_inject *inject, int memory)
{
    uint64_t nonce = 0;
    return !ft_memory_read(memory, &nonce, sizeof(nonce),
                           FT_PAYLOAD_BASE + offsetof(struct ft_payload_head, nonce)) &&
           nonce == inject->log->head->nonce;
}

/** Set a word of the payload's head, if the task has one. */
static void set_word(const struct ft_inject *inject, uint32_t tid, size_t offset)
{
    const uint32_t yes = 1;
    int memory = ft_task_open(tid, "mem", O_RDWR);
    if (memory < 0)
        return;
    int ret = ft_inject_is_in(inject, memory)
                  ? ft_memory_write(memory, &yes, sizeof(yes), FT_PAYLOAD_BASE + offset)
                  : 0;
    (void)ret; /* it has been written to before, so the task is gone */
    close(memory);
}

static void decline(const struct ft_inject *inject, uint32_t tid)
{
    set_word(inject, tid, offsetof(struct ft_payload_head, declines));
}

/** A new task, by these flags: what does it share? */
static void on_clone(struct ft_inject *inject, uint32_t tid, uint64_t flags)
{
    if (flags & NEW_PID_FLAG) {
        inject->has_strangers = true;
        decline(inject, tid);
    }
    if ((flags & VM_FLAG) && !(flags & THREAD_FLAG))
        set_word(inject, tid, offsetof(struct ft_payload_head, pid_is_unsure));
}

/** A handler for glibc's cancellation? Go, which takes every signal, blocks all the others. */
static bool is_for_cancellation(uint32_t tid, uint64_t action)
{
    const uint64_t mask_offset = 24; /* struct kernel_sigaction */
    uint64_t mask;
    return !ft_task_word(tid, action + mask_offset, &mask) || mask != ~UINT64_C(0);
}

void ft_inject_tell(struct ft_inject *inject, const struct seccomp_notif *notification,
                    bool is_on_path)
{
    const struct seccomp_data *data = &notification->data;
    uint32_t tid = notification->pid;
    uint64_t flags;

    if (data->arch != AUDIT_ARCH_X86_64) {
        inject->has_strangers |= !is_on_path; /* of others the filter notifies for this alone */
        return;
    }
    switch (data->nr & ~X32_BIT) {
    case SYS_vfork:
        on_clone(inject, tid, VM_FLAG);
        break;
    case SYS_clone:
        on_clone(inject, tid, data->args[0]);
        break;
    case SYS_clone3:
        on_clone(inject, tid, ft_task_word(tid, data->args[0], &flags) ? flags : VM_FLAG);
        break;
    case SYS_unshare:
        on_clone(inject, tid, data->args[0] & NEW_PID_FLAG);
        break;
    case SYS_rt_sigaction:
        if (data->args[0] == CANCEL_SIGNAL && is_for_cancellation(tid, data->args[1]))
            decline(inject, tid);
        break;
    case SYS_prctl:
    case SYS_seccomp:
    case SYS_setns:
        inject->has_strangers = true;
        decline(inject, tid);
        break;
    case SYS_chroot:
        decline(inject, tid);
        break;
    default:
        break;
    }
}
