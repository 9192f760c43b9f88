/* SPDX-License-Identifier: MIT */
/* How it went to enter a process. */
#ifndef TRACER_WINDOWS_ENTRY_H
#define TRACER_WINDOWS_ENTRY_H

#include "tracer/image.h"

enum ft_entry {
    FT_ENTRY_DONE,
    FT_ENTRY_LATE,         /**< done, by an APC: the libraries of the image begin before ours */
    FT_ENTRY_REFUSED,      /**< a policy of the process forbids libraries or code of others */
    FT_ENTRY_ARCHITECTURE, /**< there is no library for its processor */
    FT_ENTRY_FAILED,       /**< something else; the process is as it was */
    FT_ENTRY_COUNT
};

/** Will the process record its own start? */
static inline bool ft_entry_expects_start(enum ft_entry entry)
{
    return entry == FT_ENTRY_DONE || entry == FT_ENTRY_LATE;
}

/** What a trace says of it; FT_REASON_NONE: nothing is missing. */
static inline enum ft_reason ft_entry_reason(enum ft_entry entry)
{
    static const enum ft_reason reasons[FT_ENTRY_COUNT] = {
        [FT_ENTRY_LATE] = FT_REASON_ENTERED_LATE,
        [FT_ENTRY_REFUSED] = FT_REASON_POLICY,
        [FT_ENTRY_ARCHITECTURE] = FT_REASON_ARCHITECTURE,
        [FT_ENTRY_FAILED] = FT_REASON_NOT_ENTERED,
    };
    return reasons[entry];
}

#endif
