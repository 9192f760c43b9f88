/* SPDX-License-Identifier: MIT */
/* From the names of the NT kernel to the paths that people type. */
#include "tracer/windows/ntpath.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "common/wtf8.h"

/** Bytes of a name that has not been looked at yet. */
struct rest {
    const char *text;
    size_t size_bytes;
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char capital(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/** Does the name start with these whole components? Case counts for nothing, as in the kernel's
 * own name space. Where it does, @name is moved behind them, to a '\' or the end. */
static bool take(struct rest *name, const char *prefix)
{
    size_t length = strlen(prefix);
    if (name->size_bytes < length)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (capital(name->text[i]) != capital(prefix[i]))
            return false;
    }
    if (name->size_bytes > length && name->text[length] != '\\' && prefix[length - 1] != '\\')
        return false;
    name->text += length;
    name->size_bytes -= length;
    return true;
}

int ft_nt_devices_add(struct ft_nt_devices *devices, const char *nt, size_t nt_bytes,
                      const char *dos, size_t dos_bytes)
{
    while (nt_bytes && nt[nt_bytes - 1] == '\\')
        nt_bytes--;
    while (dos_bytes && dos[dos_bytes - 1] == '\\')
        dos_bytes--;
    if (!nt_bytes || !dos_bytes)
        return -EINVAL;
    if (nt_bytes >= FT_NT_DEVICE_BYTES || dos_bytes >= FT_NT_DEVICE_BYTES)
        return -ENAMETOOLONG;
    if (devices->count >= FT_NT_DEVICES_MAX)
        return -E2BIG;
    struct ft_nt_device *device = &devices->entries[devices->count++];
    *device = (struct ft_nt_device){0};
    memcpy(device->nt, nt, nt_bytes);
    memcpy(device->dos, dos, dos_bytes);
    return 0;
}

/** Write a start and the components of @name behind it, each with one '\' in front. */
static size_t write_path(const char *start, const struct rest *name, char *out)
{
    size_t length = strlen(start), i = 0;

    memcpy(out, start, length);
    while (i < name->size_bytes) {
        size_t first = i;
        while (i < name->size_bytes && name->text[i] != '\\')
            i++;
        if (i > first) {
            out[length++] = '\\';
            memmove(out + length, name->text + first,
                    i - first); /* ft_nt_path() lets them overlap */
            length += i - first;
        }
        i++; /* the '\' */
    }
    if (length == 2 && out[1] == ':')
        out[length++] = '\\'; /* a disk's root */
    out[length] = '\0';
    return length;
}

/** Devices below which nothing is a file; what has no component behind is one anyhow. */
static bool is_no_file_system(const struct rest *name)
{
    static const char *const devices[] = {"NamedPipe", "Mailslot", "ConDrv", "Afd",
                                          "Serial",    "Video",    "Tcp",    "Udp"};
    for (size_t i = 0; i < ARRAY_LEN(devices); i++) {
        struct rest rest = *name;
        if (take(&rest, devices[i]))
            return true;
    }
    return !memchr(name->text, '\\', name->size_bytes);
}

/** Behind "\Device\": a device that the table does not hold. */
static enum ft_nt_kind device_path(struct rest name, char *out, size_t *out_bytes)
{
    if (take(&name, "Mup") || take(&name, "LanmanRedirector")) {
        /* "\;Z:0000000000012345\server\share": whose connection it is does not matter. */
        while (name.size_bytes > 1 && name.text[0] == '\\' && name.text[1] == ';') {
            const char *end = memchr(name.text + 1, '\\', name.size_bytes - 1);
            size_t skip = end ? (size_t)(end - name.text) : name.size_bytes;
            name.text += skip;
            name.size_bytes -= skip;
        }
        if (name.size_bytes < 2)
            return FT_NT_OTHER;
        *out_bytes = write_path("\\", &name, out);
        return FT_NT_FILE;
    }
    if (is_no_file_system(&name))
        return FT_NT_OTHER;
    *out_bytes = write_path("\\\\?\\GLOBALROOT\\Device", &name, out);
    return FT_NT_FILE;
}

/** "C:\..." is a path, "C:" alone the disk's own device. */
static enum ft_nt_kind drive_path(struct rest name, char *out, size_t *out_bytes)
{
    char drive[] = {capital(name.text[0]), ':', '\0'};
    name.text += 2;
    name.size_bytes -= 2;
    if (!name.size_bytes)
        return FT_NT_OTHER;
    *out_bytes = write_path(drive, &name, out);
    return FT_NT_FILE;
}

static bool starts_with_drive(const struct rest *name)
{
    return name->size_bytes >= 2 && is_letter(name->text[0]) && name->text[1] == ':' &&
           (name->size_bytes == 2 || name->text[2] == '\\');
}

static enum ft_nt_kind kernel_path(struct rest name, const struct ft_nt_devices *devices, char *out,
                                   size_t *out_bytes);

/** Behind "\??\": what a program can name with "\\?\" or "\\.\". */
static enum ft_nt_kind dos_device_path(struct rest name, const struct ft_nt_devices *devices,
                                       char *out, size_t *out_bytes)
{
    if (starts_with_drive(&name))
        return drive_path(name, out, out_bytes);
    if (take(&name, "UNC")) {
        if (name.size_bytes < 2)
            return FT_NT_OTHER;
        *out_bytes = write_path("\\", &name, out);
        return FT_NT_FILE;
    }
    if (take(&name, "GLOBALROOT"))
        return kernel_path(name, devices, out, out_bytes);
    struct rest pipe = name;
    bool device = take(&pipe, "pipe") || take(&pipe, "mailslot") ||
                  memchr(name.text, '#', name.size_bytes) || /* an interface of a device */
                  !memchr(name.text, '\\', name.size_bytes);
    if (device)
        return FT_NT_OTHER;
    *out_bytes = write_path("\\\\?", &name, out);
    return FT_NT_FILE;
}

/** An absolute name in the kernel's name space. */
static enum ft_nt_kind kernel_path(struct rest name, const struct ft_nt_devices *devices, char *out,
                                   size_t *out_bytes)
{
    static const char *const dos[] = {"\\??\\", "\\DosDevices\\", "\\GLOBAL??\\", "\\\\?\\",
                                      "\\\\.\\"};
    for (size_t i = 0; i < ARRAY_LEN(dos); i++) {
        struct rest rest = name;
        if (take(&rest, dos[i]))
            return dos_device_path(rest, devices, out, out_bytes);
    }
    if (name.size_bytes > 2 && name.text[0] == '\\' && name.text[1] == '\\') {
        name.text++; /* "\\server\share", as a working folder has it */
        name.size_bytes--;
        *out_bytes = write_path("\\", &name, out);
        return FT_NT_FILE;
    }
    for (size_t i = 0; devices && i < devices->count; i++) {
        struct rest rest = name;
        if (!take(&rest, devices->entries[i].nt))
            continue;
        if (!rest.size_bytes && devices->entries[i].dos[2] == '\0')
            return FT_NT_OTHER; /* the disk itself, not its root */
        *out_bytes = write_path(devices->entries[i].dos, &rest, out);
        return FT_NT_FILE;
    }
    if (take(&name, "\\Device\\"))
        return device_path(name, out, out_bytes);
    if (!name.size_bytes || !memchr(name.text + 1, '\\', name.size_bytes - 1))
        return FT_NT_OTHER;
    *out_bytes = write_path("\\\\?\\GLOBALROOT", &name, out);
    return FT_NT_FILE;
}

static enum ft_nt_kind any_path(struct rest name, const struct ft_nt_devices *devices, char *out,
                                size_t *out_bytes)
{
    if (name.size_bytes && name.text[0] == '\\')
        return kernel_path(name, devices, out, out_bytes);
    if (starts_with_drive(&name))
        return drive_path(name, out, out_bytes);
    *out_bytes = write_path("", &name, out);
    if (*out_bytes)
        memmove(out, out + 1, (*out_bytes)--);
    return FT_NT_UNKNOWN;
}

/** Units of a name up to a NUL, which no name holds. */
static size_t until_nul(const void *units, size_t size_bytes)
{
    const unsigned char *bytes = units;
    size_t i = 0;
    while (i + 2 <= size_bytes && (bytes[i] || bytes[i + 1]))
        i += 2;
    return i;
}

static bool is_absolute(const void *path, size_t path_bytes)
{
    char start[WTF8_BYTES(3)];
    struct rest rest = {start, wtf8_from_utf16(path, path_bytes < 6 ? path_bytes : 6, start)};
    return rest.size_bytes && (rest.text[0] == '\\' || starts_with_drive(&rest));
}

enum ft_nt_kind ft_nt_path(const void *base, size_t base_bytes, const void *path, size_t path_bytes,
                           const struct ft_nt_devices *devices, char *out, size_t *out_bytes)
{
    path_bytes = until_nul(path, path_bytes);
    base_bytes = is_absolute(path, path_bytes) ? 0 : until_nul(base, base_bytes);
    /* Joined at the end of the room: what is written from its start never overtakes what is
     * read, for the longest start that can come in front is within the room's surplus. */
    char *joined = out + FT_NT_DEVICE_BYTES + 8;
    size_t joined_bytes = wtf8_from_utf16(base, base_bytes, joined);
    if (base_bytes && path_bytes)
        joined[joined_bytes++] = '\\';
    joined_bytes += wtf8_from_utf16(path, path_bytes, joined + joined_bytes);
    *out_bytes = 0;
    out[0] = '\0';
    enum ft_nt_kind kind = any_path((struct rest){joined, joined_bytes}, devices, out, out_bytes);
    if (kind == FT_NT_OTHER) {
        out[0] = '\0';
        *out_bytes = 0;
    }
    return kind;
}
