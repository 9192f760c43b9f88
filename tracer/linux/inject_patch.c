/* SPDX-License-Identifier: MIT */
/* The payload's code goes into a program, and jumps to it over the program's own. */
#include "tracer/linux/inject_patch.h"

#include <errno.h>
#include <string.h>

#include "tracer/linux/payload.h"
#include "tracer/linux/task.h"

/** Would the jump touch the call that is parked, or the code that runs when it returns? */
static bool touches(const struct ft_site *site, uint64_t shift, uint64_t parked)
{
    uint64_t start = site->address + shift;
    return parked - 2 < start + site->size_bytes && parked >= start;
}

/** Within a copy of the program's code: where it is what the file has, write the jump. */
static bool patch_site(const struct ft_site *site, uint64_t stub, uint64_t shift,
                       unsigned char *code)
{
    return !memcmp(code, site->bytes, site->size_bytes) && code[site->size_bytes] == 0x0f &&
           code[site->size_bytes + 1] == 0x05 &&
           ft_jump_write(site->address + shift, stub + shift, code);
}

/** The sites from @first on that begin in one page: read and written at once. */
static size_t sites_of_page(const struct ft_slot *slot, size_t first)
{
    size_t end = first + 1;
    uint64_t page = slot->sites[first].address / FT_PAYLOAD_PAGE_BYTES;
    while (end < slot->sites_count && slot->sites[end].address / FT_PAYLOAD_PAGE_BYTES == page)
        end++;
    return end - first;
}

/** @return how many of them are patched now */
static size_t patch_page(int memory, const struct ft_slot *slot, size_t first, size_t count,
                         uint64_t shift, uint64_t parked)
{
    unsigned char code[FT_PAYLOAD_PAGE_BYTES + FT_SITE_MAX_BYTES + 2];
    const struct ft_site *last = &slot->sites[first + count - 1];
    uint64_t start = slot->sites[first].address;
    size_t bytes = (size_t)(last->address + last->size_bytes + 2 - start), patched = 0;

    if (ft_memory_read(memory, code, bytes, start + shift))
        return 0;
    for (size_t i = first; i < first + count; i++) {
        const struct ft_site *site = &slot->sites[i];
        patched += !touches(site, shift, parked) &&
                   patch_site(site, slot->stub_of_site[i], shift, code + (site->address - start));
    }
    if (patched && ft_memory_write(memory, code, bytes, start + shift))
        return 0;
    return patched;
}

/** The payload's code, and the stubs behind it or where their image is. */
static int write_code(int memory, const struct ft_slot *slot, uint64_t shift)
{
    const unsigned char *stubs = slot->code + FT_PAYLOAD_TEXT_BYTES;
    if (!slot->is_movable)
        return ft_memory_write(memory, slot->code, FT_PAYLOAD_TEXT_BYTES + slot->stubs_bytes,
                               FT_PAYLOAD_BASE);
    int ret = ft_memory_write(memory, slot->code, FT_PAYLOAD_TEXT_BYTES, FT_PAYLOAD_BASE);
    return ret ? ret : ft_memory_write(memory, stubs, slot->stubs_bytes, slot->stubs + shift);
}

int ft_inject_patch(int memory, const struct ft_slot *slot, uint64_t shift, uint64_t parked)
{
    uint32_t is_mapped = 0;
    size_t patched = 0;

    int ret = ft_memory_read(memory, &is_mapped, sizeof(is_mapped),
                             FT_PAYLOAD_WIPED + offsetof(struct ft_payload_wiped, is_mapped));
    if (ret || !is_mapped)
        return -ENOMEM; /* the log, or what comes before it, could not be mapped */
    ret = write_code(memory, slot, shift);
    for (size_t first = 0, count; !ret && first < slot->sites_count; first += count) {
        count = sites_of_page(slot, first);
        patched += patch_page(memory, slot, first, count, shift, parked);
    }
    return ret || patched ? ret : -ENOENT;
}
