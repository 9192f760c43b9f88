/* SPDX-License-Identifier: MIT */
/* What static images need to record from inside, made once for each. */
#include "tracer/linux/slots.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracer/linux/payload.h"
#include "tracer/linux/payload_calls.h"
#include "tracer/linux/site_cache.h"
#include "tracer/linux/syscalls.h"

#define PAGE_BYTES FT_PAYLOAD_PAGE_BYTES
#define HEADERS_MAX 64
#define CODE_MAX_BYTES (256u << 20)
/* How far below a position-independent image its stubs lie: free when it starts, and near. */
#define STUBS_BELOW 0x8000000u

/* To look through a smaller one takes no longer than to read what was found. */
#define CACHE_MIN_BYTES (256u << 10)
/* How much of the code around a site is looked at to know it again, and what may be found there. */
#define AROUND_BYTES 256u
#define AROUND_SITES 32u

/** An executable file being looked at. */
struct image {
    int fd;
    uint64_t file_bytes;
    Elf64_Ehdr head;
    Elf64_Phdr headers[HEADERS_MAX];
};

static bool is_wanted(uint32_t number)
{
    if (ft_payload_leaves(number))
        return false;
    for (size_t i = 0; i < ft_syscalls_count; i++)
        if (ft_syscalls[i].number[FT_MACHINE_X86_64] == (int)number)
            return true;
    return false;
}

static int read_image(struct image *image)
{
    if (pread(image->fd, &image->head, sizeof(image->head), 0) != (ssize_t)sizeof(image->head))
        return -ENOEXEC;
    const Elf64_Ehdr *head = &image->head;
    if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_machine != EM_X86_64 || head->e_phentsize != sizeof(Elf64_Phdr) ||
        (head->e_type != ET_EXEC && head->e_type != ET_DYN))
        return -ENOEXEC;
    if (head->e_phnum > HEADERS_MAX)
        return -E2BIG;
    ssize_t bytes = (ssize_t)(head->e_phnum * sizeof(Elf64_Phdr));
    return pread(image->fd, image->headers, (size_t)bytes, (off_t)head->e_phoff) == bytes
               ? 0
               : -ENOEXEC;
}

static int add_segment(struct ft_slot *slot, const Elf64_Phdr *header)
{
    if (slot->segments_count == FT_SLOT_SEGMENTS_MAX || header->p_filesz > CODE_MAX_BYTES ||
        header->p_vaddr > UINT64_MAX / 2)
        return -E2BIG;
    uint64_t end = header->p_vaddr + header->p_filesz;
    slot->segments[slot->segments_count].start = header->p_vaddr & ~(uint64_t)(PAGE_BYTES - 1);
    slot->segments[slot->segments_count].end = (end + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    slot->segments_count++;
    return 0;
}

/** Where the image lies, and whether there is room for us. */
static int take_layout(struct ft_slot *slot, const struct image *image)
{
    uint64_t start = UINT64_MAX;
    int ret = 0;

    slot->is_movable = image->head.e_type == ET_DYN;
    slot->entry = image->head.e_entry;
    for (unsigned i = 0; !ret && i < image->head.e_phnum; i++) {
        const Elf64_Phdr *header = &image->headers[i];
        if (header->p_type == PT_INTERP)
            return -ELIBBAD; /* the loader's and the libraries' calls are notified */
        if (header->p_type != PT_LOAD)
            continue;
        if (header->p_vaddr < start)
            start = header->p_vaddr;
        if (!slot->is_movable && header->p_vaddr < FT_PAYLOAD_END &&
            header->p_vaddr + header->p_memsz > FT_PAYLOAD_BASE) {
            slot->is_exempt |= (header->p_flags & PF_X) != 0;
            ret = -EADDRINUSE;
        }
        if (!ret && (header->p_flags & PF_X))
            ret = add_segment(slot, header);
    }
    slot->stubs =
        slot->is_movable ? (start & ~(uint64_t)(PAGE_BYTES - 1)) - STUBS_BELOW : FT_PAYLOAD_STUBS;
    return ret;
}

/** Read all of a segment's code. @return bytes read, fewer where the file ends before */
static size_t read_code(const struct image *image, const Elf64_Phdr *header, unsigned char *out)
{
    size_t done = 0;
    ssize_t n;
    while (done < header->p_filesz && (n = pread(image->fd, out + done, header->p_filesz - done,
                                                 (off_t)(header->p_offset + done))) > 0)
        done += (size_t)n;
    return done;
}

static int find_in(struct ft_slot *slot, const struct image *image, const Elf64_Phdr *header)
{
    if (!header->p_filesz || header->p_offset > image->file_bytes ||
        header->p_filesz > image->file_bytes - header->p_offset)
        return 0;
    /* Not a mapping of the file: whoever cuts it would end us. */
    unsigned char *code = mmap(NULL, header->p_filesz, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (code == MAP_FAILED)
        return -errno;
    size_t bytes = read_code(image, header, code);
    slot->sites_count +=
        ft_sites_find(code, bytes, header->p_vaddr, is_wanted, slot->sites + slot->sites_count,
                      FT_SLOT_SITES_MAX - slot->sites_count);
    munmap(code, header->p_filesz);
    return 0;
}

/** Is it there, looked at anew? All but jumps from afar is seen in what stands around it. */
static bool is_there(const struct image *image, const struct ft_site *site)
{
    unsigned char code[2 * AROUND_BYTES + FT_SITE_MAX_BYTES];
    struct ft_site found[AROUND_SITES];
    for (unsigned i = 0; i < image->head.e_phnum; i++) {
        const Elf64_Phdr *header = &image->headers[i];
        uint64_t at = site->address - header->p_vaddr;
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X) || at >= header->p_filesz)
            continue;
        uint64_t first = at < AROUND_BYTES ? 0 : at - AROUND_BYTES, left = header->p_filesz - first;
        ssize_t n = pread(image->fd, code, left < sizeof(code) ? left : sizeof(code),
                          (off_t)(header->p_offset + first));
        size_t count = n <= 0 ? 0
                              : ft_sites_find(code, (size_t)n, header->p_vaddr + first, is_wanted,
                                              found, AROUND_SITES);
        for (size_t k = 0; k < count; k++)
            if (found[k].address == site->address && found[k].size_bytes == site->size_bytes &&
                !memcmp(found[k].bytes, site->bytes, site->size_bytes))
                return true;
    }
    return false;
}

