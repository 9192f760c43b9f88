/* SPDX-License-Identifier: MIT */
/* Looking at a file before it is executed, on macOS itself; and pages. */
#include "tracer/macos/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracer/macos/insert.h"

void *ft_preload_map(size_t size_bytes)
{
    void *pages = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

void ft_preload_unmap(void *pages, size_t size_bytes)
{
    (void)munmap(pages, size_bytes);
}

static long read_file(void *context, void *to, size_t size_bytes, uint64_t offset)
{
    return pread(*(const int *)context, to, size_bytes, (off_t)offset);
}

void ft_plan_look(const struct ft_plan_options *options, const char *path, struct ft_looked *out)
{
    struct stat st;

    out->error = 0;
    out->reason = FT_REASON_NONE;
    out->head_bytes = 0;
    if (stat(path, &st) || access(path, X_OK)) {
        out->error = errno;
        return;
    }
    if (!S_ISREG(st.st_mode)) {
        out->error = EACCES;
        return;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        out->reason = FT_REASON_UNREADABLE;
        return;
    }
    const struct ft_insert_facts facts = {
        .mode = st.st_mode,
        .flags = st.st_flags,
        .owner = st.st_uid,
        .group = st.st_gid,
        .user = geteuid(),
        .user_group = getegid(),
        .protection_off = options->protection_off,
        .own = options->own,
        .library = options->library,
    };
    ssize_t n = pread(fd, out->head, sizeof(out->head), 0);
    out->head_bytes = n > 0 ? (size_t)n : 0;
    out->reason = ft_can_insert(read_file, &fd, &facts);
    close(fd);
}
