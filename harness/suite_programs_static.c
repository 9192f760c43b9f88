/* SPDX-License-Identifier: MIT */
/* The forms of the workload on Linux, where there are static programs. */
#include "common/compiler.h"
#include "harness/suite_rows.h"

const struct tt_suite_program tt_suite_programs[] = {
    {"dynamic", "{bin}/workload", NULL, false},
    {"static", "{bin}/workload-static", "notify", false}, /* as the seed's table has it */
    {"static-inject", "{bin}/workload-static", "inject", true},
};
const size_t tt_suite_programs_count = ARRAY_LEN(tt_suite_programs);