/** The sites that an earlier run has found. @return whether each of them is there */
static bool remember_sites(struct ft_slot *slot, const struct image *image)
{
    size_t count = ft_site_cache_load(&slot->key, slot->sites, FT_SLOT_SITES_MAX);
    for (size_t i = 0; i < count; i++)
        if ((i && slot->sites[i].address <= slot->sites[i - 1].address) ||
            !is_there(image, &slot->sites[i]))
            return false;
    slot->sites_count = count;
    return count > 0;
}

static int find_sites(struct ft_slot *slot, const struct image *image)
{
    slot->sites = calloc(FT_SLOT_SITES_MAX, sizeof(*slot->sites));
    slot->stub_of_site = calloc(FT_SLOT_SITES_MAX, sizeof(*slot->stub_of_site));
    if (!slot->sites || !slot->stub_of_site)
        return -ENOMEM;
    bool is_large = image->file_bytes >= CACHE_MIN_BYTES;
    if (is_large && remember_sites(slot, image))
        return 0;
    for (unsigned i = 0; i < image->head.e_phnum; i++) {
        const Elf64_Phdr *header = &image->headers[i];
        int ret = header->p_type == PT_LOAD && (header->p_flags & PF_X)
                      ? find_in(slot, image, header)
                      : 0;
        if (ret)
            return ret;
    }
    if (is_large && slot->sites_count)
        ft_site_cache_store(&slot->key, slot->sites, slot->sites_count);
    return slot->sites_count ? 0 : -ENOENT;
}

/** Write the stubs; sites that they do not reach are left out. */
static void write_stubs(struct ft_slot *slot, unsigned char *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < slot->sites_count; i++) {
        uint64_t stub = slot->stubs + slot->stubs_bytes;
        unsigned char jump[FT_JUMP_BYTES];
        if (slot->stubs_bytes + FT_STUB_MAX_BYTES > FT_PAYLOAD_STUBS_BYTES)
            break;
        size_t bytes =
            ft_stub_write(&slot->sites[i], stub, FT_PAYLOAD_HOOK, out + slot->stubs_bytes);
        if (!bytes || !ft_jump_write(slot->sites[i].address, stub, jump))
            continue;
        slot->sites[kept] = slot->sites[i];
        slot->stub_of_site[kept++] = stub;
        slot->stubs_bytes += (bytes + 7) & ~(size_t)7;
    }
    slot->sites_count = kept;
}

