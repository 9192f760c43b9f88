/* SPDX-License-Identifier: MIT */
/* What comes back from one try of a request: the body, counted, and the headers that matter. */
#ifndef REPORT_TRANSFER_H
#define REPORT_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"

/** Filled while libcurl runs. */
struct rep_transfer {
    struct buf *body;             /**< borrowed; its limit is the body's */
    bool too_large;               /**< the limit was reached: the transfer was ended */
    char *link, *location;        /**< owned; headers of these names, or NULL */
    int64_t retry_after_s;        /**< -1: no such header */
    int64_t ratelimit_remaining;  /**< -1: no such header */
    int64_t ratelimit_reset_unix; /**< -1: no such header */
};

/** Start with an empty body. */
void rep_transfer_init(struct rep_transfer *transfer, struct buf *body);

/** Free the headers; the body is the caller's. */
void rep_transfer_fini(struct rep_transfer *transfer);

/** For CURLOPT_WRITEFUNCTION, with the transfer as its data. */
size_t rep_transfer_on_body(char *data, size_t size, size_t count, void *context);

/** For CURLOPT_HEADERFUNCTION, with the transfer as its data. */
size_t rep_transfer_on_header(char *line, size_t size, size_t count, void *context);

#endif
