/* SPDX-License-Identifier: MIT */
/* Absolute and lexically normal paths. */
#include "tracer/path.h"

#include <stdbool.h>
#include <string.h>

/** Append the names of @path to the normal path in out[0..length). */
static size_t append_names(const char *path, size_t path_bytes, char *out, size_t length)
{
    size_t i = 0;

    while (i < path_bytes) {
        size_t start = i;
        while (i < path_bytes && path[i] != '/')
            i++;
        size_t name_bytes = i - start;
        i++; /* the '/' */
        if (name_bytes == 0 || (name_bytes == 1 && path[start] == '.'))
            continue;
        if (name_bytes == 2 && path[start] == '.' && path[start + 1] == '.') {
            while (length && out[--length] != '/')
                ;
            continue;
        }
        out[length++] = '/';
        memcpy(out + length, path + start, name_bytes);
        length += name_bytes;
    }
    return length;
}

size_t ft_path_join(const char *base, size_t base_bytes, const char *path, size_t path_bytes,
                    char *out)
{
    bool absolute = (path_bytes && path[0] == '/') || (base_bytes && base[0] == '/');
    size_t length = 0;

    if (!(path_bytes && path[0] == '/'))
        length = append_names(base, base_bytes, out, 0);
    length = append_names(path, path_bytes, out, length);
    if (!length && absolute)
        out[length++] = '/';
    else if (length && !absolute)
        memmove(out, out + 1, --length); /* nobody knows where it starts */
    out[length] = '\0';
    return length;
}
