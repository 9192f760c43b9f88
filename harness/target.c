/* SPDX-License-Identifier: MIT */
/* One target: prepare, warm up, pilot, rounds; every tracked run's trace is checked. */
#include "harness/target.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/folder.h"
#include "common/proc.h"
#include "harness/argv.h"
#include "harness/plan.h"
#include "harness/platform.h"
#include "harness/stats.h"
#include "harness/trace_check.h"
#include "harness/workspace.h"

#define MAX_PATHS_BYTES (256u << 20)
#define MAX_MESSAGE_BYTES 4096u
#define NS_PER_S 1e9

/* The benchmark's tracked arm records only; printing is not what is measured. */
static const char *const filetrace_template[] = {"{tracker}", "-f", "raw",       "-o",
                                                 "{trace}",   "--", "{command}", NULL};
#define BACKEND_PLACE 1 /* behind the program, before the other options */

/** A target while it is measured. */
struct session {
    const struct tt_bench *bench;
    const struct tt_suite_target *suite_target;
    struct tt_target *out;
    struct tt_plan plan;
    struct tt_run_state state;
    char *dir;                  /**< {dir}; owned */
    char *trace[TT_ARM_COUNT];  /**< {trace}; owned, NULL for the untracked arm */
    char **argv[TT_ARM_COUNT];  /**< owned, NULL for an arm that is not run */
    struct tt_paths *paths;     /**< what a trace must hold; NULL: traces are not checked */
    bool checked[TT_ARM_COUNT]; /**< a trace of this arm was checked already */
};

/** All filetrace's, or another tracker's command? */
static bool is_ours(const struct tt_suite_target *target)
{
    return !target->tracker;
}

/** Make the target void; the first reason stays. @return 0, or -ENOMEM */
static int make_void(struct session *session, const char *reason)
{
    if (session->out->void_reason)
        return 0;
    session->out->void_reason = tt_platform_clean(reason);
    return session->out->void_reason ? 0 : -ENOMEM;
}

static bool is_stopped(const struct session *session)
{
    const struct tt_run_hooks *hooks = session->bench->hooks;
    return hooks->stop && *hooks->stop;
}

static void tell(struct session *session)
{
    const struct tt_run_hooks *hooks = session->bench->hooks;
    if (hooks->progress)
        hooks->progress(hooks->context, &session->state);
}

static int expand(const struct session *session, char **template, char ***out, struct err *err)
{
    const struct tt_argv_values values = {.bin = session->bench->bin_dir, .dir = session->dir};
    int ret = tt_argv_expand(tt_argv_view(template), &values, out);
    return ret ? err_set(err, ret, "cannot make the command %s: %s", template[0], err_text(ret))
               : 0;
}

/**
 * Run a command outside the clock.
 * @out what it prints, or NULL
 * @return 0; -EIO when it fails, in words; or from the start
 */
static int run_aside(char **argv, struct buf *out, struct err *err)
{
    struct proc_result result;
    struct buf message;

    buf_init(&message, MAX_MESSAGE_BYTES);
    const struct proc_spec spec = {.argv = tt_argv_view(argv),
                                   .in = PROC_NULL,
                                   .out = out ? PROC_CAPTURE : PROC_NULL,
                                   .out_buf = out,
                                   .err = PROC_CAPTURE,
                                   .err_buf = &message};
    int ret = proc_run(&spec, &result, err);
    if (!ret && (result.signal || result.exit_code))
        ret = err_set(err, -EIO, "%s failed with %s %d: %.*s", argv[0],
                      result.signal ? "signal" : "exit status",
                      result.signal ? result.signal : result.exit_code,
                      message.data ? (int)strcspn(message.data, "\n") : 0,
                      message.data ? message.data : "");
    if (!ret && out && out->size_bytes == out->limit_bytes)
        ret = err_set(err, -EFBIG, "%s printed more than %zu bytes", argv[0], out->limit_bytes);
    buf_fini(&message);
    return ret;
}

/** Make the target's folder and files, and learn what a trace must hold. */
static int prepare(struct session *session, struct err *err)
{
    const struct tt_suite_target *target = session->suite_target;
    char **argv = NULL;
    struct buf lines;

    session->state.phase = "prepare";
    tell(session);
    buf_init(&lines, MAX_PATHS_BYTES);
    int ret = file_make_dirs(session->dir, err);
    if (!ret && target->prepare) {
        ret = expand(session, target->prepare, &argv, err);
        if (!ret)
            ret = run_aside(argv, NULL, err);
        tt_argv_free(argv);
        argv = NULL;
    }
    if (!ret && target->paths) {
        ret = expand(session, target->paths, &argv, err);
        if (!ret)
            ret = run_aside(argv, &lines, err);
    }
    if (!ret && is_ours(target)) {
        ret = tt_paths_new(lines.data ? lines.data : "", lines.size_bytes, &session->paths);
        if (ret)
            (void)err_set(err, ret, "cannot take in the expected paths: %s", err_text(ret));
    }
    tt_argv_free(argv);
    buf_fini(&lines);
    return ret;
}

