/* SPDX-License-Identifier: MIT */
/* From recorded bytes to accesses and a summary. */
#include "tracer/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "common/wtf8.h"
#include "tracer/log.h"
#include "tracer/ops.h"
#include "tracer/path.h"
#include "tracer/pids.h"
#include "tracer/windows/ntpath.h"

#define MAX_OPS 1024
#define MAX_PENDING 65536
#define MAX_PENDING_BYTES (64u << 20) /* of their names; honest ones hold little */

/** An exec that was about to be tried; its failure may be told by a later record. */
struct pending {
    struct ft_record *record; /* owned */
};

/** A failure whose attempt has not been read yet. */
struct failure {
    uint32_t pid;
    uint16_t id, error;
};

struct ft_decoder {
    ft_access_sink *sink;
    void *context;
    struct ft_pids pids;
    uint32_t last_pid;       /* of the last record that was looked up; in `pids` */
    struct pending *pending; /* attempts and expectations, at most MAX_PENDING */
    size_t pending_count, pending_capacity;
    size_t pending_bytes; /* of the records, at most MAX_PENDING_BYTES */
    struct failure *failures;
    size_t failures_count, failures_capacity;
    struct ft_summary summary;
    struct ft_nt_devices *devices; /* NULL: none */
    size_t incomplete_capacity;
    size_t ops_count; /* names of a trace's own table; 0: ours */
    const char **ops;
    char *path; /* room for whatever a record may say; NULL: not needed yet */
};

/** The longer of both kinds. */
#define PATH_BYTES FT_NT_PATH_BYTES(UINT16_MAX, UINT16_MAX)
_Static_assert(FT_PATH_JOIN_BYTES(UINT16_MAX, UINT16_MAX) <= PATH_BYTES, "room for either");

int ft_decoder_new(ft_access_sink *sink, void *context, struct ft_decoder **out)
{
    struct ft_decoder *decoder = calloc(1, sizeof(*decoder));
    *out = decoder;
    if (!decoder)
        return -ENOMEM;
    decoder->sink = sink;
    decoder->context = context;
    return 0;
}

static const char *op_name(const struct ft_decoder *decoder, unsigned op)
{
    if (!decoder->ops_count)
        return ft_op_name(op);
    return decoder->ops[op < decoder->ops_count ? op : 0];
}

