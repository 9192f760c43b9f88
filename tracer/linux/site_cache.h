/* SPDX-License-Identifier: MIT */
/* Sites that were found in a large static image, kept for the next run. */
#ifndef TRACER_LINUX_SITE_CACHE_H
#define TRACER_LINUX_SITE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracer/linux/slots.h"

/*
 * One small file an image, in $XDG_CACHE_HOME/tracetax or ~/.cache/tracetax, at most
 * FT_SITE_CACHE_FILES of them: the newest of two with the same number stays. A file that is not
 * ours alone, is of another build of this program or of another state of the image, or is not as it
 * was written, does not count; without a folder nothing is kept. What a file says is a hint: its
 * reader holds each site against the image.
 */

#define FT_SITE_CACHE_FILES 256u

/** Sites that were kept. @out room for @max. @return their number, 0 for none */
size_t ft_site_cache_load(const struct ft_slot_key *key, struct ft_site *out, size_t max);

/** Keep them; where that fails the next run looks again. */
void ft_site_cache_store(const struct ft_slot_key *key, const struct ft_site *sites, size_t count);

#endif
