/* SPDX-License-Identifier: MIT */
/* The tracer's side of recording from inside static programs. */
#include "tracer/linux/inject.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/ioctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tracer/image.h"
#include "tracer/linux/bootstrap.h"
#include "tracer/linux/inject_patch.h"
#include "tracer/linux/inject_tell.h"
#include "tracer/linux/payload.h"
#include "tracer/linux/request.h"
#include "tracer/linux/task.h"
#include "tracer/ops.h"

const bool ft_can_inject = true;

_Static_assert(FT_BOOTSTRAP_MAX_BYTES <= FT_GUARD_PATCH_BYTES, "what it overwrites can be kept");

#define ARCH_SET_FS 0x1002u

/* Newer than the headers of some systems (Linux 5.9). */
struct addfd {
    uint64_t id;
    uint32_t flags, srcfd, newfd, newfd_flags;
};
#define NOTIF_ADDFD SECCOMP_IOW(3, struct addfd)

/** A task that is parked. */
struct task {
    uint32_t tid, pid;
    uint64_t address; /* where the parked call returns to */
};

void ft_inject_init(struct ft_inject *inject, struct ft_log *log, struct ft_slots *slots,
                    int listener)
{
    inject->log = log;
    inject->slots = log->fd >= 0 ? slots : NULL; /* nobody else can map the log */
    inject->listener = listener;
}

/** The first call under a filter is the exec of the program that is about to be watched. */
static void look_around(struct ft_inject *inject, uint32_t tid)
{
    struct ft_task_status status;
    int ret = ft_task_status(tid, &status);
    inject->filters = status.filters;
    inject->has_strangers = status.is_renumbered;
    if (ret || !status.filters) {
        inject->filters = 1;
        inject->slots = NULL; /* a kernel before 5.9, which lacks NOTIF_ADDFD too */
    }
}

/** May this task be changed now? */
static int check_task(const struct ft_inject *inject, struct task *task)
{
    struct ft_task_status status;
    if (!inject->has_strangers && ft_task_is_alone(task->tid))
        return 0;
    int ret = ft_task_status(task->tid, &status);
    if (ret)
        return ret;
    task->pid = status.pid;
    if (!status.pid || status.threads != 1)
        return -EBUSY;
    if (status.filters != inject->filters)
        return -EPERM; /* one of its own might not let our calls pass */
    return status.is_renumbered ? -EXDEV : 0;
}

static int give(const struct ft_inject *inject, uint64_t id, int fd)
{
    struct addfd addfd = {.id = id, .srcfd = (uint32_t)fd, .newfd_flags = O_CLOEXEC};
    long ret = syscall(SYS_ioctl, inject->listener, NOTIF_ADDFD, &addfd);
    return ret < 0 ? -errno : (int)ret;
}

/** Does a piece of memory lie within the image's code? */
static bool is_in_code(const struct ft_slot *slot, uint64_t address, size_t size_bytes)
{
    for (size_t i = 0; i < slot->segments_count; i++)
        if (address >= slot->segments[i].start && address < slot->segments[i].end)
            return size_bytes <= slot->segments[i].end - address;
    return false;
}

static int free_patch(const struct ft_inject *inject)
{
    for (int i = 0; i < FT_GUARD_PATCHES; i++)
        if (!inject->patches[i].tid)
            return i;
    return -EAGAIN;
}

static int find_patch(const struct ft_inject *inject, uint32_t tid)
{
    for (int i = 0; i < FT_GUARD_PATCHES; i++)
        if (inject->patches[i].tid == tid)
            return i;
    return -ENOENT;
}

/** The patch is over: forget it. */
static void end_patch(struct ft_inject *inject, int place)
{
    int memory = inject->patches[place].memory;
    __atomic_store_n(&inject->patches[place].tid, 0, __ATOMIC_RELEASE);
    close(memory);
    ft_room_give_back(inject->log->head, 1);
    ft_slots_put(inject->slots, inject->waiting[place].slot);
    inject->waiting[place] = (struct ft_inject_waiting){0};
}

/** Tell how an image came to be watched. */
static void note_entered(struct ft_inject *inject, const struct task *task, int error)
{
    char path[FT_TASK_PATH_BYTES], image[FT_PATH_MAX];
    ft_task_path(task->tid, "exe", path);
    ssize_t n = readlink(path, image, sizeof(image));
    const struct ft_record head = {
        .pid = task->pid,
        .op = FT_OP_loader,
        .error = (uint16_t)-error,
        .kind = FT_KIND_ENTERED,
    };
    ft_log_put(inject->log, &head, NULL, 0, image, n > 0 ? (size_t)n : 0);
}