/** Does it look like the name of a call? It will be printed as it is. */
static bool is_op_name(const char *name)
{
    return !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

int ft_decoder_set_ops(struct ft_decoder *decoder, const char *names, size_t size_bytes)
{
    decoder->ops_count = 0;
    if (!decoder->ops && !(decoder->ops = calloc(MAX_OPS, sizeof(*decoder->ops))))
        return -ENOMEM;
    for (size_t i = 0; i < size_bytes; i += strlen(names + i) + 1) {
        if (decoder->ops_count == MAX_OPS || !memchr(names + i, '\0', size_bytes - i) ||
            !is_op_name(names + i))
            return -EPROTO;
        decoder->ops[decoder->ops_count++] = names + i;
    }
    return decoder->ops_count ? 0 : -EPROTO;
}

static int grow(void **array, size_t *capacity, size_t count, size_t item_bytes)
{
    if (count < *capacity)
        return 0;
    size_t wanted = *capacity ? *capacity * 2 : 64;
    size_t size_bytes;
    void *bigger = num_mul(wanted, item_bytes, &size_bytes) ? NULL : realloc(*array, size_bytes);
    if (!bigger)
        return -ENOMEM;
    *array = bigger;
    *capacity = wanted;
    return 0;
}

void ft_decoder_add_reason(struct ft_decoder *decoder, uint32_t pid, unsigned reason,
                           const char *image)
{
    struct ft_summary *summary = &decoder->summary;

    summary->incomplete_total++;
    for (size_t i = 0; i < summary->incomplete_count; i++) {
        struct ft_incomplete *old = &summary->incomplete[i];
        if (old->pid == pid && old->reason == reason &&
            !strcmp(old->image ? old->image : "", image ? image : ""))
            return;
    }
    if (summary->incomplete_count == FT_INCOMPLETE_MAX)
        return;
    if (grow((void **)&summary->incomplete, &decoder->incomplete_capacity,
             summary->incomplete_count, sizeof(*summary->incomplete)))
        return; /* counted all the same */
    struct ft_incomplete *entry = &summary->incomplete[summary->incomplete_count++];
    *entry = (struct ft_incomplete){.pid = pid, .reason = reason};
    entry->image = image && *image ? strdup(image) : NULL; /* without memory: without a name */
}

/** What a record names. */
struct named {
    size_t path_bytes; /* of decoder->path */
    bool known;        /* where it starts */
    bool file;         /* and not another device */
};

/** Join and normalise a record's path into decoder->path. @return 0 or -ENOMEM */
static int record_path(struct ft_decoder *decoder, const struct ft_record *record,
                       struct named *out)
{
    if (!decoder->path && !(decoder->path = malloc(PATH_BYTES)))
        return -ENOMEM;
    /* A name ends at its NUL; the bytes come from a program that may be hostile, and may change
     * them while we look: each length is read once. */
    size_t base_bytes = record->base_bytes, path_bytes = record->path_bytes;
    const char *path = record->bytes + base_bytes;
    if (record->access & FT_NT_NAMES) {
        enum ft_nt_kind kind = ft_nt_path(record->bytes, base_bytes, path, path_bytes,
                                          decoder->devices, decoder->path, &out->path_bytes);
        out->known = kind != FT_NT_UNKNOWN;
        out->file = kind != FT_NT_OTHER;
        return 0;
    }
    out->path_bytes = ft_path_join(record->bytes, strnlen(record->bytes, base_bytes), path,
                                   strnlen(path, path_bytes), decoder->path);
    out->known = decoder->path[0] == '/';
    out->file = true;
    return 0;
}

static int emit(struct ft_decoder *decoder, const struct ft_record *record, unsigned error)
{
    if (!decoder->sink) {
        decoder->summary.accesses++;
        return 0;
    }
    struct named named;
    int ret = record_path(decoder, record, &named);
    if (ret || !named.file)
        return ret;
    decoder->summary.accesses++;
    if (!named.known)
        ft_decoder_add_reason(decoder, record->pid, FT_REASON_PATH_UNKNOWN, decoder->path);
    const struct ft_access access = {
        .pid = record->pid,
        .op = op_name(decoder, record->op),
        .access = record->access & (FT_READ | FT_WRITE | FT_LIST),
        .error = error,
        .path = decoder->path,
        .path_bytes = named.path_bytes,
    };
    return decoder->sink(decoder->context, &access);
}

/** One more disk; a table that is full keeps what it has, and paths stay the kernel's. */
static int on_device(struct ft_decoder *decoder, const struct ft_record *record)
{
    char names[WTF8_BYTES(FT_NT_DEVICE_BYTES)], *dos = names + WTF8_BYTES(FT_NT_DEVICE_BYTES / 2);
    size_t base_bytes = record->base_bytes, path_bytes = record->path_bytes;
    if (base_bytes > FT_NT_DEVICE_BYTES || path_bytes > FT_NT_DEVICE_BYTES)
        return 0;
    if (!decoder->devices && !(decoder->devices = calloc(1, sizeof(*decoder->devices))))
        return -ENOMEM;
    size_t nt_bytes = wtf8_from_utf16(record->bytes, base_bytes, names);
    size_t dos_bytes = wtf8_from_utf16(record->bytes + base_bytes, path_bytes, dos);
    (void)ft_nt_devices_add(decoder->devices, names, nt_bytes, dos, dos_bytes);
    return 0;
}

/** An image that should have recorded its start: has it? */
static int check_entered(struct ft_decoder *decoder, const struct ft_record *record)
{
    struct ft_process *process;
    if (!(record->access & FT_EXPECT_START))
        return 0;
    int ret = ft_pids_get(&decoder->pids, record->pid, &process);
    if (ret)
        return ret; /* was there before: cannot be forged */
    if (process->starts) {
        process->starts--;
        return 0;
    }
    struct named named;
    ret = record_path(decoder, record, &named);
    if (!ret)
        ft_decoder_add_reason(decoder, record->pid, FT_REASON_NOT_ENTERED, decoder->path);
    return ret;
}

/** What still waited has succeeded. */
static int release(struct ft_decoder *decoder, const struct ft_record *record)
{
    int ret = record->kind == FT_KIND_ATTEMPT ? emit(decoder, record, 0) : 0;
    return ret ? ret : check_entered(decoder, record);
}

/** Take a record out of those that wait. @return it, the caller's */
static struct ft_record *take_pending(struct ft_decoder *decoder, size_t index)
{
    struct ft_record *record = decoder->pending[index].record;
    decoder->pending_count--;
    memmove(decoder->pending + index, decoder->pending + index + 1,
            (decoder->pending_count - index) * sizeof(*decoder->pending));
    decoder->pending_bytes -= record->state & ~FT_STATE_MARK;
    return record;
}

/** The oldest attempt is taken for a success: its failure would have come long ago. */
static int release_oldest(struct ft_decoder *decoder)
{
    struct ft_record *record = take_pending(decoder, 0);
    int ret = release(decoder, record);
    free(record);
    return ret;
}

/** Keep a record until its failure or the end. */
static int keep(struct ft_decoder *decoder, const struct ft_record *record)
{
    size_t size_bytes = record->state & ~FT_STATE_MARK;
    while (decoder->pending_count == MAX_PENDING ||
           decoder->pending_bytes + size_bytes > MAX_PENDING_BYTES) {
        int ret = release_oldest(decoder);
        if (ret)
            return ret;
    }
    struct ft_record *copy = malloc(size_bytes);
    if (!copy || grow((void **)&decoder->pending, &decoder->pending_capacity,
                      decoder->pending_count, sizeof(*decoder->pending))) {
        free(copy);
        return -ENOMEM;
    }
    memcpy(copy, record, size_bytes);
    decoder->pending[decoder->pending_count++].record = copy;
    decoder->pending_bytes += size_bytes;
    return 0;
}

static int on_attempt(struct ft_decoder *decoder, const struct ft_record *record)
{
    for (size_t i = 0; i < decoder->failures_count; i++) {
        struct failure *failure = &decoder->failures[i];
        if (failure->pid != record->pid || failure->id != record->id)
            continue;
        unsigned error = failure->error;
        *failure = decoder->failures[--decoder->failures_count];
        return emit(decoder, record, error);
    }
    return keep(decoder, record);
}

static int on_result(struct ft_decoder *decoder, const struct ft_record *record)
{
    for (size_t i = decoder->pending_count; i-- > 0;) {
        struct ft_record *attempt = decoder->pending[i].record;
        if (attempt->kind != FT_KIND_ATTEMPT || attempt->pid != record->pid ||
            attempt->id != record->id)
            continue;
        (void)take_pending(decoder, i);
        int ret = emit(decoder, attempt, record->error);
        free(attempt);
        return ret;
    }
    if (decoder->failures_count == MAX_PENDING)
        return 0; /* only a program that forges records comes here */
    int ret = grow((void **)&decoder->failures, &decoder->failures_capacity,
                   decoder->failures_count, sizeof(*decoder->failures));
    if (!ret)
        decoder->failures[decoder->failures_count++] =
            (struct failure){record->pid, record->id, record->error};
    return ret;
}

void ft_decoder_set_end(struct ft_decoder *decoder, const struct ft_raw_summary *end)
{
    /* a watched program can forge it: keep it a number that every JSON reader holds */
    decoder->summary.lost = end->lost < FT_LOST_MAX ? end->lost : FT_LOST_MAX;
    decoder->summary.exit_code = end->exit_code;
    decoder->summary.exit_signal = end->exit_signal;
    decoder->summary.kernel_guarantee = end->kernel_guarantee;
    if (end->lost)
        ft_decoder_add_reason(decoder, 0, FT_REASON_LOST, NULL);
    if (end->torn)
        ft_decoder_add_reason(decoder, 0, FT_REASON_KILLED, NULL);
}

static void on_summary(struct ft_decoder *decoder, const struct ft_record *record)
{
    struct ft_raw_summary end;
    if (record->path_bytes != sizeof(end))
        return;
    memcpy(&end, record->bytes + record->base_bytes, sizeof(end));
    ft_decoder_set_end(decoder, &end);
}

/** A static image is watched from inside, or could not be. */
static void on_entered(struct ft_summary *summary, const struct ft_record *record)
{
    summary->injected += !record->error;
    summary->not_injected += record->error != 0;
    if (!summary->inject_error)
        summary->inject_error = record->error;
}

static int on_record(struct ft_decoder *decoder, const struct ft_record *record)
{
    struct ft_process *process;
    if (record->kind == FT_KIND_DEVICE)
        return on_device(decoder, record);
    if (record->kind == FT_KIND_NOTE) {
        struct named named;
        int ret = record_path(decoder, record, &named);
        if (ret)
            return ret;
        ft_decoder_add_reason(decoder, record->pid, record->error, decoder->path);
        if (!record->pid)
            return 0; /* of the whole run */
    }
    /* Most records are accesses of the process before: known, and nothing to look up. */
    if (record->kind == FT_KIND_ACCESS && record->pid && record->pid == decoder->last_pid)
        return emit(decoder, record, record->error);
    int ret = ft_pids_get(&decoder->pids, record->pid, &process);
    if (ret == -EPROTO || ret == -E2BIG) {
        ft_decoder_add_reason(decoder, record->pid, FT_REASON_LOST, NULL); /* forged */
        return 0;
    }
    if (ret)
        return ret;
    decoder->last_pid = record->pid;
    switch (record->kind) {
    case FT_KIND_ACCESS:
        return emit(decoder, record, record->error);
    case FT_KIND_ATTEMPT:
        return on_attempt(decoder, record);
    case FT_KIND_RESULT:
        return on_result(decoder, record);
    case FT_KIND_EXPECT:
        return keep(decoder, record);
    case FT_KIND_ENTERED:
        on_entered(&decoder->summary, record);
        return 0;
    case FT_KIND_START:
        process->starts++;
        return emit(decoder, record, 0);
    default:
        return 0;
    }
}

int ft_decoder_feed(void *context, const struct ft_record *records, size_t size_bytes)
{
    struct ft_decoder *decoder = context;
    size_t offset = 0;
    uint64_t torn = 0;
    int ret = 0;

    for (const struct ft_record *record;
         !ret && (record = ft_record_next((const char *)records, size_bytes, &offset, &torn));) {
        if (record->kind == FT_KIND_SUMMARY)
            on_summary(decoder, record);
        else
            ret = on_record(decoder, record);
    }
    return ret;
}

int ft_decoder_finish(struct ft_decoder *decoder, struct ft_summary **out)
{
    struct ft_summary *summary = &decoder->summary;
    int ret = 0;

    for (size_t i = 0; i < decoder->pending_count && !ret; i++)
        ret = release(decoder, decoder->pending[i].record);
    summary->processes = decoder->pids.count;
    summary->complete = summary->incomplete_total == 0;
    *out = summary;
    return ret;
}

void ft_decoder_each_process(struct ft_decoder *decoder, void (*each)(void *context, uint32_t pid),
                             void *context)
{
    for (size_t i = 0; i < decoder->pids.capacity; i++) {
        if (decoder->pids.slots[i].pid)
            each(context, decoder->pids.slots[i].pid);
    }
}

void ft_decoder_free(struct ft_decoder *decoder)
{
    if (!decoder)
        return;
    for (size_t i = 0; i < decoder->pending_count; i++)
        free(decoder->pending[i].record);
    for (size_t i = 0; i < decoder->summary.incomplete_count; i++)
        free(decoder->summary.incomplete[i].image);
    free(decoder->summary.incomplete);
    free(decoder->pending);
    free(decoder->failures);
    free(decoder->ops);
    free(decoder->path);
    free(decoder->devices);
    ft_pids_fini(&decoder->pids);
    free(decoder);
}
