/* SPDX-License-Identifier: MIT */
/* An executable of macOS made to mislead the tracer, and the first line of a script there. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tracer/macos/macho.h"
#include "tracer/macos/script.h"

struct file {
    const uint8_t *data;
    size_t size_bytes;
    size_t step_bytes; /* most that one read gives */
};

static long read_at(void *context, void *to, size_t size_bytes, uint64_t offset)
{
    const struct file *file = context;
    if (offset > INT64_MAX)
        return -1; /* as pread(2): a negative offset is EINVAL */
    if (offset >= file->size_bytes)
        return 0;
    size_t n = file->size_bytes - (size_t)offset;
    n = n < size_bytes ? n : size_bytes;
    n = n < file->step_bytes ? n : file->step_bytes;
    memcpy(to, file->data + offset, n);
    return (long)n;
}

static void inspect(const uint8_t *data, size_t size_bytes, size_t step_bytes, unsigned own)
{
    struct file file = {.data = data, .size_bytes = size_bytes, .step_bytes = step_bytes};
    struct ft_macho macho;
    memset(&macho, 0, sizeof(macho));
    ft_macho_inspect(read_at, &file, own, &macho);
    FUZZ_CHECK(!(macho.cpus & ~(FT_CPU_ARM64 | FT_CPU_ARM64E | FT_CPU_X86_64 | FT_CPU_OTHER)),
               "a kind that there is not");
    FUZZ_CHECK(!macho.cpu || (macho.cpu & macho.cpus), "a slice that there is not");
}

static void check_script(const uint8_t *data, size_t size_bytes)
{
    struct ft_script script;
    memset(&script, 0xa5, sizeof(script));
    if (!ft_script_read((const char *)data, size_bytes, &script))
        return;
    FUZZ_CHECK(script.count && script.count <= FT_SCRIPT_WORDS_MAX, "no words, or too many");
    for (uint32_t i = 0; i < script.count; i++) {
        FUZZ_CHECK(script.words[i] < FT_SCRIPT_LINE_MAX, "a word behind the end");
        const char *word = ft_script_word(&script, i);
        FUZZ_CHECK(memchr(word, '\0', FT_SCRIPT_LINE_MAX - script.words[i]), "no end of a word");
        FUZZ_CHECK(*word, "an empty word");
        (void)ft_script_is_shell(word);
    }
    (void)ft_script_is_env(&script);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    inspect(data, size_bytes, SIZE_MAX, FT_CPU_ARM64);
    inspect(data, size_bytes, SIZE_MAX, FT_CPU_X86_64);
    inspect(data, size_bytes, 7, FT_CPU_ARM64);
    check_script(data, size_bytes);
    return 0;
}