/** The image has code of its own where the filter lets calls through. */
static void note_exempt(struct ft_inject *inject, const struct task *task)
{
    const struct ft_record head = {
        .pid = task->pid,
        .op = FT_OP_loader,
        .error = FT_REASON_NOT_ENTERED,
        .kind = FT_KIND_NOTE,
    };
    ft_log_put(inject->log, &head, NULL, 0, NULL, 0);
}

/** Keep what the bootstrap will overwrite, where the guard finds it too. */
static int keep_code(struct ft_inject *inject, int place, const struct task *task, int memory)
{
    static const unsigned char call[] = {0x0f, 0x05};
    struct ft_guard_patch *patch = &inject->patches[place];
    unsigned char before[sizeof(call)];
    const struct iovec parts[] = {{before, sizeof(before)}, {patch->bytes, FT_BOOTSTRAP_MAX_BYTES}};
    const ssize_t all = sizeof(before) + FT_BOOTSTRAP_MAX_BYTES;
    int ret = 0;

    if (preadv(memory, parts, ARRAY_LEN(parts), (off_t)(task->address - sizeof(call))) != all)
        ret = -EFAULT;
    else if (memcmp(before, call, sizeof(call)) != 0)
        ret = -EILSEQ;           /* not made by the instruction that we know */
    else if (!inject->can_write) /* where a kernel forbids it, nothing has been changed yet */
        ret = ft_memory_write(memory, patch->bytes, 1, task->address);
    inject->can_write |= !ret;
    patch->address = task->address;
    patch->size_bytes = FT_BOOTSTRAP_MAX_BYTES;
    patch->memory = memory;
    return ret;
}

/** Is there a limit on the addresses that the task may use? It might be reached later. */
static bool has_limit(uint32_t tid)
{
    struct rlimit limit;
    return prlimit((pid_t)tid, RLIMIT_AS, NULL, &limit) || limit.rlim_cur != RLIM_INFINITY;
}

/** Park 1, all checks done: hand over the log's descriptor and write the bootstrap. */
static int write_bootstrap(struct ft_inject *inject, uint64_t id, int place,
                           const struct task *task)
{
    const struct ft_inject_waiting *waiting = &inject->waiting[place];
    struct ft_guard_patch *patch = &inject->patches[place];
    unsigned char code[FT_BOOTSTRAP_MAX_BYTES];
    struct ft_bootstrap bootstrap = {
        .slot = waiting->slot,
        .stubs = waiting->slot->stubs + waiting->shift,
        .again = task->address - 2,
        .maps_all = has_limit(task->tid),
        .log = give(inject, id, inject->log->fd),
    };
    if (bootstrap.log < 0)
        return bootstrap.log;
    size_t bytes = ft_bootstrap_write(&bootstrap, task->address, code);
    patch->size_bytes = bytes;
    __atomic_store_n(&patch->tid, task->tid, __ATOMIC_RELEASE);
    return ft_memory_write(patch->memory, code, bytes, task->address);
}

/** The image of a task: its slot, if there is anything to inject. */
static int find_slot(struct ft_inject *inject, const struct task *task, struct ft_slot **out)
{
    char path[FT_TASK_PATH_BYTES];
    ft_task_path(task->tid, "exe", path);
    int ret = ft_slots_get(inject->slots, path, out);
    return ret ? ret : (*out)->error;
}

/** What stands against changing the task's image? */
static int check_image(struct ft_inject *inject, struct task *task,
                       struct ft_inject_waiting *waiting)
{
    int ret = find_slot(inject, task, &waiting->slot);
    if (ret != -ELIBBAD) { /* else it is no static one, and nobody misses it */
        int unfit = check_task(inject, task);
        if (waiting->slot && waiting->slot->is_exempt)
            note_exempt(inject, task);
        ret = unfit ? unfit : ret;
    }
    if (!ret && waiting->slot->is_movable)
        ret = ft_task_shift(task->tid, waiting->slot->entry, &waiting->shift);
    if (!ret && !is_in_code(waiting->slot, task->address - waiting->shift, FT_BOOTSTRAP_MAX_BYTES))
        ret = -EFAULT;
    if (!ret && !ft_worth_start(&inject->left, inject->log->head, waiting->slot, task->pid))
        ret = -ECANCELED;
    return ret;
}

/** Park 1. @return 0, or why the image will be watched by notification (negative) */
static int begin(struct ft_inject *inject, const struct seccomp_notif *notification,
                 struct task *task)
{
    struct ft_inject_waiting waiting = {0};
    int memory = -1;
    bool has_room = false;

