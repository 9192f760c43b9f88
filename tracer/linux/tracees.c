/* SPDX-License-Identifier: MIT */
/* The tasks that this process traces with ptrace(2), and what their calls try. */
#include "tracer/linux/tracees.h"

#include <errno.h>
#include <linux/ptrace.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracer/linux/notified.h"

#define OPTIONS                                                                                    \
    (PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |      \
     PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP)

/** A traced task. */
struct ft_tracee {
    uint32_t tid;
    enum ft_keeper_mode mode;
    bool in_call;                /* its exit is awaited */
    struct ft_notified notified; /* what the call tries */
};

/** The C libraries' wrappers differ in their types. */
static long trace(long request, uint32_t tid, uintptr_t address, uintptr_t data)
{
    return syscall(SYS_ptrace, request, tid, address, data);
}

void ft_tracees_init(struct ft_tracees *tracees, struct ft_log *log)
{
    *tracees = (struct ft_tracees){.log = log};
}

void ft_tracees_fini(struct ft_tracees *tracees)
{
    for (size_t i = 0; i < tracees->capacity; i++)
        free(tracees->slots[i]);
    free(tracees->slots);
    *tracees = (struct ft_tracees){0};
}

static struct ft_tracee *find(const struct ft_tracees *tracees, uint32_t tid)
{
    for (size_t i = 0; i < tracees->capacity; i++) {
        if (tracees->slots[i] && tracees->slots[i]->tid == tid)
            return tracees->slots[i];
    }
    return NULL;
}

/** @return NULL without memory */
static struct ft_tracee *add(struct ft_tracees *tracees, uint32_t tid, enum ft_keeper_mode mode)
{
    size_t slot = 0;
    while (slot < tracees->capacity && tracees->slots[slot])
        slot++;
    if (slot == tracees->capacity) {
        size_t capacity = tracees->capacity ? tracees->capacity * 2 : 16;
        struct ft_tracee **slots = reallocarray(tracees->slots, capacity, sizeof(*slots));
        if (!slots)
            return NULL;
        memset(slots + tracees->capacity, 0, (capacity - tracees->capacity) * sizeof(*slots));
        tracees->slots = slots;
        tracees->capacity = capacity;
    }
    struct ft_tracee *tracee = calloc(1, sizeof(*tracee));
    if (!tracee)
        return NULL;
    tracee->tid = tid;
    tracee->mode = mode;
    tracees->slots[slot] = tracee;
    tracees->count++;
    return tracee;
}

static void drop(struct ft_tracees *tracees, uint32_t tid)
{
    for (size_t i = 0; i < tracees->capacity; i++) {
        if (!tracees->slots[i] || tracees->slots[i]->tid != tid)
            continue;
        free(tracees->slots[i]);
        tracees->slots[i] = NULL;
        tracees->count--;
    }
}

int ft_tracees_attach(struct ft_tracees *tracees, uint32_t tid, enum ft_keeper_mode mode)
{
    struct ft_tracee *known = find(tracees, tid);
    if (known) {
        known->mode = mode; /* its filter could not be had */
        (void)trace(PTRACE_INTERRUPT, tid, 0, 0);
        return 0;
    }
    if (trace(PTRACE_SEIZE, tid, 0, OPTIONS))
        return -errno;
    if (!add(tracees, tid, mode)) {
        (void)trace(PTRACE_DETACH, tid, 0, 0);
        return -ENOMEM;
    }
    if (mode == FT_KEEPER_EVERY)
        (void)trace(PTRACE_INTERRUPT, tid, 0, 0); /* from its next stop on, every call */
    return 0;
}

/** Go on, delivering @number; with a stop at the end of the call, or at every call. */
static void resume(const struct ft_tracee *tracee, int number)
{
    bool stop = tracee->in_call || tracee->mode == FT_KEEPER_EVERY;
    (void)trace(stop ? PTRACE_SYSCALL : PTRACE_CONT, tracee->tid, 0, (uintptr_t)number);
}

static bool call_info(uint32_t tid, struct ptrace_syscall_info *out)
{
    memset(out, 0, sizeof(*out));
    return trace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(*out), (uintptr_t)out) > 0;
}

/** Make the call that is about to begin fail with ENOSYS, as an unknown one does. */
static void deny(uint32_t tid)
{
#if defined(__x86_64__)
    const uintptr_t original_rax = 15 * sizeof(uint64_t); /* in struct user */
    (void)trace(PTRACE_POKEUSR, tid, original_rax, (uintptr_t)-1);
#else
    struct {
        int *number;
        size_t size;
    } set;
    int none = -1;
    set.number = &none;
    set.size = sizeof(none);
    (void)trace(PTRACE_SETREGSET, tid, 0x404 /* NT_ARM_SYSTEM_CALL */, (uintptr_t)&set);
#endif
}

