/* SPDX-License-Identifier: MIT */
/* What was found in an image is found again, and a kept file is believed in nothing that the image
 * does not say. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "common/folder.h"
#include "tracer/linux/site_cache.h"
#include "tracer/linux/slots.h"

#define ADDRESS 0x401000u
#define IMAGE_BYTES (300u << 10)
#define CODE_OFFSET 4096u
#define SITE_AT 1000u   /* in the code: an open */
#define OTHER_AT 90000u /* another one */
#define SITES_MAX 8u

static char folder[] = "/tmp/test_site_cache.XXXXXX";
static char image_path[64], cache_path[64], kept[96];
static const struct ft_slot_key key = {1, 2, 3, 4, 5};
static const struct ft_site site = {
    .address = ADDRESS, .size_bytes = 5, .bytes = {0xb8, 2, 0, 0, 0}};

/** A static image: nops, two opens, and a call that is none. */
static void write_image(void)
{
    static unsigned char file[IMAGE_BYTES];
    static const unsigned char open_call[] = {0xb8, 2, 0, 0, 0, 0x0f, 0x05, 0xc3};
    const Elf64_Ehdr head = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = EM_X86_64,
        .e_phoff = sizeof(head),
        .e_phentsize = sizeof(Elf64_Phdr),
        .e_phnum = 1,
    };
    const Elf64_Phdr segment = {.p_type = PT_LOAD,
                                .p_flags = PF_R | PF_X,
                                .p_offset = CODE_OFFSET,
                                .p_vaddr = ADDRESS,
                                .p_filesz = IMAGE_BYTES - CODE_OFFSET,
                                .p_memsz = IMAGE_BYTES - CODE_OFFSET};
    memset(file, 0x90, sizeof(file));
    memcpy(file, &head, sizeof(head));
    memcpy(file + sizeof(head), &segment, sizeof(segment));
    memcpy(file + CODE_OFFSET + SITE_AT, open_call, sizeof(open_call));
    memcpy(file + CODE_OFFSET + OTHER_AT, open_call, sizeof(open_call));
    int fd = open(image_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, file, sizeof(file)), sizeof(file));
    assert_int_equal(close(fd), 0);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    (void)snprintf(image_path, sizeof(image_path), "%s/image", folder);
    (void)snprintf(cache_path, sizeof(cache_path), "%s/cache", folder);
    return setenv("XDG_CACHE_HOME", cache_path, 1);
}

static int tear_down(void **state)
{
    (void)state;
    folder_remove(folder);
    return 0;
}

static bool is_kept_sites(const char *name)
{
    return !strncmp(name, "sites-", strlen("sites-"));
}

/** The one file that is kept: its name goes to `kept`. */
static int one_site(void **state)
{
    (void)state;
    char kept_folder[80];
    char **names;
    size_t count;
    folder_remove(cache_path);
    ft_site_cache_store(&key, &site, 1);
    (void)snprintf(kept_folder, sizeof(kept_folder), "%s/tracetax", cache_path);
    if (folder_list(kept_folder, is_kept_sites, &names, &count) || count != 1)
        return -1;
    (void)snprintf(kept, sizeof(kept), "%s/%s", kept_folder, names[0]);
    folder_list_free(names, count);
    return 0;
}

static size_t load(const struct ft_slot_key *of)
{
    struct ft_site out[SITES_MAX];
    size_t count = ft_site_cache_load(of, out, SITES_MAX);
    if (count)
        assert_memory_equal(out, &site, sizeof(site));
    return count;
}

