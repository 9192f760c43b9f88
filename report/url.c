/* SPDX-License-Identifier: MIT */
/* Which addresses may be talked to. */
#include "report/url.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <curl/curl.h>

bool rep_url_host_is_loopback(const char *host)
{
    return !strcmp(host, "127.0.0.1") || !strcmp(host, "[::1]") || !strcasecmp(host, "localhost");
}

/* A part of a URL that must be there; NULL when it is not. For curl_free(). */
static char *part_of(CURLU *url, CURLUPart part, unsigned int flags)
{
    char *text = NULL;
    return curl_url_get(url, part, &text, flags) == CURLUE_OK ? text : NULL;
}

static int parse(const char *text, CURLU **out)
{
    *out = NULL;
    if (strnlen(text, REP_URL_MAX_BYTES + 1) > REP_URL_MAX_BYTES)
        return -EINVAL;
    CURLU *url = curl_url();
    if (!url)
        return -ENOMEM;
    if (curl_url_set(url, CURLUPART_URL, text, 0) != CURLUE_OK) {
        curl_url_cleanup(url);
        return -EINVAL;
    }
    *out = url;
    return 0;
}

int rep_url_check(const char *text, bool may_be_plain)
{
    CURLU *url = NULL;
    int ret = parse(text, &url);
    if (ret)
        return ret;

    char *scheme = part_of(url, CURLUPART_SCHEME, 0);
    char *host = part_of(url, CURLUPART_HOST, 0);
    char *user = part_of(url, CURLUPART_USER, 0);
    char *password = part_of(url, CURLUPART_PASSWORD, 0);
    if (!scheme || !host || user || password) {
        ret = -EINVAL;
    } else if (strcmp(scheme, "https") != 0) {
        bool plain = may_be_plain && !strcmp(scheme, "http") && rep_url_host_is_loopback(host);
        ret = plain ? 0 : -EPERM;
    }
    curl_free(scheme);
    curl_free(host);
    curl_free(user);
    curl_free(password);
    curl_url_cleanup(url);
    return ret;
}

static bool same_part(CURLU *a, CURLU *b, CURLUPart part, unsigned int flags)
{
    char *x = part_of(a, part, flags);
    char *y = part_of(b, part, flags);
    bool same = x && y && !strcasecmp(x, y);
    curl_free(x);
    curl_free(y);
    return same;
}

bool rep_url_same_origin(const char *a, const char *b)
{
    CURLU *x = NULL;
    CURLU *y = NULL;
    bool same = !parse(a, &x) && !parse(b, &y) && same_part(x, y, CURLUPART_SCHEME, 0) &&
                same_part(x, y, CURLUPART_HOST, 0) &&
                same_part(x, y, CURLUPART_PORT, CURLU_DEFAULT_PORT);
    if (x)
        curl_url_cleanup(x);
    if (y)
        curl_url_cleanup(y);
    return same;
}

int rep_url_next_of_link(const char *header, char **out)
{
    *out = NULL;
    for (const char *open = strchr(header, '<'); open; open = strchr(open + 1, '<')) {
        const char *close = strchr(open, '>');
        if (!close)
            return 0;
        /* the parameters of this address end at the next one */
        const char *end = strchr(close, '<');
        size_t rest = end ? (size_t)(end - close) : strlen(close);
        char *parameters = strndup(close, rest);
        if (!parameters)
            return -ENOMEM;
        bool is_next = strstr(parameters, "rel=\"next\"") || strstr(parameters, "rel=next");
        free(parameters);
        if (is_next) {
            *out = strndup(open + 1, (size_t)(close - open - 1));
            return *out ? 0 : -ENOMEM;
        }
        open = close;
    }
    return 0;
}

int rep_url_encode(struct buf *out, const char *text)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    for (const char *c = text; *c; c++) {
        if (strchr(plain, *c))
            buf_append(out, c, 1);
        else
            buf_printf(out, "%%%02X", (unsigned int)(unsigned char)*c);
    }
    return buf_status(out);
}
