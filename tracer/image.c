/* SPDX-License-Identifier: MIT */
/* What an executable file is, before it is executed. */
#include "tracer/image.h"

#include <elf.h>
#include <stdbool.h>

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
static const char our_loader[] = "ld-linux-x86-64.so.2";
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
static const char our_loader[] = "ld-linux-aarch64.so.1";
#endif

/* More than any linker makes; beyond it a file is taken for nonsense. */
#define MAX_HEADERS 128
#define MAX_DYNAMIC 1024

struct file {
    ft_image_read *read;
    void *context;
    Elf64_Ehdr head;
};

static bool read_exactly(const struct file *file, void *to, size_t size_bytes, uint64_t offset)
{
    return file->read(file->context, to, size_bytes, offset) == (long)size_bytes;
}

static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static bool starts_with(const char *text, const char *prefix)
{
    while (*prefix && *text == *prefix)
        text++, prefix++;
    return !*prefix;
}

static const char *file_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (*path == '/')
            name = path + 1;
    return name;
}

/** As the kernel's binfmt_script: spaces, the interpreter, spaces, one argument. */
static void read_script(struct ft_image *out, const char *head, size_t size_bytes)
{
    size_t i = 2, n = 0;

    while (i < size_bytes && (head[i] == ' ' || head[i] == '\t'))
        i++;
    while (i < size_bytes && n < sizeof(out->interpreter) - 1 && head[i] != ' ' &&
           head[i] != '\t' && head[i] != '\n' && head[i] != '\0')
        out->interpreter[n++] = head[i++];
    out->interpreter[n] = '\0';
    out->kind = FT_IMAGE_SCRIPT;
}

static bool header_at(const struct file *file, unsigned index, Elf64_Phdr *out)
{
    return read_exactly(file, out, sizeof(*out),
                        file->head.e_phoff + (uint64_t)index * sizeof(*out));
}

/** Where in the file the byte at a virtual address stands. */
static bool file_offset(const struct file *file, uint64_t address, uint64_t *out)
{
    for (unsigned i = 0; i < file->head.e_phnum; i++) {
        Elf64_Phdr header;
        if (!header_at(file, i, &header))
            return false;
        if (header.p_type == PT_LOAD && address >= header.p_vaddr &&
            address - header.p_vaddr < header.p_filesz) {
            *out = header.p_offset + (address - header.p_vaddr);
            return true;
        }
    }
    return false;
}

/** Do the needed libraries allow a preloaded one? */
static bool needs_allow_preload(const struct file *file, const Elf64_Phdr *dynamic)
{
    uint64_t strings = 0;
    uint64_t count = dynamic->p_filesz / sizeof(Elf64_Dyn);
    unsigned needed = 0;

    if (count > MAX_DYNAMIC)
        return false;
    /* The string table's address may stand behind the names: two passes. */
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t i = 0; i < count; i++) {
            Elf64_Dyn entry;
            char name[32];
            if (!read_exactly(file, &entry, sizeof(entry), dynamic->p_offset + i * sizeof(entry)))
                return false;
            if (entry.d_tag == DT_NULL)
                break;
            if (pass == 0 && entry.d_tag == DT_STRTAB &&
                !file_offset(file, entry.d_un.d_ptr, &strings))
                return false;
            if (pass == 0 || entry.d_tag != DT_NEEDED)
                continue;
            needed++;
            long n = file->read(file->context, name, sizeof(name) - 1, strings + entry.d_un.d_val);
            if (n <= 0)
                return false;
            name[n] = '\0';
            /* AddressSanitizer's runtime stops when it is not the first library. */
            if (starts_with(name, "libasan.so"))
                return false;
        }
    }
    return needed > 0; /* without libraries it makes its system calls itself */
}

static enum ft_way elf_way(struct file *file, struct ft_image *out)
{
    Elf64_Phdr header, dynamic = {.p_type = PT_NULL};

    if (file->head.e_ident[EI_CLASS] != ELFCLASS64 || file->head.e_machine != OUR_MACHINE ||
        file->head.e_phentsize != sizeof(Elf64_Phdr) || file->head.e_phnum > MAX_HEADERS)
        return FT_WAY_KERNEL;
    for (unsigned i = 0; i < file->head.e_phnum; i++) {
        if (!header_at(file, i, &header))
            return FT_WAY_KERNEL;
        if (header.p_type == PT_DYNAMIC)
            dynamic = header;
        if (header.p_type != PT_INTERP)
            continue;
        uint64_t size = header.p_filesz;
        if (!size || size > sizeof(out->interpreter) ||
            !read_exactly(file, out->interpreter, size, header.p_offset)) {
            out->interpreter[0] = '\0'; /* half of it may be there, without an end */
            return FT_WAY_KERNEL;
        }
        out->interpreter[size - 1] = '\0';
    }
    if (dynamic.p_type != PT_DYNAMIC || !same_text(file_name(out->interpreter), our_loader))
        return FT_WAY_KERNEL;
    return needs_allow_preload(file, &dynamic) ? FT_WAY_PRELOAD : FT_WAY_KERNEL;
}

void ft_image_inspect(ft_image_read *read, void *context, struct ft_image *out)
{
    struct file file = {.read = read, .context = context};
    char head[FT_INTERPRETER_MAX];

    out->kind = FT_IMAGE_OTHER;
    out->way = FT_WAY_KERNEL;
    out->interpreter[0] = '\0';
    long n = read(context, head, sizeof(head), 0);
    if (n >= 2 && head[0] == '#' && head[1] == '!') {
        read_script(out, head, (size_t)n);
        return;
    }
    if (n < (long)sizeof(file.head))
        return;
    __builtin_memcpy(&file.head, head, sizeof(file.head));
    if (head[0] != ELFMAG0 || head[1] != ELFMAG1 || head[2] != ELFMAG2 || head[3] != ELFMAG3)
        return;
    out->kind = FT_IMAGE_ELF;
    out->way = elf_way(&file, out);
}
