/* SPDX-License-Identifier: MIT */
/* A hostile zip archive, read in memory. */
#include "report/archive.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include <zip.h>

#define STEP_BYTES 16384

/* What the writer's system says the entry is: a plain file, or nothing at all. */
static bool is_plain_file(zip_t *archive)
{
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    if (zip_file_get_external_attributes(archive, 0, 0, &system, &attributes))
        return false;
    /* Unix keeps the mode in the upper half, and writers on other systems do so too */
    mode_t type = (mode_t)(attributes >> 16) & S_IFMT;
    return type == 0 || type == S_IFREG;
}

/* The archive must hold exactly the one entry. */
static int check_entries(zip_t *archive, const char *name, struct err *err)
{
    zip_int64_t count = zip_get_num_entries(archive, 0);
    if (count < 1)
        return err_set(err, -EPROTO, "refused: the archive is empty, instead of holding only %s",
                       name);
    for (zip_int64_t i = 0; i < count; i++) {
        const char *entry = zip_get_name(archive, (zip_uint64_t)i, ZIP_FL_ENC_RAW);
        if (!entry || strcmp(entry, name) != 0)
            return err_set(err, -EPROTO,
                           "refused: the archive holds \"%.100s\", and may only hold %s",
                           entry ? entry : "", name);
    }
    if (count > 1)
        return err_set(err, -EPROTO, "refused: the archive holds %s more than once", name);
    return 0;
}

static int check_entry(zip_t *archive, const char *name, zip_uint64_t *stated_bytes,
                       struct err *err)
{
    zip_stat_t entry;
    zip_uint64_t wanted = ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(archive, 0, 0, &entry) || (entry.valid & wanted) != wanted)
        return err_set(err, -EPROTO, "refused: the archive's entry %s cannot be read", name);
    if (entry.encryption_method != ZIP_EM_NONE)
        return err_set(err, -EPROTO, "refused: the archive's entry %s is encrypted", name);
    if (entry.comp_method != ZIP_CM_STORE && entry.comp_method != ZIP_CM_DEFLATE)
        return err_set(err, -EPROTO, "refused: the archive's entry %s is packed in an unusual way",
                       name);
    if (!is_plain_file(archive))
        return err_set(err, -EPROTO, "refused: the archive's entry %s is a link or a device", name);
    *stated_bytes = entry.size;
    return 0;
}

/* Unpack, counting what really comes. */
static int unpack(zip_t *archive, size_t packed_bytes, const char *name, struct buf *out,
                  struct err *err)
{
    zip_file_t *file = zip_fopen_index(archive, 0, 0);
    if (!file)
        return err_set(err, -EPROTO, "refused: the archive's entry %s cannot be read", name);

    char step[STEP_BYTES];
    int ret = 0;
    for (;;) {
        zip_int64_t n = zip_fread(file, step, sizeof(step));
        if (n == 0)
            break;
        if (n < 0) {
            ret = err_set(err, -EPROTO, "refused: %s is damaged in the archive", name);
            break;
        }
        ret = buf_append(out, step, (size_t)n);
        if (ret) {
            err_set(err, ret, "refused: %s is larger than %zu bytes", name, out->limit_bytes);
            break;
        }
        if (out->size_bytes > REP_ARCHIVE_RATIO_FREE_BYTES &&
            out->size_bytes / REP_ARCHIVE_MAX_RATIO > packed_bytes) {
            ret = err_set(err, -EFBIG,
                          "refused: %s is more than %d times as large as the archive, as a bomb is",
                          name, REP_ARCHIVE_MAX_RATIO);
            break;
        }
    }
    zip_fclose(file);
    return ret;
}

static int read_zip(const void *data, size_t size_bytes, const char *name, struct buf *out,
                    struct err *err)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_t *archive = NULL;
    int ret = 0;
    zip_source_t *source = zip_source_buffer_create(data, size_bytes, 0, &error);
    if (source)
        archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
    if (!archive) {
        bool no_memory = zip_error_code_zip(&error) == ZIP_ER_MEMORY;
        ret = err_set(err, no_memory ? -ENOMEM : -EPROTO, "refused: it is not a whole zip archive");
        if (source)
            zip_source_free(source);
        goto out;
    }
    zip_uint64_t stated_bytes = 0;
    size_t before = out->size_bytes;
    ret = check_entries(archive, name, err);
    if (!ret)
        ret = check_entry(archive, name, &stated_bytes, err);
    if (!ret)
        ret = unpack(archive, size_bytes, name, out, err);
    if (!ret && out->size_bytes - before != stated_bytes)
        ret = err_set(err, -EPROTO, "refused: the archive lies about the size of %s", name);
out:
    if (archive)
        zip_discard(archive);
    zip_error_fini(&error);
    return ret;
}

int rep_archive_read(const void *data, size_t size_bytes, const char *name, struct buf *out,
                     struct err *err)
{
    if (size_bytes > REP_ARCHIVE_MAX_BYTES)
        return err_set(err, -EFBIG, "refused: the archive is larger than %u bytes",
                       REP_ARCHIVE_MAX_BYTES);
    if (size_bytes && *(const char *)data == '{') {
        int ret = buf_append(out, data, size_bytes);
        return ret ? err_set(err, ret, "refused: %s is larger than %zu bytes", name,
                             out->limit_bytes)
                   : 0;
    }
    return read_zip(data, size_bytes, name, out, err);
}
