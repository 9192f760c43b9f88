/* SPDX-License-Identifier: MIT */
/* Raw traces: the log as it was recorded, in a file. */
#ifndef TRACER_RAW_H
#define TRACER_RAW_H

#include <stdio.h>

#include "common/compiler.h"
#include "common/err.h"
#include "tracer/trace.h"

/** Write a raw trace's head. @return 0, or what the stream says */
MUST_USE int ft_raw_write_head(FILE *stream);

/** Write records (an ft_log_sink; @stream is a FILE). @return 0, or what the stream says */
int ft_raw_write_records(void *stream, const struct ft_record *records, size_t size_bytes);

/** Write the last record. @return 0, or what the stream says */
MUST_USE int ft_raw_write_summary(FILE *stream, const struct ft_raw_summary *summary);

/**
 * Read a raw trace and feed it to a decoder, in bounded memory.
 * @name   what to call the input in errors
 * @ops    receives the table of operation names, the caller's to free() after the decoder
 * @return 0; -EPROTO (not a raw trace, cut, corrupt), -ENOTSUP (a newer version, or another
 *         byte order), -ENOMEM, or what the decoder's sink returned
 */
MUST_USE int ft_raw_read(FILE *stream, const char *name, struct ft_decoder *decoder, char **ops,
                         struct err *err);

#endif