/** filetrace's, with the way in that the target names; for tt_argv_expand(). */
static void make_template(const struct tt_suite_target *target, const char **out)
{
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_LEN(filetrace_template); i++) {
        if (i == BACKEND_PLACE && target->backend) {
            out[count++] = "--backend";
            out[count++] = target->backend;
        }
        out[count++] = filetrace_template[i];
    }
}

/** The arms' commands. Traces have names of one length, whatever the arm. */
static int make_commands(struct session *session, struct err *err)
{
    static const char *const trace_names[TT_ARM_COUNT] = {NULL, "head.trace", "base.trace"};
    const struct tt_bench *bench = session->bench;
    const char *ours[ARRAY_LEN(filetrace_template) + 2];
    char **command = NULL;

    make_template(session->suite_target, ours);
    int ret = expand(session, session->suite_target->command, &command, err);
    for (size_t i = 0; !ret && i < session->plan.arms_count; i++) {
        enum tt_arm arm = session->plan.arm[i];
        struct tt_argv_values values = {.bin = bench->bin_dir,
                                        .dir = session->dir,
                                        .tracker = bench->tracker[arm],
                                        .command = tt_argv_view(command)};
        static const char *const untracked[] = {"{command}", NULL};
        const char *const *template =
            is_ours(session->suite_target) ? ours : tt_argv_view(session->suite_target->tracker);
        if (trace_names[arm]) {
            session->trace[arm] = tt_workspace_path(bench->work_dir, trace_names[arm]);
            values.trace = session->trace[arm];
            ret = values.trace ? 0 : -ENOMEM;
        } else {
            template = untracked;
        }
        if (!ret)
            ret = tt_argv_expand(template, &values, &session->argv[arm]);
        if (ret)
            (void)err_set(err, ret, "cannot make the command of arm %s: %s", tt_arm_name(arm),
                          err_text(ret));
    }
    tt_argv_free(command);
    return ret;
}

/** Check the trace of a run that has just ended, and remove it. */
static int check_trace(struct session *session, enum tt_arm arm, struct err *err)
{
    struct tt_trace_check *check = &session->out->trace[arm];
    struct err reason;
    int ret = 0;

    if (session->paths) {
        ret = tt_trace_check(session->bench->tracker[arm], session->trace[arm], session->paths,
                             !session->checked[arm], check, err);
        session->checked[arm] = true;
    }
    (void)file_remove(session->trace[arm]); /* a foreign tracker may write none */
    if (ret == -ENOMEM)
        return ret;
    if (ret && is_stopped(session)) /* printing failed because of the signal */
        return -EINTR;
    if (ret) {
        check->complete = false;
        return make_void(session, err->text);
    }
    size_t length;
    const char *unseen = session->paths ? tt_paths_unseen(session->paths, &length) : NULL;
    if (!unseen)
        return 0;
    size_t count = tt_paths_count(session->paths);
    (void)err_set(&reason, 0,
                  "the trace of arm %s lacks %zu of %zu paths that the program used, such as %.*s",
                  tt_arm_name(arm), count - tt_paths_seen(session->paths), count,
                  (int)(length > 120 ? 120 : length), unseen);
    return make_void(session, reason.text);
}

/** One run of one arm; a run that failed makes the target void. */
static int run_arm(struct session *session, enum tt_arm arm, size_t round, uint64_t *out_ns,
                   struct err *err)
{
    const char *const *argv = tt_argv_view(session->argv[arm]);
    struct err reason;
    struct tt_timing timing;

