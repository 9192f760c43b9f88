/* SPDX-License-Identifier: MIT */
/* The shared log as a hostile watched program leaves it: any byte in it may be anything. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tracer/log.h"
#include "tracer/trace.h"

static struct ft_log shared; /* mapped once: 32 MiB */

/* Chunks at both ends of the mapping; what lies between is no different. */
static const uint32_t chunk_of[] = {0, 1, 2, FT_CHUNK_COUNT - 2, FT_CHUNK_COUNT - 1};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    struct err err;
    FUZZ_CHECK(!ft_log_open(&shared, &err), "no shared log");
    return 0;
}

static char *chunk_data(uint32_t chunk)
{
    return (char *)shared.head + FT_CHUNKS_OFFSET + (size_t)chunk * FT_CHUNK_BYTES;
}

/* What a sink is promised: whole committed records within what it is given. */
static int take(void *context, const struct ft_record *records, size_t size_bytes)
{
    const char *data = (const char *)records;
    size_t offset = 0;
    while (offset < size_bytes) {
        const struct ft_record *record = (const struct ft_record *)(data + offset);
        size_t size = record->state & ~FT_STATE_MARK;
        FUZZ_CHECK((record->state & FT_STATE_MARK) == FT_STATE_COMMITTED, "not committed");
        FUZZ_CHECK(size >= FT_RECORD_HEAD_BYTES && size % 8 == 0, "a wrong size");
        FUZZ_CHECK(size <= size_bytes - offset, "a record behind the end");
        FUZZ_CHECK(FT_RECORD_HEAD_BYTES + (size_t)record->base_bytes + record->path_bytes <= size,
                   "names behind the record's end");
        FUZZ_CHECK(record->base_bytes <= FT_BASE_MAX && record->path_bytes <= FT_PATH_MAX,
                   "a name longer than promised");
        offset += size;
    }
    return ft_decoder_feed(context, records, size_bytes);
}

static bool touched[ARRAY_LEN(chunk_of)];

static void forge(struct fuzz_input *input)
{
    struct ft_log_head *head = shared.head;
    while (input->left_bytes) {
        size_t which = fuzz_take_byte(input) % ARRAY_LEN(chunk_of);
        uint32_t chunk = chunk_of[which];
        touched[which] = true;
        uint16_t offset, size_bytes;
        fuzz_take(input, &head->chunks[chunk].state, 1);
        fuzz_take(input, &head->chunks[chunk].used_bytes, sizeof(uint32_t));
        fuzz_take(input, &offset, sizeof(offset));
        fuzz_take(input, &size_bytes, sizeof(size_bytes));
        head->cursors[chunk % FT_CURSOR_COUNT].place = (uint64_t)chunk << 32 | size_bytes;
        char *data = chunk_data(chunk);
        if (size_bytes > input->left_bytes)
            size_bytes = (uint16_t)input->left_bytes;
        if (size_bytes > FT_CHUNK_BYTES - offset)
            size_bytes = (uint16_t)(FT_CHUNK_BYTES - offset);
        fuzz_take(input, data + offset, size_bytes);
    }
}

static void clean(void)
{
    for (size_t i = 0; i < ARRAY_LEN(chunk_of); i++) {
        if (touched[i])
            memset(chunk_data(chunk_of[i]), 0, FT_CHUNK_BYTES);
        touched[i] = false;
    }
    memset(shared.head->chunks, 0, sizeof(shared.head->chunks));
    memset(shared.head->cursors, 0, sizeof(shared.head->cursors));
    shared.torn = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    struct fuzz_input input = {.at = data, .left_bytes = size_bytes};
    struct ft_decoder *decoder = NULL;
    struct ft_summary *summary = NULL;

    FUZZ_CHECK(!ft_decoder_new(NULL, NULL, &decoder), "no memory to start with");
    forge(&input);
    int ret = ft_log_drain(&shared, take, decoder);
    if (!ret)
        ret = ft_log_drain_all(&shared, take, decoder);
    if (!ret)
        ret = ft_decoder_finish(decoder, &summary);
    FUZZ_CHECK(ret || summary->accesses || !summary->complete || !summary->incomplete_total,
               "complete, and not");
    ft_decoder_free(decoder);
    clean();
    return 0;
}
