/* SPDX-License-Identifier: MIT */
/* What happened, line by line. */
#include "report/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/md_escape.h"

static int keep(struct rep_log *log, enum rep_level level, char *line)
{
    if (!line || log->entries_count >= REP_LOG_MAX_LINES)
        return -1;
    if (!log->entries)
        log->entries = calloc(REP_LOG_MAX_LINES, sizeof(*log->entries));
    if (!log->entries)
        return -1;
    log->entries[log->entries_count++] = (struct rep_log_entry){.level = level, .line = line};
    return 0;
}

void rep_log(struct rep_log *log, enum rep_level level, const char *format, ...)
{
    char raw[REP_LOG_LINE_SIZE];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(raw, sizeof(raw), format, args);
    va_end(args);
    if (n < 0)
        return;

    struct buf line;
    buf_init(&line, (size_t)8 * REP_LOG_LINE_SIZE);
    tt_plain_escape(&line, raw, REP_LOG_LINE_SIZE);
    char *text = buf_take(&line);
    buf_fini(&line);
    if (log->sink && text)
        log->sink(log->context, level, text);
    if (keep(log, level, text)) {
        log->dropped_count++;
        free(text);
    }
}

void rep_log_fini(struct rep_log *log)
{
    for (size_t i = 0; i < log->entries_count; i++)
        free(log->entries[i].line);
    free(log->entries);
    log->entries = NULL;
    log->entries_count = log->dropped_count = 0;
}

int rep_log_command(struct buf *out, enum rep_level level, const char *line)
{
    static const char *const words[] = {
        [REP_INFO] = "notice", [REP_WARNING] = "warning", [REP_ERROR] = "error"};

    buf_printf(out, "::%s::", words[level]);
    for (const char *c = line; *c; c++) {
        if (*c == '%' || *c == '\r' || *c == '\n')
            buf_printf(out, "%%%02X", (unsigned int)(unsigned char)*c);
        else
            buf_append(out, c, 1);
    }
    return buf_status(out);
}