    *out_ns = 0;
    if (is_stopped(session))
        return -EINTR;
    int ret = session->bench->engine->time(session->bench->engine, argv, &timing, err);
    if (is_stopped(session)) /* what failed now did so because of the signal */
        return -EINTR;
    if (ret == -ENOMEM)
        return ret;
    if (ret) {
        (void)err_set(&reason, 0, "arm %s, %s %zu: %s", tt_arm_name(arm), session->state.phase,
                      round + 1, err->text);
        return make_void(session, reason.text);
    }
    if (timing.exit_code) {
        (void)err_set(&reason, 0, "arm %s, %s %zu: %s ended with exit status %d", tt_arm_name(arm),
                      session->state.phase, round + 1, argv[0], timing.exit_code);
        if (session->trace[arm])
            (void)file_remove(session->trace[arm]);
        return make_void(session, reason.text);
    }
    if (timing.wall_ns > TT_RESULT_MAX_SAMPLE_NS)
        return make_void(session, "a run took longer than a day");
    *out_ns = timing.wall_ns;
    return session->trace[arm] ? check_trace(session, arm, err) : 0;
}

/**
 * Rounds of every arm in turn, until they are done, the target is void or the time is over.
 * @ns          arms' times, or NULL for rounds that are thrown away
 * @deadline_ns of the monotonic clock; 0 for none; looked at after each round
 * @done        whole rounds
 */
static int run_rounds(struct session *session, const char *phase, size_t rounds,
                      uint64_t *ns[TT_ARM_COUNT], uint64_t deadline_ns, size_t *done,
                      struct err *err)
{
    uint64_t start_ns = clock_monotonic_ns();
    int ret = 0;

    *done = 0;
    session->state.phase = phase;
    session->state.total = rounds;
    while (!ret && *done < rounds && !session->out->void_reason) {
        enum tt_arm order[TT_ARM_COUNT];
        uint64_t took_ns;

        session->state.done = *done;
        double passed_s = (double)(clock_monotonic_ns() - start_ns) / NS_PER_S;
        session->state.seconds_left =
            *done ? passed_s / (double)*done * (double)(rounds - *done) : -1;
        tell(session);
        tt_plan_order(&session->plan, *done, order);
        for (size_t i = 0; !ret && i < session->plan.arms_count && !session->out->void_reason;
             i++) {
            ret = run_arm(session, order[i], *done, &took_ns, err);
            if (ns)
                ns[order[i]][*done] = took_ns;
        }
        if (!ret && !session->out->void_reason)
            ++*done;
        if (deadline_ns && clock_monotonic_ns() >= deadline_ns)
            break;
    }
    return ret;
}

static void free_times(uint64_t *ns[TT_ARM_COUNT])
{
    for (int i = 0; i < TT_ARM_COUNT; i++)
        free(ns[i]);
}

static int make_times(const struct tt_plan *plan, size_t rounds, uint64_t *ns[TT_ARM_COUNT])
{
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): nothing is lost, a plan has each arm once */
    for (size_t i = 0; i < plan->arms_count; i++) {
        ns[plan->arm[i]] = calloc(rounds, sizeof(*ns[0]));
        if (!ns[plan->arm[i]])
            return -ENOMEM;
    }
    return 0;
}

/** The largest spread of the ratios that the target's result will hold. */
static double pilot_spread(uint64_t *ns[TT_ARM_COUNT], size_t rounds)
{
    double spread = tt_plan_log_ratio_sd(ns[TT_ARM_TRACKED], ns[TT_ARM_UNTRACKED], rounds);
    if (ns[TT_ARM_TRACKED_BASE])
        spread =
            fmax(spread, tt_plan_log_ratio_sd(ns[TT_ARM_TRACKED], ns[TT_ARM_TRACKED_BASE], rounds));
    return spread;
}

/** Let a pilot decide how many rounds there are; its times are thrown away. */
static int run_pilot(struct session *session, uint64_t deadline_ns, size_t *rounds, struct err *err)
{
    uint64_t *ns[TT_ARM_COUNT] = {0};
    size_t done = 0;

    *rounds = 0;
    uint64_t start_ns = clock_monotonic_ns();
    int ret = make_times(&session->plan, TT_PLAN_PILOT_ROUNDS, ns);
    if (!ret)
        ret = run_rounds(session, "pilot", TT_PLAN_PILOT_ROUNDS, ns, deadline_ns, &done, err);
    uint64_t now_ns = clock_monotonic_ns();
    if (!ret && done) {
        double round_s = (double)(now_ns - start_ns) / NS_PER_S / (double)done;
        double left_s = deadline_ns > now_ns ? (double)(deadline_ns - now_ns) / NS_PER_S : 0;
        *rounds = tt_plan_rounds(pilot_spread(ns, done), round_s, left_s);
    }
    free_times(ns);
    return ret;
}

