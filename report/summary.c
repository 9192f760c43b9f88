/* SPDX-License-Identifier: MIT */
/* The job summary. */
#include "report/summary.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "harness/md_escape.h"
#include "report/comment.h"

#define LINE_MAX_CHARS 600

/* The comment without its marker and stamp, which would do no harm but say nothing. */
static const char *skip_head(const char *comment)
{
    while (!strncmp(comment, "<!-- tracetax:", 14)) {
        const char *end = strchr(comment, '\n');
        if (!end)
            break;
        comment = end + 1;
    }
    return comment;
}

int rep_summary(const char *comment, const struct rep_log *log, const char *failure,
                struct buf *out)
{
    static const char *const words[] = {
        [REP_INFO] = "", [REP_WARNING] = "**warning:** ", [REP_ERROR] = "**error:** "};

    if (comment && *comment)
        buf_puts(out, skip_head(comment));
    else
        buf_puts(out, "## tracetax benchmark\n");
    buf_puts(out, "\n");
    if (failure) {
        buf_puts(out, "> [!CAUTION]\n> ");
        tt_md_escape(out, failure, LINE_MAX_CHARS);
        buf_puts(out, "\n\n");
    }
    for (size_t i = 0; i < log->entries_count; i++) {
        buf_printf(out, "- %s", words[log->entries[i].level]);
        tt_md_escape(out, log->entries[i].line, LINE_MAX_CHARS);
        buf_puts(out, "\n");
    }
    if (log->dropped_count)
        buf_printf(out, "- and %zu more lines, in the log of the job\n", log->dropped_count);
    return buf_puts(out, "\n");
}

int rep_summary_append(const char *path, const struct buf *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0)
        return -errno;
    int ret = 0;
    for (size_t done = 0; done < text->size_bytes && !ret;) {
        ssize_t n = write(fd, text->data + done, text->size_bytes - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno != EINTR)
            ret = -errno;
    }
    if (close(fd) && !ret)
        ret = -errno;
    return ret;
}
