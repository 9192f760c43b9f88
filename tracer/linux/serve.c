/* SPDX-License-Identifier: MIT */
/* What the tracer does for watched processes while they run: serve listeners, trace tasks. */
#include "tracer/linux/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tracer/linux/request.h"

/** What else is open at some time: signals, the guard's and the keeper's, a process looked at. */
#define OTHER_DESCRIPTORS 10u

/** Each listener needs a descriptor here and a place in the guard. @highest descriptor in use */
static uint32_t room_for_listeners(int highest)
{
    struct rlimit limit;
    rlim_t used = (rlim_t)highest + 1 + OTHER_DESCRIPTORS;
    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur <= used)
        return 0;
    return limit.rlim_cur - used < FT_GUARD_SLOTS ? (uint32_t)(limit.rlim_cur - used)
                                                  : FT_GUARD_SLOTS;
}

static bool has_room(const struct ft_serving *serving)
{
    return __atomic_load_n(&serving->log->head->listeners_left, __ATOMIC_RELAXED) > 0;
}

static void give_back_listeners(struct ft_serving *serving, uint32_t count)
{
    ft_room_give_back(serving->log->head, count);
}

int ft_serving_open(struct ft_serving *serving, struct ft_log *log)
{
    serving->log = log;
    (void)pthread_mutex_init(&serving->slots.lock, NULL);
    serving->slots.log = log->head;
    if (pipe2(serving->requests, O_CLOEXEC | O_NONBLOCK))
        return -errno;
    give_back_listeners(serving, room_for_listeners(serving->requests[1]));
    serving->guard.log = log->head;
    serving->guard.log_fd = log->fd;
    serving->guard.requests[0] = serving->requests[0];
    serving->guard.requests[1] = serving->requests[1];
    serving->guard.taken = &serving->taken;
    return 0;
}

/** A tree of many short static programs makes a listener each: keep those in use. */
static void drop_finished(struct ft_serving *serving)
{
    size_t kept = 0;
    for (size_t i = 0; i < serving->supervisors_count; i++) {
        if (ft_supervisor_is_finished(serving->supervisors[i]))
            (void)ft_supervisor_stop(serving->supervisors[i]);
        else
            serving->supervisors[kept++] = serving->supervisors[i];
    }
    give_back_listeners(serving, (uint32_t)(serving->supervisors_count - kept));
    serving->supervisors_count = kept;
}

static int supervise(struct ft_serving *serving, int listener)
{
    drop_finished(serving);
    if (serving->supervisors_count == FT_GUARD_SLOTS)
        return -EMFILE;
    bool inject = serving->log->head->flags & FT_FLAG_INJECT;
    int ret = ft_supervisor_start(listener, serving->log, &serving->guard,
                                  inject ? &serving->slots : NULL,
                                  &serving->supervisors[serving->supervisors_count]);
    if (!ret)
        serving->supervisors_count++;
    return ret;
}

static int serve_listener(struct ft_serving *serving, const struct ft_request *request)
{
    int listener = ft_request_take(request);
    int ret = listener < 0 ? listener : supervise(serving, listener);
    if (ret && listener >= 0)
        close(listener);
    if (ret)
        give_back_listeners(serving, 1);
    return ret;
}

static int trace_task(struct ft_serving *serving, const struct ft_request *request,
                      enum ft_keeper_mode mode)
{
    int ret = ft_keeper_start(&serving->keeper, serving->log);
    return ret ? ret : ft_keeper_attach(&serving->keeper, request, mode);
}

static void serve_request(struct ft_serving *serving, const struct ft_request *request)
{
    int ret = -EINVAL;
    bool answered_later = false;

    switch (request->kind) {
    case FT_REQUEST_LAUNCHED:
        serving->launched = true;
        return;
    case FT_REQUEST_GUARD:
        ret = ft_guard_start(&serving->guard);
        break;
    case FT_REQUEST_LISTENER:
        ret = serve_listener(serving, request);
        break;
    case FT_REQUEST_TRACE_FILTER:
    case FT_REQUEST_TRACE_EVERY:
        ret = trace_task(serving, request,
                         request->kind == FT_REQUEST_TRACE_FILTER ? FT_KEEPER_FILTER
                                                                  : FT_KEEPER_EVERY);
        answered_later = !ret;
        break;
    default:
        break;
    }
    if (!answered_later)
        ft_request_answer(serving->log->head, request, ret);
}

void ft_serving_serve(struct ft_serving *serving)
{
    /* Should we be killed now, the guard finds here what it finds in the pipe no more. */
    struct ft_request *taken = &serving->taken;
    while (read(serving->requests[0], taken, sizeof(*taken)) == (ssize_t)sizeof(*taken)) {
        serve_request(serving, taken);
        taken->kind = FT_REQUEST_NONE;
    }
    ft_request_sweep(serving->log->head);
    serving->threadless = false;
    for (size_t i = 0; i < serving->supervisors_count; i++)
        serving->threadless |= ft_supervisor_serve(serving->supervisors[i]);
    if (!has_room(serving))
        drop_finished(serving);
}

bool ft_serving_is_due(const struct ft_serving *serving)
{
    return serving->threadless || !has_room(serving);
}

bool ft_serving_stop(struct ft_serving *serving)
{
    bool left = false;
    for (size_t i = 0; i < serving->supervisors_count; i++)
        left |= ft_supervisor_stop(serving->supervisors[i]);
    if (!left)
        ft_guard_dismiss(&serving->guard);
    return ft_keeper_stop(&serving->keeper) || left;
}

void ft_serving_close(struct ft_serving *serving)
{
    ft_slots_fini(&serving->slots);
    if (serving->guard.pid)
        return;
    for (int i = 0; i < 2; i++) {
        if (serving->requests[i] >= 0)
            close(serving->requests[i]);
    }
}