static void keeps_what_was_found(void **state)
{
    (void)state;
    struct stat st;
    assert_int_equal(load(&key), 1);
    assert_int_equal(stat(kept, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    for (size_t i = 0; i < sizeof(key) / sizeof(uint64_t); i++) {
        struct ft_slot_key other = key;
        ((uint64_t *)&other)[i]++;
        assert_int_equal(load(&other), 0); /* another file, or another state of it */
    }
    struct ft_site none[1];
    assert_int_equal(ft_site_cache_load(&key, none, 0), 0); /* more than there is room for */
}

static void takes_no_damaged_file(void **state)
{
    (void)state;
    struct stat st;
    assert_int_equal(stat(kept, &st), 0);
    int fd = open(kept, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    for (off_t at = 0; at < st.st_size; at++) {
        unsigned char byte, turned;
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        turned = byte ^ 0x41;
        assert_int_equal(pwrite(fd, &turned, 1, at), 1);
        assert_int_equal(load(&key), 0);
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    }
    assert_int_equal(load(&key), 1);
    assert_int_equal(ftruncate(fd, st.st_size + 1), 0);
    assert_int_equal(load(&key), 0);
    for (off_t bytes = st.st_size - 1; bytes >= 0; bytes -= 7) {
        assert_int_equal(ftruncate(fd, bytes), 0);
        assert_int_equal(load(&key), 0);
    }
    close(fd);
}

static void takes_no_file_of_others(void **state)
{
    (void)state;
    char moved[128], above[128];
    assert_int_equal(chmod(kept, 0620), 0);
    assert_int_equal(load(&key), 0);
    assert_int_equal(chmod(kept, 0600), 0);
    assert_int_equal(load(&key), 1);
    if (geteuid() == 0) {
        assert_int_equal(chown(kept, 1, 1), 0);
        assert_int_equal(load(&key), 0);
        assert_int_equal(chown(kept, 0, 0), 0);
    }
    /* A link, and a folder where others may put something. */
    (void)snprintf(moved, sizeof(moved), "%s.moved", kept);
    assert_int_equal(rename(kept, moved), 0);
    assert_int_equal(symlink(moved, kept), 0);
    assert_int_equal(load(&key), 0);
    assert_int_equal(rename(moved, kept), 0);
    (void)snprintf(above, sizeof(above), "%s/tracetax", cache_path);
    assert_int_equal(chmod(above, 0777), 0);
    assert_int_equal(load(&key), 0);
    ft_site_cache_store(&key, &site, 1);
    assert_int_equal(chmod(above, 0700), 0);
    assert_int_equal(load(&key), 1);
}

static void does_without_a_folder(void **state)
{
    (void)state;
    assert_int_equal(setenv("XDG_CACHE_HOME", "/dev/null", 1), 0);
    ft_site_cache_store(&key, &site, 1);
    assert_int_equal(load(&key), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", "relative", 1), 0);
    assert_int_equal(setenv("HOME", folder, 1), 0);
    ft_site_cache_store(&key, &site, 1); /* in ~/.cache, which it makes */
    assert_int_equal(load(&key), 1);
    assert_int_equal(unsetenv("HOME"), 0);
    ft_site_cache_store(&key, &site, 1);
    assert_int_equal(load(&key), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", cache_path, 1), 0);
}

/** The addresses of the sites that the image's slot has. */
static size_t find(uint64_t *out, struct ft_slot_key *image)
{
    static struct ft_log_head log;
    struct ft_slots slots = {.log = &log};
    struct ft_slot *slot;
    assert_int_equal(pthread_mutex_init(&slots.lock, NULL), 0);
    assert_int_equal(ft_slots_get(&slots, image_path, &slot), 0);
    assert_int_equal(slot->error, 0);
    size_t count = slot->sites_count;
    assert_in_range(count, 1, SITES_MAX);
    for (size_t i = 0; i < count; i++)
        out[i] = slot->sites[i].address;
    *image = slot->key;
    ft_slots_put(&slots, slot);
    ft_slots_fini(&slots);
    return count;
}

static void holds_each_site_against_the_image(void **state)
{
    (void)state;
    uint64_t found[SITES_MAX] = {0};
    struct ft_slot_key image = {0};
    struct ft_site forged[2] = {site, site};

    write_image();
    assert_int_equal(find(found, &image), 2);
    assert_int_equal(found[0], ADDRESS + SITE_AT);
    assert_int_equal(found[1], ADDRESS + OTHER_AT);
    /* Kept now: what is there is believed, also when it is not all. */
    struct ft_site out[SITES_MAX];
    assert_int_equal(ft_site_cache_load(&image, out, SITES_MAX), 2);
    forged[0].address = ADDRESS + OTHER_AT;
    ft_site_cache_store(&image, forged, 1);
    assert_int_equal(find(found, &image), 1);
    assert_int_equal(found[0], ADDRESS + OTHER_AT);
    /* Where there is no call, beside one, outside, of other bytes, twice: looked through again. */
    static const uint64_t wrong[] = {500, SITE_AT + 1, SITE_AT - 1, IMAGE_BYTES, UINT64_MAX - 100};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        forged[0].address = ADDRESS + SITE_AT;
        forged[1].address = ADDRESS + wrong[i];
        ft_site_cache_store(&image, forged, 2);
        assert_int_equal(find(found, &image), 2);
        assert_int_equal(found[1], ADDRESS + OTHER_AT);
    }
    forged[1] = forged[0];
    ft_site_cache_store(&image, forged, 2);
    assert_int_equal(find(found, &image), 2);
    assert_int_equal(found[1], ADDRESS + OTHER_AT);
    forged[0].size_bytes = 255;
    ft_site_cache_store(&image, forged, 1);
    assert_int_equal(find(found, &image), 2);
    forged[0].size_bytes = 5;
    forged[0].bytes[1] = 1;
    ft_site_cache_store(&image, forged, 1);
    assert_int_equal(find(found, &image), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(keeps_what_was_found, one_site),
        cmocka_unit_test_setup(takes_no_damaged_file, one_site),
        cmocka_unit_test_setup(takes_no_file_of_others, one_site),
        cmocka_unit_test(does_without_a_folder),
        cmocka_unit_test(holds_each_site_against_the_image),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