    int ret = check_image(inject, task, &waiting);
    if (!ret && !(has_room = ft_room_take(inject->log->head)))
        ret = -EMFILE;
    if (!ret)
        ret = memory = ft_task_open(task->tid, "mem", O_RDWR);
    if (ret >= 0)
        ret = ft_inject_is_in(inject, memory) ? -EALREADY : 0;
    int place = ret ? ret : free_patch(inject);
    ret = place < 0 ? place : keep_code(inject, place, task, memory);
    if (!ret) {
        inject->waiting[place] = waiting;
        ret = write_bootstrap(inject, notification->id, place, task);
        if (!ret || inject->patches[place].tid)
            return ret; /* from here on the second park tidies up */
        inject->waiting[place] = (struct ft_inject_waiting){0};
    }
    if (memory >= 0)
        close(memory);
    if (has_room)
        ft_room_give_back(inject->log->head, 1);
    ft_slots_put(inject->slots, waiting.slot);
    return ret;
}

/** Give the code back what was there. */
static int restore(struct ft_inject *inject, int place)
{
    const struct ft_guard_patch *patch = &inject->patches[place];
    return ft_memory_write(patch->memory, patch->bytes, patch->size_bytes, patch->address);
}

/** What park() takes for an answer besides errors. */
enum { ANOTHER_TASK = 1, STILL_WAITING = 2 };

/** Park 2, or what looks like it. */
static int go_on(struct ft_inject *inject, int place, struct task *task)
{
    unsigned char byte;
    const struct ft_guard_patch *patch = &inject->patches[place];
    if (patch->address != task->address ||
        ft_memory_read(patch->memory, &byte, 1, patch->address)) {
        end_patch(inject, place); /* its memory is gone with it */
        return ANOTHER_TASK;
    }
    if (inject->waiting[place].is_unanswered) {
        inject->waiting[place].is_unanswered = false;
        return STILL_WAITING;
    }
    int ret = restore(inject, place);
    if (!ret)
        ret = ft_inject_patch(patch->memory, inject->waiting[place].slot,
                              inject->waiting[place].shift, task->address);
    end_patch(inject, place);
    return ret;
}

/** A new image is parked. */
static void park(struct ft_inject *inject, const struct seccomp_notif *notification)
{
    struct task task = {.tid = notification->pid,
                        .pid = notification->pid,
                        .address = notification->data.instruction_pointer};
    int place = find_patch(inject, task.tid);
    int ret = place >= 0 ? go_on(inject, place, &task) : ANOTHER_TASK;
    bool first = ret == ANOTHER_TASK;
    if (ret == STILL_WAITING)
        return;
    if (first)
        ret = begin(inject, notification, &task);
    /* Nobody misses what cannot be injected by its kind, is not worth it, or is there already. */
    if ((!first || ret) && ret != -ELIBBAD && ret != -ECANCELED && ret != -EALREADY)
        note_entered(inject, &task, ret);
}

static bool is_park(const struct seccomp_data *data)
{
    return data->arch == AUDIT_ARCH_X86_64 && data->nr == SYS_arch_prctl &&
           (uint32_t)data->args[0] == ARCH_SET_FS;
}

void ft_inject_before_answer(struct ft_inject *inject, const struct seccomp_notif *notification,
                             uint32_t pid)
{
    if (inject->slots && !inject->filters)
        look_around(inject, notification->pid);
    if (!inject->slots)
        return;
    if (is_park(&notification->data))
        park(inject, notification);
    else
        ft_inject_tell(inject, notification, pid != 0);
    if (pid)
        ft_worth_call(&inject->left, inject->log->head, pid);
}

void ft_inject_unanswered(struct ft_inject *inject, const struct seccomp_notif *notification)
{
    int place =
        inject->slots && is_park(&notification->data) ? find_patch(inject, notification->pid) : -1;
    if (place < 0)
        return;
    /* A signal has taken the call back: it is made again, unless the task is gone. */
    inject->waiting[place].is_unanswered = true;
}

void ft_inject_leave(struct ft_inject *inject)
{
    for (int i = 0; i < FT_GUARD_PATCHES; i++) {
        if (!inject->patches[i].tid)
            continue;
        ft_slots_put(inject->slots, inject->waiting[i].slot);
        inject->patches[i].tid = 0;
    }
}

void ft_inject_fini(struct ft_inject *inject)
{
    for (int i = 0; i < FT_GUARD_PATCHES; i++)
        if (inject->patches[i].tid)
            end_patch(inject, i);
}
