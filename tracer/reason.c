/* SPDX-License-Identifier: MIT */
/* The names of reasons. */
#include "common/compiler.h"
#include "tracer/image.h"

const char *ft_reason_name(unsigned reason)
{
    static const char *const names[] = {
        [FT_REASON_NONE] = "unknown",
        [FT_REASON_SETUID] = "setuid",
        [FT_REASON_NOT_ENTERED] = "not-entered",
        [FT_REASON_NO_FILTER] = "no-filter",
        [FT_REASON_KILLED] = "killed-while-recording",
        [FT_REASON_LOST] = "lost",
        [FT_REASON_OUTLIVED] = "outlived",
        [FT_REASON_PATH_UNKNOWN] = "path-unknown",
        [FT_REASON_INTERRUPTED] = "interrupted",
        [FT_REASON_IO_URING] = "io-uring",
        [FT_REASON_NAMESPACE] = "library-namespace",
        [FT_REASON_CHROOT] = "chroot",
        [FT_REASON_SETUID_BELOW] = "setuid-below-static",
        [FT_REASON_ENTERED_LATE] = "entered-late",
        [FT_REASON_POLICY] = "policy",
        [FT_REASON_ARCHITECTURE] = "architecture",
        [FT_REASON_NOT_HOOKED] = "not-hooked",
        [FT_REASON_PROTECTED] = "system-protected",
        [FT_REASON_HARDENED] = "hardened-runtime",
        [FT_REASON_RESTRICTED] = "restricted-segment",
        [FT_REASON_NO_SLICE] = "no-slice",
        [FT_REASON_UNREADABLE] = "unreadable",
    };
    _Static_assert(ARRAY_LEN(names) == FT_REASON_COUNT, "each reason has a name");
    return names[reason < FT_REASON_COUNT ? reason : 0];
}
