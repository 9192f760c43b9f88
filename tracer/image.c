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
#define MAX_FIRST_NEEDED 8 /* compilers put a sanitizer's runtime first */

#define WINDOW_BYTES 1024u

struct file {
    ft_image_read *read;
    void *context;
    Elf64_Ehdr head;
    /* The part of the file that was read last: headers stand side by side. */
    uint64_t window_offset;
    size_t window_bytes;
    char window[WINDOW_BYTES];
};

/** Up to @size_bytes (at most a window) from @offset. @return how many there are */
static size_t read_some(struct file *file, void *to, size_t size_bytes, uint64_t offset)
{
    if (offset < file->window_offset || offset - file->window_offset > file->window_bytes ||
        size_bytes > file->window_bytes - (size_t)(offset - file->window_offset)) {
        long n = file->read(file->context, file->window, WINDOW_BYTES, offset);
        file->window_offset = offset;
        file->window_bytes = n > 0 && n <= (long)WINDOW_BYTES ? (size_t)n : 0;
    }
    size_t skip = (size_t)(offset - file->window_offset);
    size_t have = file->window_bytes - skip;
    if (have > size_bytes)
        have = size_bytes;
    for (size_t i = 0; i < have; i++)
        ((char *)to)[i] = file->window[skip + i];
    return have;
}

static bool read_exactly(struct file *file, void *to, size_t size_bytes, uint64_t offset)
{
    return read_some(file, to, size_bytes, offset) == size_bytes;
}

static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static const char *file_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (*path == '/')
            name = path + 1;
    return name;
}

bool ft_image_is_usual_loader(const char *interpreter)
{
    return same_text(interpreter, FT_IMAGE_USUAL_LOADER);
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

static bool header_at(struct file *file, unsigned index, Elf64_Phdr *out)
{
    return read_exactly(file, out, sizeof(*out),
                        file->head.e_phoff + (uint64_t)index * sizeof(*out));
}

/** Where in the file the byte at a virtual address stands. */
static bool file_offset(struct file *file, uint64_t address, uint64_t *out)
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
static bool needs_allow_preload(struct file *file, const Elf64_Phdr *dynamic)
{
    uint64_t strings_address = 0, strings = 0, count = dynamic->p_filesz / sizeof(Elf64_Dyn);
    uint64_t names[MAX_FIRST_NEEDED];
    unsigned needed = 0;

    for (uint64_t i = 0; i < count && i < MAX_DYNAMIC; i++) {
        Elf64_Dyn entry;
        if (!read_exactly(file, &entry, sizeof(entry), dynamic->p_offset + i * sizeof(entry)))
            return false;
        if (entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_STRTAB)
            strings_address = entry.d_un.d_ptr;
        else if (entry.d_tag == DT_NEEDED && needed < MAX_FIRST_NEEDED)
            names[needed++] = entry.d_un.d_val;
    }
    /* Without libraries it makes its system calls itself. */
    if (!needed || !file_offset(file, strings_address, &strings))
        return false;
    for (unsigned i = 0; i < needed; i++) {
        static const char asan[] = "libasan.so";
        char name[sizeof(asan)];
        size_t n = read_some(file, name, sizeof(name) - 1, strings + names[i]);
        name[n] = '\0';
        /* AddressSanitizer's runtime stops when it is not the first library. */
        if (!n || same_text(name, asan))
            return false;
    }
    return true;
}

static enum ft_way elf_way(struct file *file, struct ft_image *out)
{
    Elf64_Phdr header = {.p_type = PT_NULL}, dynamic = {.p_type = PT_NULL};

    if (file->head.e_ident[EI_CLASS] != ELFCLASS64 || file->head.e_machine != OUR_MACHINE ||
        file->head.e_phentsize != sizeof(Elf64_Phdr) || file->head.e_phnum > MAX_HEADERS)
        return FT_WAY_KERNEL;
    for (unsigned i = 0; i < file->head.e_phnum; i++) {
        if (!header_at(file, i, &header))
            return FT_WAY_KERNEL;
        if (header.p_type == PT_DYNAMIC)
            dynamic = header;
        if (header.p_type == PT_LOAD && (header.p_flags & PF_X) && !out->code_bytes) {
            out->code_offset = header.p_offset;
            out->code_bytes = header.p_filesz;
        }
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
    struct file file;
    char head[FT_INTERPRETER_MAX];

    file.read = read;
    file.context = context;
    file.window_offset = 0;
    file.window_bytes = 0;
    out->kind = FT_IMAGE_OTHER;
    out->way = FT_WAY_KERNEL;
    out->code_offset = 0;
    out->code_bytes = 0;
    out->interpreter[0] = '\0';
    size_t n = read_some(&file, head, sizeof(head), 0);
    if (n >= 2 && head[0] == '#' && head[1] == '!') {
        read_script(out, head, n);
        return;
    }
    if (n < sizeof(file.head))
        return;
    __builtin_memcpy(&file.head, head, sizeof(file.head));
    if (head[0] != ELFMAG0 || head[1] != ELFMAG1 || head[2] != ELFMAG2 || head[3] != ELFMAG3)
        return;
    out->kind = FT_IMAGE_ELF;
    out->way = elf_way(&file, out);
}