static int make_code(struct ft_slot *slot, const struct ft_log_head *log)
{
    slot->code = malloc(FT_PAYLOAD_TEXT_BYTES + FT_PAYLOAD_STUBS_BYTES);
    if (!slot->code)
        return -ENOMEM;
    memcpy(slot->code, ft_payload_text, FT_PAYLOAD_TEXT_BYTES);
    memcpy(slot->code + offsetof(struct ft_payload_head, nonce), &log->nonce, sizeof(log->nonce));
    write_stubs(slot, slot->code + FT_PAYLOAD_TEXT_BYTES);
    return slot->sites_count ? 0 : -ENOENT;
}

static void slot_free(struct ft_slot *slot)
{
    free(slot->code);
    free(slot->sites);
    free(slot->stub_of_site);
    free(slot);
}

static int slot_new(const struct ft_slots *slots, const struct ft_slot_key *key, int fd,
                    struct ft_slot **out)
{
    struct image image = {.fd = fd, .file_bytes = key->size_bytes};
    struct ft_slot *slot = calloc(1, sizeof(*slot));
    *out = NULL;
    if (!slot)
        return -ENOMEM;
    slot->key = *key;
    slot->error = read_image(&image);
    if (!slot->error)
        slot->error = take_layout(slot, &image);
    if (!slot->error)
        slot->error = find_sites(slot, &image);
    if (!slot->error)
        slot->error = make_code(slot, slots->log);
    *out = slot;
    return 0;
}

static struct ft_slot *find(struct ft_slots *slots, const struct ft_slot_key *key)
{
    for (size_t i = 0; i < slots->count; i++)
        if (!memcmp(&slots->slots[i]->key, key, sizeof(*key)))
            return slots->slots[i];
    return NULL;
}

static void drop(struct ft_slot *slot)
{
    slot->is_dropped = true;
    if (!slot->users)
        slot_free(slot);
}

/** Keep it; the one that has been here longest makes room. */
static void add(struct ft_slots *slots, struct ft_slot *slot)
{
    if (slots->count == FT_IMAGES_MAX)
        drop(slots->slots[slots->next]);
    else
        slots->count++;
    slot->place = (unsigned)slots->next;
    slots->slots[slots->next] = slot;
    slots->next = (slots->next + 1) % FT_IMAGES_MAX;
    __atomic_store_n(&slots->log->busy[slot->place], 0, __ATOMIC_RELAXED);
    if (slot->code) {
        const uint64_t image = slot->place;
        memcpy(slot->code + offsetof(struct ft_payload_head, image), &image, sizeof(image));
    }
}

static uint64_t time_ns(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

struct ft_slot_key ft_slot_key_of(const struct stat *st)
{
    return (struct ft_slot_key){
        .device = (uint64_t)st->st_dev,
        .inode = (uint64_t)st->st_ino,
        .size_bytes = (uint64_t)st->st_size,
        .modified_ns = time_ns(&st->st_mtim),
        .changed_ns = time_ns(&st->st_ctim),
    };
}

/** The file is not known: look through it. */
static int make(struct ft_slots *slots, const char *path, struct ft_slot **out)
{
    struct stat st;
    int ret;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st)) {
        ret = -errno;
    } else {
        const struct ft_slot_key key = ft_slot_key_of(&st);
        ret = slot_new(slots, &key, fd, out);
        if (!ret)
            add(slots, *out);
    }
    close(fd);
    return ret;
}

int ft_slots_get(struct ft_slots *slots, const char *path, struct ft_slot **out)
{
    struct stat st;
    int ret = 0;

    *out = NULL;
    if (stat(path, &st))
        return -errno;
    const struct ft_slot_key key = ft_slot_key_of(&st);
    (void)pthread_mutex_lock(&slots->lock);
    *out = find(slots, &key);
    if (!*out)
        ret = make(slots, path, out);
    if (*out)
        (*out)->users++;
    (void)pthread_mutex_unlock(&slots->lock);
    return ret;
}

void ft_slots_put(struct ft_slots *slots, struct ft_slot *slot)
{
    if (!slot)
        return;
    (void)pthread_mutex_lock(&slots->lock);
    slot->users--;
    if (slot->is_dropped && !slot->users)
        slot_free(slot);
    (void)pthread_mutex_unlock(&slots->lock);
}

void ft_slots_fini(struct ft_slots *slots)
{
    for (size_t i = 0; i < slots->count; i++)
        slot_free(slots->slots[i]);
    slots->count = 0;
}
