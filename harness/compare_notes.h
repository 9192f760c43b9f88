/* SPDX-License-Identifier: MIT */
/* The remarks of a comparison; private to compare.c. */
#ifndef HARNESS_COMPARE_NOTES_H
#define HARNESS_COMPARE_NOTES_H

#include "common/compiler.h"
#include "harness/compare.h"

/** Reason of a cell whose baseline does not have the target. */
#define TT_NEW_TARGET "new target"

/** Longest reason or note; what goes into one is cut to fit. */
#define TT_NOTE_MAX_BYTES 4096

/**
 * Add the notes to a comparison whose rows are filled in.
 * @return 0 or -ENOMEM
 */
MUST_USE int tt_compare_notes(struct tt_comparison *comparison);

#endif
