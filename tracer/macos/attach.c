/* SPDX-License-Identifier: MIT */
/* The FILETRACE variable on macOS. */
#include "tracer/macos/attach.h"

#include "tracer/preload_list.h"

static uint32_t text_length(const char *text)
{
    uint32_t n = 0;
    while (n < FT_IMAGE_PATH_MAX && text[n])
        n++;
    return n;
}

bool ft_attach_write(const struct ft_attach *attach, char out[FT_ATTACH_MAX])
{
    const uint64_t numbers[] = {attach->nonce, attach->library, attach->protection_off,
                                text_length(attach->shell)};
    if (text_length(attach->shell) >= FT_IMAGE_PATH_MAX ||
        text_length(attach->log) >= FT_IMAGE_PATH_MAX)
        return false;
    uint32_t n = ft_put_text(out, 0, FT_ATTACH_MAX, FT_ENV "=");
    for (unsigned i = 0; i < 4; i++) {
        n = ft_put_number(out, n, FT_ATTACH_MAX, numbers[i]);
        n = ft_put_text(out, n, FT_ATTACH_MAX, ":");
    }
    n = ft_put_text(out, n, FT_ATTACH_MAX, attach->shell);
    (void)ft_put_text(out, n, FT_ATTACH_MAX, attach->log);
    return true;
}

/** A decimal number and the ':' behind it. @return false when there is none */
static bool take_number(const char **text, uint64_t *out)
{
    const char *first = *text;
    *out = 0;
    while (**text >= '0' && **text <= '9') {
        uint64_t digit = (uint64_t)(*(*text)++ - '0');
        if (*out > (UINT64_MAX - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    return *text != first && *(*text)++ == ':';
}

bool ft_attach_read(const char *value, char shell[FT_IMAGE_PATH_MAX], char log[FT_IMAGE_PATH_MAX],
                    struct ft_attach *out)
{
    uint64_t nonce, library, protection_off, shell_bytes;

    if (!take_number(&value, &nonce) || !take_number(&value, &library) ||
        !take_number(&value, &protection_off) || !take_number(&value, &shell_bytes) ||
        library > 0xff || protection_off > 1 || shell_bytes >= FT_IMAGE_PATH_MAX)
        return false;
    for (uint64_t i = 0; i < shell_bytes; i++) {
        if (!*value)
            return false;
        shell[i] = *value++;
    }
    shell[shell_bytes] = '\0';
    uint32_t log_bytes = text_length(value);
    if (value[0] != '/' || log_bytes >= FT_IMAGE_PATH_MAX)
        return false;
    (void)ft_put_text(log, 0, FT_IMAGE_PATH_MAX, value);
    *out = (struct ft_attach){.nonce = nonce,
                              .library = (unsigned)library,
                              .protection_off = protection_off != 0,
                              .shell = shell,
                              .log = log};
    return true;
}
