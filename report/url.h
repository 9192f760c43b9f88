/* SPDX-License-Identifier: MIT */
/* Which addresses may be talked to. Pure, but for the parser of libcurl. */
#ifndef REPORT_URL_H
#define REPORT_URL_H

#include <stdbool.h>

#include "common/buf.h"
#include "common/compiler.h"

/** Longest address that is looked at. */
#define REP_URL_MAX_BYTES 8192

/** True for 127.0.0.1, [::1] and localhost: the only hosts for plain http. */
bool rep_url_host_is_loopback(const char *host);

/**
 * May a request be sent to this address?
 * @may_be_plain http is allowed too, for a loopback host
 * @return 0, -EINVAL (not a URL, or one with a user name or password), -EPERM (a scheme or
 *         host that is not allowed), -ENOMEM
 */
MUST_USE int rep_url_check(const char *url, bool may_be_plain);

/** True when both have the same scheme, host and port; false also for what is not a URL. */
bool rep_url_same_origin(const char *a, const char *b);

/**
 * Find the address of rel="next" in a header Link (RFC 8288).
 * @header its value
 * @out    the caller's to free(); NULL when there is none
 * @return 0 or -ENOMEM
 */
MUST_USE int rep_url_next_of_link(const char *header, char **out);

/** Append @text percent-encoded for a path segment or query value. @return as buf_status(). */
int rep_url_encode(struct buf *out, const char *text);

#endif
