/* SPDX-License-Identifier: MIT */
/* Where the injected library is, on systems that follow POSIX. */
#include "tracer/filetrace.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/buf.h"
#include "common/proc.h"
#include "tracer/library.h"

int ft_library_find(char **out, struct err *err)
{
    static const char *const places[] = {"", "../lib/filetrace/"};
    char *folder = proc_self_dir();

    *out = NULL;
    if (!folder)
        return err_set(err, -ENOENT,
                       "cannot find the injected library: the system does not say "
                       "where filetrace's own file is (is /proc mounted?)");
    for (size_t i = 0; i < ARRAY_LEN(places) && !*out; i++) {
        struct buf path;
        buf_init(&path, FT_PATH_MAX - 1);
        (void)buf_printf(&path, "%s/%s%s", folder, places[i], FT_LIBRARY_NAME);
        char *full = buf_take(&path);
        buf_fini(&path);
        if (full && !access(full, R_OK))
            *out = full;
        else
            free(full);
    }
    int ret = *out ? 0
                   : err_set(err, -ENOENT,
                             "cannot find the injected library: %s is neither in %s "
                             "nor in %s/../lib/filetrace; install filetrace as a whole",
                             FT_LIBRARY_NAME, folder, folder);
    free(folder);
    return ret;
}
