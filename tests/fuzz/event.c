/* SPDX-License-Identifier: MIT */
/* The event of the job: what comes out of it may stand in addresses and links. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "report/event.h"

#define OURS 42 /* the repository that the job runs in */

static void check(const struct rep_event *event)
{
    FUZZ_CHECK(event->repository_id == OURS, "another repository's event");
    FUZZ_CHECK(rep_event_is_repository(event->repository), "not owner/name");
    FUZZ_CHECK(!event->repository[strspn(event->repository,
                                         "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                         "0123456789._-/")],
               "a character that no address may hold");
    FUZZ_CHECK(event->run_id && event->run_number && event->run_attempt, "no run");
    size_t length = strspn(event->head_sha, "0123456789abcdef");
    FUZZ_CHECK(!event->head_sha[length] && (length == 40 || length == 64), "not a commit");
    FUZZ_CHECK(!event->conclusion[strspn(event->conclusion, "abcdefghijklmnopqrstuvwxyz_")],
               "a conclusion that is not GitHub's");
    if (event->kind == REP_EVENT_NOTHING) {
        FUZZ_CHECK(event->reason[0], "nothing to do, and nobody knows why");
        return;
    }
    FUZZ_CHECK(event->head_repository_id && event->head_branch[0] && event->head_owner[0],
               "a run from nowhere");
    if (event->kind == REP_EVENT_PUSH_MAIN)
        FUZZ_CHECK(event->head_repository_id == OURS &&
                       !strcmp(event->head_branch, event->default_branch),
                   "a stranger's push to main");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct rep_event event;
    struct err err = {0};
    json_t *json = json_loadb((const char *)data, size_bytes, JSON_REJECT_DUPLICATES, NULL);
    if (!json)
        return 0;
    int ret = rep_event_read(json, OURS, ".github/workflows/benchmark.yml", &event, &err);
    FUZZ_CHECK(!ret == !err.code, "a failure without words");
    if (!ret)
        check(&event);
    json_decref(json);
    return 0;
}
