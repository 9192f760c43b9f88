/* SPDX-License-Identifier: MIT */
/* A small GitHub for tests: the parts of the REST API that the reporter uses, with state, pages,
   two-step downloads and faults on demand, on 127.0.0.1. It checks what every request must
   have and keeps a log of them. */
#ifndef TESTS_CONTRACT_STAND_IN_H
#define TESTS_CONTRACT_STAND_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct stand_in;

/** What the token must be; it must reach the API, and must not reach the storage host. */
#define STAND_IN_TOKEN "ghs_stand_in_secret"
/** Login that comments are written as. */
#define STAND_IN_LOGIN "github-actions[bot]"

/** A fault, for the next @times requests that match. */
struct stand_in_fault {
    unsigned int times;
    const char *method;         /**< or NULL for any */
    const char *match;          /**< part of the path, or NULL for any */
    unsigned int status;        /**< answer with this; 0: do as asked */
    const char *header, *value; /**< one more header, or NULL */
    const char *message;        /**< of the error's body; NULL: "injected" */
    bool apply;                 /**< make the change first, then fail */
    bool drop;                  /**< close the connection without an answer */
    bool hang;                  /**< never answer */
    bool cut;                   /**< the right answer, its JSON cut in the middle */
    bool break_off;             /**< the right answer, the connection closed in the middle of it */
    void (*hook)(struct stand_in *server, void *context); /**< called before the request is
                      handled, or NULL: what another reporter does meanwhile */
    void *context;
};

/**
 * Start. @state as JSON text, borrowed only during the call:
 *   {"pulls":[...], "runs":[...], "artifacts":[{..., "file":"x.zip"}], "comments":{"7":[...]},
 *    "compare":{"main...SHA":{...}}, "page_size":100, "lag":0}
 * Entries are answered as they are. An artifact's "file" is what the storage host sends, or
 * "stream_bytes" zeros in chunks without a length, or "location" to be sent elsewhere. A comment
 * that was posted is not shown by the next "lag" lists.
 */
struct stand_in *stand_in_start(const char *state);
void stand_in_stop(struct stand_in *server);

/** "http://127.0.0.1:PORT" */
const char *stand_in_url(const struct stand_in *server);

void stand_in_fail(struct stand_in *server, const struct stand_in_fault *fault);

/** Comments of an issue, now: a copy, for json_decref(). */
json_t *stand_in_comments(struct stand_in *server, unsigned int issue);

/** Put a comment there, as @login. @return its id */
uint64_t stand_in_comment(struct stand_in *server, unsigned int issue, const char *login,
                          const char *body);

/** Remove all comments of an issue. */
void stand_in_forget_comments(struct stand_in *server, unsigned int issue);

/** The whole state, now: a copy, for json_decref(). */
json_t *stand_in_state(struct stand_in *server);

/** Requests to the API so far with this method (NULL: any) and part of the path (NULL: any). */
size_t stand_in_count(struct stand_in *server, const char *method, const char *match);

/** What was wrong with requests so far: a text, or NULL. Lives until the next call. */
const char *stand_in_violations(struct stand_in *server);

#endif
