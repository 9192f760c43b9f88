/* SPDX-License-Identifier: MIT */
/* Machine code that somebody wrote: where it may be changed, and what is written there. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tracer/sites.h"
#include "tracer/x86_decode.h"

#define MAX_SITES 64
#define ADDRESS UINT64_C(0x401000)
#define HOOK 0x1000u

static bool is_wanted(uint32_t number)
{
    return number == 2 || number == 59 || number == 257;
}

/* From every byte on, as the finder may look. */
static void check_decoder(const uint8_t *code, size_t size_bytes)
{
    for (size_t at = 0; at < size_bytes; at++) {
        size_t left = size_bytes - at;
        struct ft_x86 instruction = {0};
        /* a copy of its own size: a byte read behind the end is seen */
        unsigned char *copy = malloc(left < FT_X86_MAX_BYTES ? left : FT_X86_MAX_BYTES);
        FUZZ_CHECK(copy, "no memory to start with");
        left = left < FT_X86_MAX_BYTES ? left : FT_X86_MAX_BYTES;
        memcpy(copy, code + at, left);
        if (ft_x86_decode(copy, left, &instruction))
            FUZZ_CHECK(instruction.size_bytes && instruction.size_bytes <= left,
                       "an instruction longer than there is");
        free(copy);
    }
}

static void check_stub(const struct ft_site *site)
{
    unsigned char out[FT_STUB_MAX_BYTES + 8], jump[FT_JUMP_BYTES + 8];
    memset(out, 0xa5, sizeof(out));
    memset(jump, 0xa5, sizeof(jump));
    size_t size_bytes = ft_stub_write(site, ADDRESS + 0x100000, HOOK, out);
    FUZZ_CHECK(size_bytes && size_bytes <= FT_STUB_MAX_BYTES, "a stub that is too long, or none");
    for (size_t i = size_bytes; i < sizeof(out); i++)
        FUZZ_CHECK(out[i] == 0xa5, "a stub longer than it says");
    FUZZ_CHECK(!ft_stub_write(site, UINT64_C(1) << 40, HOOK, out), "a stub out of reach");
    FUZZ_CHECK(ft_jump_write(site->address, ADDRESS + 0x100000, jump), "no jump");
    for (size_t i = FT_JUMP_BYTES; i < sizeof(jump); i++)
        FUZZ_CHECK(jump[i] == 0xa5, "a jump that is too long");
}

static void check_sites(const uint8_t *code, size_t size_bytes)
{
    struct ft_site sites[MAX_SITES];
    size_t count = ft_sites_find(code, size_bytes, ADDRESS, is_wanted, sites, MAX_SITES);
    uint64_t end = ADDRESS; /* of the one before */
    FUZZ_CHECK(count <= MAX_SITES, "more than there is room for");
    for (size_t i = 0; i < count; i++) {
        const struct ft_site *site = &sites[i];
        FUZZ_CHECK(site->address >= end, "a site within another, or out of order");
        FUZZ_CHECK(site->size_bytes >= FT_JUMP_BYTES && site->size_bytes <= FT_SITE_MAX_BYTES,
                   "a site that cannot hold a jump");
        size_t at = (size_t)(site->address - ADDRESS);
        FUZZ_CHECK(at + site->size_bytes + 2 <= size_bytes, "a site behind the end");
        FUZZ_CHECK(!memcmp(code + at, site->bytes, site->size_bytes),
                   "other bytes than the code's");
        FUZZ_CHECK(code[at + site->size_bytes] == 0x0f && code[at + site->size_bytes + 1] == 0x05,
                   "no call behind it");
        end = site->address + site->size_bytes + 2;
        check_stub(site);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    check_decoder(data, size_bytes < 512 ? size_bytes : 512);
    check_sites(data, size_bytes);
    return 0;
}
