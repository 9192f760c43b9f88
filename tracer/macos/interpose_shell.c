/* SPDX-License-Identifier: MIT */
/* system and popen: they start /bin/sh from inside the system's libraries, where nothing is
 * interposed. */
#include <crt_externs.h>
#include <fcntl.h>
#include <string.h>

#include "tracer/macos/interpose_exec.h"

/** A call under way. */
struct shell_call {
    const char *command; /* what to have the shell do */
    void *text;          /* mapped: `command`, when it is ours */
    size_t text_bytes;
    char ***place; /* the program's environment, when it carries our variables for this call */
    char **kept;
    struct ft_preload_env env;
};

/** Append @text in single quotes. */
static uint32_t put_quoted(char *to, uint32_t n, uint32_t room_bytes, const char *text)
{
    n = ft_put_text(to, n, room_bytes, "'");
    for (; *text; text++) {
        const char one[] = {*text, '\0'};
        n = ft_put_text(to, n, room_bytes, *text == '\'' ? "'\\''" : one);
    }
    return ft_put_text(to, n, room_bytes, "'");
}

/** The system's shell would lose our variables: have it become the user's shell, which does the
 * command, and give it the variables itself. */
static void hand_over(struct shell_call *call)
{
    const struct ft_interpose_run *run = &ft_interpose_run;
    const char *value = run->attach + sizeof(FT_ENV);
    size_t length = strnlen(call->command, 1u << 20);

    call->text_bytes = 4 * (length + 3 * FT_IMAGE_PATH_MAX + FT_ATTACH_MAX) + 128;
    call->text = ft_preload_map(call->text_bytes);
    if (!call->text || length == 1u << 20)
        return; /* it runs as it is, unwatched */
    char *to = call->text;
    uint32_t room = (uint32_t)call->text_bytes;
    uint32_t n = ft_put_text(to, 0, room, "export DYLD_INSERT_LIBRARIES=");
    n = put_quoted(to, n, room, run->library);
    n = ft_put_text(to, n, room, " " FT_ENV "=");
    n = put_quoted(to, n, room, value);
    n = ft_put_text(to, n, room, "; exec ");
    n = put_quoted(to, n, room, run->shell);
    n = ft_put_text(to, n, room, " -c ");
    n = put_quoted(to, n, room, call->command);
    (void)ft_put_text(to, n, room, " sh");
    call->command = to;
}

/** Where our variables are gone from the program's environment, it carries them for this call. */
static void lend_variables(struct shell_call *call)
{
    const struct ft_preload_variables variables = ft_interpose_variables();

    call->place = _NSGetEnviron();
    if (!call->place || !*call->place)
        return;
    call->kept = *call->place;
    ft_preload_env_edit(&call->env, call->kept, true, &variables);
    if (call->env.entries == (char *const *)call->kept)
        call->place = NULL; /* nothing to do, nothing to undo */
    else
        *call->place = (char **)(uintptr_t)call->env.entries;
}

static void begin(struct shell_call *call, const char *command)
{
    int kept = errno;
    struct ft_looked looked;

    *call = (struct shell_call){.command = command};
    if (!ft_preload_log || !command)
        return;
    ft_plan_look(&ft_interpose_run.plan, FT_SYSTEM_SHELL, &looked);
    ft_note_at(FT_OP_posix_spawn, FT_READ, looked.error | FT_PATH_WAS_READ, AT_FDCWD,
               FT_SYSTEM_SHELL);
    if (looked.error || !looked.reason)
        lend_variables(call);
    else if (ft_interpose_run.shell[0])
        hand_over(call);
    if (!looked.error && looked.reason && !call->text)
        ft_note_reason(looked.reason, FT_SYSTEM_SHELL);
    errno = kept;
}

static void end(struct shell_call *call)
{
    int kept = errno;
    if (call->place) {
        *call->place = call->kept;
        ft_preload_env_fini(&call->env);
    }
    if (call->text)
        ft_preload_unmap(call->text, call->text_bytes);
    errno = kept;
}

#define SYSTEM(name)                                                                               \
    FT_ORIGINAL(int, name, (const char *command));                                                 \
    static int ft_our_##name(const char *command)                                                  \
    {                                                                                              \
        struct shell_call call;                                                                    \
        begin(&call, command);                                                                     \
        int result = ft_real_##name(call.command);                                                 \
        end(&call);                                                                                \
        return result;                                                                             \
    }                                                                                              \
    FT_INTERPOSE(name);
SYSTEM(system)
SYSTEM(system$NOCANCEL)

#define POPEN(name)                                                                                \
    FT_ORIGINAL(void *, name, (const char *command, const char *mode));                            \
    static void *ft_our_##name(const char *command, const char *mode)                              \
    {                                                                                              \
        struct shell_call call;                                                                    \
        begin(&call, command);                                                                     \
        void *stream = ft_real_##name(call.command, mode);                                         \
        end(&call);                                                                                \
        return stream;                                                                             \
    }                                                                                              \
    FT_INTERPOSE(name);
POPEN(popen)
POPEN(popen$DARWIN_EXTSN)
