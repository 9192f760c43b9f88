/* SPDX-License-Identifier: MIT */
/* The next definition of a function behind ours, as dlsym(RTLD_NEXT) finds it, without its
 * locks and allocations: a walk over ld.so's list of loaded objects and their hash tables. */
#include "tracer/linux/preload.h"

#include <elf.h>
#include <link.h>

#include "tracer/linux/search.h"

void *ft_next_found[FT_FUNCTION_COUNT];

/* All names in one block: a table of pointers would need a relocation each, at every start
 * of a process. */
static const struct {
#define FT_CALL(op, type, failed, function, parameters, arguments, notes)                          \
    char function[sizeof(#function)];
#define FT_HAND(op, function) char function[sizeof(#function)];
#define FT_HELPER(function) char function[sizeof(#function)];
#include "tracer/calls.def"
} names = {
#define FT_CALL(op, type, failed, function, parameters, arguments, notes) #function,
#define FT_HAND(op, function) #function,
#define FT_HELPER(function) #function,
#include "tracer/calls.def"
};

static const uint16_t name_offsets[] = {
#define FT_CALL(op, type, failed, function, parameters, arguments, notes)                          \
    offsetof(__typeof__(names), function),
#define FT_HAND(op, function) offsetof(__typeof__(names), function),
#define FT_HELPER(function) offsetof(__typeof__(names), function),
#include "tracer/calls.def"
};

extern ElfW(Dyn) _DYNAMIC[] HIDDEN;

/** ld.so's own; a weak reference because a program's loader may lack it. */
extern struct r_debug _r_debug __attribute__((weak));

/** The tables of one loaded object that a look-up needs. */
struct object {
    ElfW(Addr) base;
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu_hash;
    const ElfW(Half) * versions;
};

static bool object_read(const struct link_map *map, struct object *out)
{
    *out = (struct object){.base = map->l_addr};
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_SYMTAB)
            out->symbols = ft_table_address(map, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_STRTAB)
            out->strings = ft_table_address(map, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_GNU_HASH)
            out->gnu_hash = ft_table_address(map, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_VERSYM)
            out->versions = ft_table_address(map, entry->d_un.d_ptr);
    }
    return out->symbols && out->strings && out->gnu_hash;
}

static uint32_t gnu_hash(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

/** Is this the definition that a new program would be linked with? */
static bool is_default(const struct object *object, uint32_t index)
{
    const ElfW(Sym) *symbol = &object->symbols[index];
    if (symbol->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
        return false;
    /* Bit 15 marks a version that is kept for old programs only. */
    return !object->versions || !(object->versions[index] & 0x8000u);
}

/** The layout of this hash table is that of the System V ABI's GNU extension (DT_GNU_HASH). */
static void *object_find(const struct object *object, const char *name, uint32_t hash)
{
    const uint32_t *head = object->gnu_hash;
    uint32_t bucket_count = head[0], first = head[1], bloom_count = head[2], shift = head[3];
    const ElfW(Addr) *bloom = (const ElfW(Addr) *)(head + 4);
    const uint32_t *buckets = (const uint32_t *)(bloom + bloom_count);
    const uint32_t *chains = buckets + bucket_count;

    if (!bucket_count || !bloom_count)
        return NULL;
    uint32_t bits = 8 * sizeof(ElfW(Addr));
    ElfW(Addr) word = bloom[(hash / bits) % bloom_count];
    ElfW(Addr) mask = (ElfW(Addr))1 << (hash % bits) | (ElfW(Addr))1 << ((hash >> shift) % bits);
    if ((word & mask) != mask)
        return NULL;
    for (uint32_t i = buckets[hash % bucket_count]; i && i >= first; i++) {
        uint32_t chain = chains[i - first];
        if ((chain | 1u) == (hash | 1u) && is_default(object, i) &&
            same_text(object->strings + object->symbols[i].st_name, name))
            return (void *)(object->base + object->symbols[i].st_value);
        if (chain & 1u)
            break;
    }
    return NULL;
}

/** The first definition in the objects from @map on. */
static void *find_from(const struct link_map *map, const char *name, uint32_t hash)
{
    for (; map; map = map->l_next) {
        struct object object;
        void *found = object_read(map, &object) ? object_find(&object, name, hash) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/** Our library in ld.so's list. */
static const struct link_map *ourselves(void)
{
    const struct link_map *map = &_r_debug ? _r_debug.r_map : NULL;
    while (map && map->l_ld != _DYNAMIC)
        map = map->l_next;
    return map;
}

__attribute__((noinline)) void *ft_next_find(enum ft_function function)
{
    const char *name = (const char *)&names + name_offsets[function];
    const struct link_map *us = ourselves();
    if (!us)
        return NULL;
    /* A variable is not wrapped: the program's own copy of it, which the linker may have made,
     * stands for the library's. */
    const struct link_map *from = function == FT_FN___environ ? _r_debug.r_map : us->l_next;
    void *found = find_from(from, name, gnu_hash(name));
    if (found)
        __atomic_store_n(&ft_next_found[function], found, __ATOMIC_RELAXED);
    return found;
}

void *ft_next_wrapper(const char *name, void *found)
{
    const struct link_map *us = ourselves();
    struct object object;
    if (!us || !object_read(us, &object))
        return found;
    uint32_t hash = gnu_hash(name);
    void *wrapper = object_find(&object, name, hash);
    return wrapper && find_from(us->l_next, name, hash) == found ? wrapper : found;
}

int *ft_errno_place(void)
{
    static int without_libc;
    int *(*place)(void) = (int *(*)(void))ft_next(FT_FN___errno_location);
    return place ? place() : &without_libc;
}
