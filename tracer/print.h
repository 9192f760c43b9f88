/* SPDX-License-Identifier: MIT */
/* Traces as text, JSON lines and NUL-separated fields; docs/format.md says how they look. */
#ifndef TRACER_PRINT_H
#define TRACER_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "common/compiler.h"
#include "tracer/trace.h"

enum ft_format {
    FT_FORMAT_TEXT,
    FT_FORMAT_JSON,
    FT_FORMAT_NUL,
    FT_FORMAT_RAW, /**< not printed: what ft_raw_* write */
};

/** Find a format by its name ("text", "json", "nul", "raw"). @return 0 or -EINVAL */
MUST_USE int ft_format_parse(const char *name, enum ft_format *out);

struct ft_printer;

/**
 * @stream borrowed; written to until ft_printer_free()
 * @all    print repeats too. Otherwise a repeat of the same (process, op, access, path,
 *         error) is dropped as long as the memory for knowing it (32 MiB) reaches; a first
 *         occurrence is always printed
 * @return 0 or -ENOMEM
 */
MUST_USE int ft_printer_new(FILE *stream, enum ft_format format, bool all, struct ft_printer **out);

/** Print an access (an ft_access_sink). @context the printer @return 0, or -EIO and such when the
 * stream fails */
int ft_printer_access(void *context, const struct ft_access *access);

/** Print the summary line, where the format has one. @return as ft_printer_access() */
MUST_USE int ft_printer_summary(struct ft_printer *printer, const struct ft_summary *summary);

void ft_printer_free(struct ft_printer *printer);

#endif
