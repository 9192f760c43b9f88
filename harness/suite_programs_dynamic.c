/* SPDX-License-Identifier: MIT */
/* The form of the workload where every program is a dynamic one: macOS, Windows. */
#include "common/compiler.h"
#include "harness/suite_rows.h"

const struct tt_suite_program tt_suite_programs[] = {
    {"dynamic", "{bin}/workload", NULL, false},
};
const size_t tt_suite_programs_count = ARRAY_LEN(tt_suite_programs);
