/* SPDX-License-Identifier: MIT */
/* SHA-256 as in FIPS 180-4, section 6.2. */
#include "harness/sha256.h"

#include <stdio.h>
#include <string.h>

#include "common/file.h"

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_right(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void fill_schedule(const uint8_t block[64], uint32_t w[64])
{
    for (size_t t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (size_t t = 16; t < 64; t++) {
        uint32_t x = w[t - 15], y = w[t - 2];
        uint32_t s0 = rotate_right(x, 7) ^ rotate_right(x, 18) ^ x >> 3;
        uint32_t s1 = rotate_right(y, 17) ^ rotate_right(y, 19) ^ y >> 10;
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
}

static void take_block(uint32_t state[8], const uint8_t block[64])
{
    uint32_t w[64], s[8];

    fill_schedule(block, w);
    memcpy(s, state, sizeof(s));
    for (int t = 0; t < 64; t++) {
        uint32_t e = s[4], a = s[0];
        uint32_t sum1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        uint32_t choice = (e & s[5]) ^ (~e & s[6]);
        uint32_t sum0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        uint32_t majority = (a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]);
        uint32_t t1 = s[7] + sum1 + choice + round_constants[t] + w[t];
        memmove(s + 1, s, 7 * sizeof(*s));
        s[4] += t1;
        s[0] = t1 + sum0 + majority;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

void tt_sha256_init(struct tt_sha256 *hash)
{
    *hash = (struct tt_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                         0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void tt_sha256_update(struct tt_sha256 *hash, const void *data, size_t size_bytes)
{
    const uint8_t *next = data;

    while (size_bytes) {
        size_t used = (size_t)(hash->size_bytes % sizeof(hash->block));
        size_t step = sizeof(hash->block) - used;
        if (step > size_bytes)
            step = size_bytes;
        memcpy(hash->block + used, next, step);
        hash->size_bytes += step;
        next += step;
        size_bytes -= step;
        if (used + step == sizeof(hash->block))
            take_block(hash->state, hash->block);
    }
}

void tt_sha256_finish(struct tt_sha256 *hash, char out[TT_SHA256_HEX_SIZE])
{
    static const uint8_t padding[64] = {0x80};
    uint64_t size_bits = hash->size_bytes * 8;
    uint8_t length[8];

    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(size_bits >> (56 - 8 * i));
    size_t used = (size_t)(hash->size_bytes % 64);
    tt_sha256_update(hash, padding, used < 56 ? 56 - used : 120 - used);
    tt_sha256_update(hash, length, sizeof(length));
    for (size_t i = 0; i < 8; i++)
        (void)snprintf(out + 8 * i, 9, "%08x", hash->state[i]);
}

static int update(void *context, const void *data, size_t size_bytes)
{
    tt_sha256_update(context, data, size_bytes);
    return 0;
}

int tt_sha256_file(const char *path, char out[TT_SHA256_HEX_SIZE], struct err *err)
{
    struct tt_sha256 hash;

    out[0] = '\0';
    tt_sha256_init(&hash);
    int ret = file_read_each(path, update, &hash, err);
    if (!ret)
        tt_sha256_finish(&hash, out);
    return ret;
}
