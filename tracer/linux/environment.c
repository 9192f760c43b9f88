/* SPDX-License-Identifier: MIT */
/* The environment that makes ld.so load our library. */
#include "tracer/linux/environment.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/buf.h"

#define ENTRY_LIMIT_BYTES (128u << 10) /* the kernel's own limit of one string */

static bool is_variable(const char *entry, const char *name)
{
    size_t length = strlen(name);
    return !strncmp(entry, name, length) && entry[length] == '=';
}

/** Append the entries of a list that are not our library. */
static void append_others(struct buf *buf, const char *list)
{
    while (*list) {
        size_t length = strcspn(list, ": ");
        const char *slash = memrchr(list, '/', length);
        const char *name = slash ? slash + 1 : list;
        size_t name_bytes = length - (size_t)(name - list);
        if (length && !(name_bytes == strlen(FT_LIBRARY_NAME) &&
                        !memcmp(name, FT_LIBRARY_NAME, name_bytes))) {
            if (buf->size_bytes > strlen("LD_PRELOAD="))
                (void)buf_puts(buf, ":");
            (void)buf_append(buf, list, length);
        }
        list += length;
        list += *list != '\0';
    }
}

static char *preload_entry(const char *library, const char *users)
{
    struct buf entry;
    buf_init(&entry, ENTRY_LIMIT_BYTES);
    (void)buf_printf(&entry, "LD_PRELOAD=%s", library ? library : "");
    append_others(&entry, users);
    char *text = buf_take(&entry);
    buf_fini(&entry);
    return text;
}

static char *attach_entry(const struct ft_log_head *log, int log_fd, int request_fd)
{
    struct buf entry;
    buf_init(&entry, 256);
    (void)buf_printf(&entry, FT_ENV "=%lu:%d:%d:%llu", (unsigned long)log->tracer_pid, log_fd,
                     request_fd, (unsigned long long)log->nonce);
    char *text = buf_take(&entry);
    buf_fini(&entry);
    return text;
}

int ft_environment_make(char *const *envp, const char *library, const struct ft_log_head *log,
                        int log_fd, int request_fd, struct ft_environment *out)
{
    size_t count = 0, used = 0;
    const char *users = "";

    *out = (struct ft_environment){0};
    while (envp[count])
        count++;
    out->entries = calloc(count + 3, sizeof(*out->entries));
    if (!out->entries)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        if (is_variable(envp[i], "LD_PRELOAD"))
            users = envp[i] + strlen("LD_PRELOAD=");
        else if (!is_variable(envp[i], FT_ENV))
            out->entries[used++] = envp[i];
    }
    out->preload = preload_entry(library, users);
    if (library)
        out->attach = attach_entry(log, log_fd, request_fd);
    if (!out->preload || (library && !out->attach)) {
        ft_environment_fini(out);
        return -ENOMEM;
    }
    if (strlen(out->preload) > strlen("LD_PRELOAD="))
        out->entries[used++] = out->preload;
    if (out->attach)
        out->entries[used++] = out->attach;
    return 0;
}

void ft_environment_fini(struct ft_environment *environment)
{
    free(environment->entries);
    free(environment->attach);
    free(environment->preload);
    *environment = (struct ft_environment){0};
}
