/* SPDX-License-Identifier: MIT */
/* Small texts that options, headers and names are made of, against the C library's own reading. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#include "common/err.h"
#include "common/num.h"
#include "common/utf8.h"
#include "fuzz.h"
#include "report/artifact.h"
#include "report/comment.h"
#include "report/log.h"
#include "report/url.h"
#include "report/when.h"

#define MAX_TEXT_BYTES (1u << 20)

static void check_numbers(const char *text)
{
    uint64_t whole = 1;
    double real = 1;
    int ret = num_parse_u64(text, 3, UINT64_MAX, &whole);
    if (!ret) {
        char *end;
        FUZZ_CHECK(text[0] && !text[strspn(text, "0123456789")], "not only digits");
        errno = 0;
        FUZZ_CHECK(strtoull(text, &end, 10) == whole && !errno && !*end, "another number");
    } else {
        FUZZ_CHECK(!whole && (ret == -EINVAL || ret == -ERANGE), "a failure with a number");
    }
    ret = num_parse_double(text, -1e9, 1e9, &real);
    FUZZ_CHECK(ret ? real == 0 : isfinite(real) && fabs(real) <= 1e9, "a number out of range");
}

static void check_names(const char *text)
{
    struct rep_artifact artifact = {0};
    struct rep_stamp stamp;
    int64_t when = 1;
    if (!rep_artifact_parse_name(text, &artifact))
        FUZZ_CHECK(!strchr(artifact.platform, '.') && !strchr(artifact.platform, '/') &&
                       artifact.shard <= artifact.shards,
                   "a name that no path may hold");
    int ret = rep_when_parse(text, &when);
    FUZZ_CHECK(ret ? when == 0 : when >= 0 && when < INT64_C(253402300801), "a time of no year");
    FUZZ_CHECK(rep_comment_is_marked(text) == rep_comment_same_marker(text, text),
               "a marker that is not its own");
    if (!rep_comment_read_stamp(text, &stamp))
        FUZZ_CHECK(!rep_stamp_is_newer(&stamp, &stamp), "newer than itself");
    FUZZ_CHECK(rep_comment_same_text(text, text), "not the same as itself");
}

static void check_url(const char *text)
{
    struct buf encoded;
    char *next = NULL;
    if (!rep_url_check(text, false)) {
        FUZZ_CHECK(!strncasecmp(text, "https:", 6) || !strstr(text, "://"), "another scheme");
        FUZZ_CHECK(rep_url_same_origin(text, text), "not the same as itself");
    }
    FUZZ_CHECK(!rep_url_next_of_link(text, &next), "no memory");
    FUZZ_CHECK(!next || strstr(text, next), "an address that is not in the header");
    free(next);
    buf_init(&encoded, MAX_TEXT_BYTES);
    if (!rep_url_encode(&encoded, text) && encoded.data)
        FUZZ_CHECK(!strpbrk(encoded.data, "/?#&= \r\n@:"), "it ends a part of an address");
    buf_fini(&encoded);
}

/* A line of the log, and as a workflow command: it starts no line and no command of its own. */
static void check_line(const char *text)
{
    struct rep_log log = {0};
    struct buf command;
    rep_log(&log, REP_WARNING, "%s", text);
    const char *line = log.entries_count ? log.entries[0].line : "";
    for (const char *c = line; *c; c++)
        FUZZ_CHECK((unsigned char)*c >= 0x20 && *c != 0x7f, "a control character in a line");
    FUZZ_CHECK(utf8_is_valid(line, strlen(line)), "a line that is not UTF-8");
    FUZZ_CHECK(!strstr(line, "##["), "a command inside a line");
    struct err err;
    (void)err_set(&err, -EINVAL, "%s", text);
    FUZZ_CHECK(!strstr(err.text, "##["), "a command inside an error");
    buf_init(&command, MAX_TEXT_BYTES);
    FUZZ_CHECK(!rep_log_command(&command, REP_WARNING, text), "no command");
    FUZZ_CHECK(!strpbrk(command.data, "\r\n"), "a command of two lines");
    buf_fini(&command);
    rep_log_fini(&log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct fuzz_input input = {.at = data, .left_bytes = size_bytes};
    char *text = fuzz_take_rest(&input, NULL);
    check_numbers(text);
    check_names(text);
    check_url(text);
    check_line(text);
    free(text);
    return 0;
}
