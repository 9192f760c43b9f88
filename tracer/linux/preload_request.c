/* SPDX-License-Identifier: MIT */
/* From inside a watched program: put the filter on this thread and have the tracer serve it. */
#include "tracer/linux/preload_request.h"

#include <linux/errno.h>
#include <linux/fcntl.h>

#include "tracer/image.h"
#include "tracer/linux/enter.h"
#include "tracer/linux/filter.h"
#include "tracer/linux/preload_allowed.h"
#include "tracer/linux/preload_env.h"
#include "tracer/linux/sys.h"

bool ft_preload_has_filter(void)
{
    return ft_own_allowed(FT_OWN_ENTER) &&
           SYS4(__NR_prctl, FT_FILTER_PROBE, 0, 0, 0) == -FT_FILTER_PROBE_ERROR;
}

/** Open the tracer's request pipe through its /proc entry. */
static int open_pipe(void)
{
    const char *value = ft_preload_env;
    char path[64];
    uint32_t colon[3], colons = 0;

    for (uint32_t i = 0; value[i] && colons < 3; i++)
        if (value[i] == ':')
            colon[colons++] = i;
    if (colons < 3)
        return -EINVAL;
    uint32_t n = ft_put_text(path, 0, sizeof(path), "/proc/");
    for (uint32_t i = 0; i < colon[0] && n + 1 < sizeof(path); i++)
        path[n++] = value[i];
    n = ft_put_text(path, n, sizeof(path), "/fd/");
    for (uint32_t i = colon[1] + 1; i < colon[2] && n + 1 < sizeof(path); i++)
        path[n++] = value[i];
    path[n] = '\0';
    /* With a reading end of our own: should the tracer be killed now, writing raises no SIGPIPE. */
    return (int)SYS4(__NR_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
}

void ft_preload_enter_filter(const char *image, bool by_ptrace)
{
    if (!ft_own_allowed(FT_OWN_ENTER))
        return ft_note_reason(FT_REASON_NO_FILTER, image);
    if (ft_preload_has_filter())
        return;
    /* The pipe first: once the filter is on, our own open would wait for its answer. */
    int pipe = open_pipe();
    int ret = pipe < 0 ? pipe : ft_enter(ft_preload_log, pipe, by_ptrace);
    if (pipe >= 0)
        SYS1(__NR_close, pipe);
    if (ret)
        ft_note_reason(FT_REASON_NO_FILTER, image);
}