/** A call is about to begin: read what it tries. */
static void on_call(struct ft_tracees *tracees, struct ft_tracee *tracee)
{
    struct ptrace_syscall_info info;
    struct seccomp_notif call = {.pid = tracee->tid};

    tracee->in_call = false;
    if (tracees->silent || !call_info(tracee->tid, &info) ||
        (info.op != PTRACE_SYSCALL_INFO_ENTRY && info.op != PTRACE_SYSCALL_INFO_SECCOMP))
        return;
    call.data.nr = (int)info.entry.nr;
    call.data.arch = info.arch;
    memcpy(call.data.args, info.entry.args, sizeof(call.data.args));
    if (!ft_notified_read(&tracee->notified, &call))
        return;
    /* A call that is denied has no end to be awaited: it tries nothing. */
    tracee->in_call = !ft_notified_is_denied(&tracee->notified, tracees->log);
    if (!tracee->in_call)
        deny(tracee->tid);
}

/** A call has ended: record it with its error. */
static void on_return(struct ft_tracees *tracees, struct ft_tracee *tracee)
{
    struct ptrace_syscall_info info;

    tracee->in_call = false;
    if (tracees->silent || !call_info(tracee->tid, &info) || info.op != PTRACE_SYSCALL_INFO_EXIT)
        return;
    unsigned error = info.exit.is_error ? (unsigned)-info.exit.rval : 0;
    if (error > 4095)
        error = FT_ERROR_UNKNOWN;
    /* 512 and up: the kernel repeats the call, or says EINTR, after a signal's handler. */
    if (error < 512 || error == FT_ERROR_UNKNOWN)
        ft_notified_commit(&tracee->notified, error, tracees->log);
}

/** A stop at a call's begin or end. */
static void on_call_stop(struct ft_tracees *tracees, struct ft_tracee *tracee)
{
    if (tracee->in_call)
        on_return(tracees, tracee);
    else if (tracee->mode == FT_KEEPER_EVERY)
        on_call(tracees, tracee);
    resume(tracee, 0);
}

/** After an exec by another thread than the first, the task goes on under the process's number. */
static void on_exec(struct ft_tracees *tracees, struct ft_tracee *tracee)
{
    unsigned long former = 0;
    (void)trace(PTRACE_GETEVENTMSG, tracee->tid, 0, (uintptr_t)&former);
    struct ft_tracee *old = former != tracee->tid ? find(tracees, (uint32_t)former) : NULL;
    if (old) {
        uint32_t tid = tracee->tid;
        *tracee = *old;
        tracee->tid = tid;
        drop(tracees, (uint32_t)former);
    }
}

static void on_stop(struct ft_tracees *tracees, struct ft_tracee *tracee, int status)
{
    int number = WSTOPSIG(status), event = status >> 16;

    switch (event) {
    case 0:
        if (number == (SIGTRAP | 0x80))
            return on_call_stop(tracees, tracee);
        return resume(tracee, number); /* a signal on its way */
    case PTRACE_EVENT_SECCOMP:
        on_call(tracees, tracee);
        return resume(tracee, 0);
    case PTRACE_EVENT_EXEC:
        on_exec(tracees, tracee);
        return resume(tracee, 0);
    case PTRACE_EVENT_STOP:
        /* A stop of the whole group lasts until SIGCONT; any other is only our own. */
        if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU) {
            (void)trace(PTRACE_LISTEN, tracee->tid, 0, 0);
            return;
        }
        return resume(tracee, 0);
    default:
        return resume(tracee, 0);
    }
}

/** The mode of a task that one of ours has started: that of anybody, they are all alike. */
static enum ft_keeper_mode inherited_mode(const struct ft_tracees *tracees)
{
    for (size_t i = 0; i < tracees->capacity; i++) {
        if (tracees->slots[i] && tracees->slots[i]->mode == FT_KEEPER_EVERY)
            return FT_KEEPER_EVERY;
    }
    return FT_KEEPER_FILTER;
}

void ft_tracees_serve(struct ft_tracees *tracees)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
        struct ft_tracee *tracee = find(tracees, (uint32_t)pid);
        if (!WIFSTOPPED(status)) {
            drop(tracees, (uint32_t)pid);
            continue;
        }
        if (!tracee)
            tracee = add(tracees, (uint32_t)pid, inherited_mode(tracees));
        if (tracee)
            on_stop(tracees, tracee, status);
        else
            (void)trace(PTRACE_DETACH, (uint32_t)pid, 0, 0); /* without memory it runs unwatched */
    }
}
