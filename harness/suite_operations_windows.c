/* SPDX-License-Identifier: MIT */
/* What the workload can do on Windows: no fork, but three ways to open a file. */
#include "common/compiler.h"
#include "harness/suite_rows.h"

const struct tt_suite_operation tt_suite_operations[] = {
    {"open-close", TT_SUITE_FILE_OPERATIONS, true, true},
    {"launch", 1, false, true},
    {"open-relative", TT_SUITE_FILE_OPERATIONS, true, false},
    {"stat", TT_SUITE_FILE_OPERATIONS, true, false},
    {"missing", TT_SUITE_FILE_OPERATIONS, true, false},
    {"read-dir", TT_SUITE_FILE_OPERATIONS, true, false},
    {"spawn", TT_SUITE_SPAWN_OPERATIONS, false, false},
    {"open-close-wfopen", TT_SUITE_FILE_OPERATIONS, true, false},
    {"open-close-wopen", TT_SUITE_FILE_OPERATIONS, true, false},
};
const size_t tt_suite_operations_count = ARRAY_LEN(tt_suite_operations);
