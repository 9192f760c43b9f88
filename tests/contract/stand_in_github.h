/* SPDX-License-Identifier: MIT */
/* The parts of GitHub's REST API that the stand-in has, without its connections and faults. The
   caller holds a lock. */
#ifndef TESTS_CONTRACT_STAND_IN_GITHUB_H
#define TESTS_CONTRACT_STAND_IN_GITHUB_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>
#include <microhttpd.h>

#include "common/buf.h"

struct github {
    json_t *state; /**< as stand_in_start() takes it */
    struct buf violations;
    uint64_t next_id; /**< of the next comment */
    char url[64];     /**< of the API */
    char storage[64]; /**< of what it redirects downloads to */
};

/** What is answered. */
struct answer {
    unsigned int status;
    json_t *json;    /**< owned; or */
    struct buf file; /**< owned; or */
    uint64_t stream_bytes;
    char *location; /**< owned */
    char *link;     /**< owned */
    bool is_file;
};

/** Do what a request asks for; what no request should have is a violation. @body may be NULL */
void github_handle(struct github *github, struct MHD_Connection *connection, const char *method,
                   const char *url, const json_t *body, struct answer *answer);

void github_answer_error(struct answer *answer, unsigned int status, const char *message);
void github_answer_fini(struct answer *answer);

/** The list of an issue's comments, borrowed; made when there is none. */
json_t *github_comments(struct github *github, const char *issue);

/** @return the new comment, for json_decref() */
json_t *github_add_comment(struct github *github, const char *issue, const char *login,
                           const char *body);

/** The highest number of a comment that the state holds: they keep theirs. */
uint64_t github_highest_comment(const json_t *state);

uint64_t github_id(const json_t *object);
bool github_text_is(const json_t *object, const char *key, const char *wanted);

#endif