/** Warm up, find the number of rounds, run them; fill the samples. */
static int measure(struct session *session, struct err *err)
{
    const struct tt_run_options *options = session->bench->options;
    uint64_t *ns[TT_ARM_COUNT] = {0};
    uint64_t deadline_ns = 0;
    size_t rounds = (size_t)options->rounds;
    size_t done = 0;

    if (!rounds)
        deadline_ns = clock_monotonic_ns() + (uint64_t)(options->max_time_s * NS_PER_S);
    int ret = run_rounds(session, "warm-up", options->warmup_rounds, NULL, deadline_ns, &done, err);
    if (!ret && !rounds)
        ret = run_pilot(session, deadline_ns, &rounds, err);
    if (ret || session->out->void_reason)
        return ret;
    ret = make_times(&session->plan, rounds, ns);
    if (!ret)
        ret = run_rounds(session, "round", rounds, ns, deadline_ns, &done, err);
    for (int arm = 0; !ret && done && arm < TT_ARM_COUNT; arm++) {
        session->out->arm[arm] = (struct tt_samples){.ns = ns[arm], .count = ns[arm] ? done : 0};
        ns[arm] = NULL; /* moved into the target */
    }
    free_times(ns);
    return ret;
}

/** The ratios of a target that is not void. */
static int estimate(struct tt_target *target)
{
    const struct tt_samples *head = &target->arm[TT_ARM_TRACKED];
    const struct tt_samples *base = &target->arm[TT_ARM_TRACKED_BASE];

    if (target->void_reason)
        return 0;
    int ret = tt_stats_ratio(head, &target->arm[TT_ARM_UNTRACKED], &target->overhead);
    if (!ret && base->count)
        ret = tt_stats_ratio(head, base, &target->head_base);
    return ret;
}

static void end_session(struct session *session)
{
    folder_remove(session->dir);
    free(session->dir);
    for (int i = 0; i < TT_ARM_COUNT; i++) {
        free(session->trace[i]);
        tt_argv_free(session->argv[i]);
    }
    tt_paths_free(session->paths);
}

int tt_target_run(const struct tt_bench *bench, const struct tt_suite_target *target, size_t number,
                  size_t count, struct tt_target *out, struct err *err)
{
    struct session session = {.bench = bench, .suite_target = target, .out = out};
    struct err why = {0};

    session.state = (struct tt_run_state){.target = target->name,
                                          .operation = target->operation,
                                          .target_number = number,
                                          .targets_count = count,
                                          .seconds_left = -1};
    tt_plan_init(&session.plan, bench->tracker[TT_ARM_TRACKED_BASE] != NULL, bench->options->seed);
    out->name = strdup(target->name);
    out->operation = strdup(target->operation);
    out->operations_count = target->operations_count;
    session.dir = tt_workspace_path(bench->work_dir, "files");
    int ret = out->name && out->operation && session.dir ? 0 : -ENOMEM;
    if (!ret)
        ret = prepare(&session, &why);
    if (!ret)
        ret = make_commands(&session, &why);
    if (!ret)
        ret = measure(&session, &why);
    else if (is_stopped(&session))
        ret = -EINTR;
    else if (ret != -ENOMEM)
        ret = make_void(&session, why.text);
    if (!ret)
        ret = estimate(out);
    end_session(&session);
    return ret ? err_set(err, ret, "cannot measure %s: %s", target->name, err_text(ret)) : 0;
}

/** Can the program of a template be found? Only those in our own folder have a placeholder. */
static int check_program(const struct tt_bench *bench, char **template, struct err *err)
{
    const struct tt_argv_values values = {.bin = bench->bin_dir};
    const char *const program[] = {template[0], NULL};
    char **argv = NULL;
    char *found = NULL;

    int ret = tt_argv_expand(program, &values, &argv);
    if (!ret)
        ret = proc_find(argv[0], &found);
    if (ret)
        (void)err_set(err, ret, "cannot run %s: %s; build or install it", argv ? argv[0] : "?",
                      err_text(ret));
    free(found);
    tt_argv_free(argv);
    return ret;
}

int tt_target_check(const struct tt_bench *bench, const struct tt_suite_target *target,
                    struct err *err)
{
    char **const templates[] = {target->prepare, target->command, target->paths, target->tracker};

    if (!is_ours(target) && bench->options->base)
        return err_set(err, -EINVAL,
                       "--base: target %s is not tracked by filetrace; leave --base out",
                       target->name);
    for (size_t i = 0; i < ARRAY_LEN(templates); i++) {
        int ret = templates[i] ? check_program(bench, templates[i], err) : 0;
        if (ret)
            return ret;
    }
    return 0;
}
