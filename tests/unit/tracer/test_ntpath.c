/* SPDX-License-Identifier: MIT */
/* Names of the NT kernel become DOS paths, and what is no file becomes nothing. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "common/compiler.h"
#include "common/wtf8.h"
#include "tracer/windows/ntpath.h"

static struct ft_nt_devices devices;

static void add(const char *nt, const char *dos, int expected)
{
    assert_int_equal(ft_nt_devices_add(&devices, nt, strlen(nt), dos, strlen(dos)), expected);
}

static int make_devices(void **state)
{
    (void)state;
    add("\\Device\\HarddiskVolume3", "C:", 0);
    add("\\Device\\HarddiskVolume12\\", "D:\\", 0);
    add("\\SystemRoot", "C:\\Windows", 0);
    add("\\Device\\ImDisk0", "R:", 0);
    return 0;
}

/** UTF-16 in exactly its room, at an odd address as a record may have it. */
static char *units_of(const char *text, size_t *size_bytes)
{
    size_t length = strlen(text), units;
    uint16_t *wide = calloc(length + 1, sizeof(*wide));
    assert_non_null(wide);
    assert_int_equal(wtf8_to_utf16(text, length, wide, &units), 0);
    *size_bytes = 2 * units;
    char *bytes = malloc(*size_bytes + 1);
    assert_non_null(bytes);
    memcpy(bytes + 1, wide, *size_bytes);
    free(wide);
    return bytes;
}

static void assert_path(const char *base, const char *path, enum ft_nt_kind kind,
                        const char *expected)
{
    size_t base_bytes, path_bytes, out_bytes = 99;
    char *wide_base = units_of(base, &base_bytes), *wide_path = units_of(path, &path_bytes);
    char *out = malloc(FT_NT_PATH_BYTES(base_bytes, path_bytes));
    assert_non_null(out);
    enum ft_nt_kind got =
        ft_nt_path(wide_base + 1, base_bytes, wide_path + 1, path_bytes, &devices, out, &out_bytes);
    if (got != kind || strcmp(out, expected))
        print_error("'%s' + '%s'\n", base, path);
    assert_string_equal(out, expected);
    assert_int_equal(out_bytes, strlen(expected));
    assert_int_equal(got, kind);
    free(out);
    free(wide_base);
    free(wide_path);
}

static void names_files(void **state)
{
    (void)state;
    static const struct {
        const char *name, *expected;
    } cases[] = {
        {"\\??\\C:\\dir\\file.txt", "C:\\dir\\file.txt"},
        {"\\??\\c:\\dir\\", "C:\\dir"},
        {"\\??\\C:\\", "C:\\"},
        {"\\??\\C:\\a\\\\b", "C:\\a\\b"},
        {"\\DosDevices\\Z:\\x", "Z:\\x"},
        {"\\GLOBAL??\\Z:\\x", "Z:\\x"},
        {"\\\\?\\C:\\x", "C:\\x"},
        {"\\\\.\\C:\\x", "C:\\x"},
        {"C:\\dir\\x", "C:\\dir\\x"},
        {"\\??\\UNC\\server\\share\\x", "\\\\server\\share\\x"},
        {"\\??\\unc\\server\\share\\", "\\\\server\\share"},
        {"\\\\server\\share\\x", "\\\\server\\share\\x"},
        {"\\Device\\Mup\\server\\share\\x", "\\\\server\\share\\x"},
        {"\\Device\\Mup\\;LanmanRedirector\\;Z:00000000000a1b2c\\server\\share\\x",
         "\\\\server\\share\\x"},
        {"\\Device\\LanmanRedirector\\server\\share", "\\\\server\\share"},
        {"\\Device\\HarddiskVolume3\\dir\\x", "C:\\dir\\x"},
        {"\\Device\\HarddiskVolume3\\", "C:\\"},
        {"\\device\\harddiskvolume12\\x", "D:\\x"},
        /* a longer number is another disk, here one without a letter */
        {"\\Device\\HarddiskVolume31\\x", "\\\\?\\GLOBALROOT\\Device\\HarddiskVolume31\\x"},
        {"\\Device\\ImDisk0\\x", "R:\\x"},
        {"\\SystemRoot\\System32\\x.dll", "C:\\Windows\\System32\\x.dll"},
        {"\\SystemRoot", "C:\\Windows"},
        {"\\??\\GLOBALROOT\\Device\\HarddiskVolume3\\x", "C:\\x"},
        {"\\??\\Volume{0b1c2d3e-0000}\\x", "\\\\?\\Volume{0b1c2d3e-0000}\\x"},
        {"\\??\\unix\\tmp\\x", "\\\\?\\unix\\tmp\\x"}, /* wine's way out */
        {"\\??\\C:\\PROGRA~1\\x", "C:\\PROGRA~1\\x"},
        {"\\??\\C:\\f.txt:stream:$DATA", "C:\\f.txt:stream:$DATA"},
        {"\\??\\C:\\a.\\b ", "C:\\a.\\b "},
        {"\\??\\C:\\\xe6\x97\xa5\xe6\x9c\xac\\x", "C:\\\xe6\x97\xa5\xe6\x9c\xac\\x"},
        {"\\??\\C:\\\xed\xa0\xbd.txt", "C:\\\xed\xa0\xbd.txt"}, /* half a character */
        {"\\??\\C:\\pipe\\x", "C:\\pipe\\x"},
        {"\\??\\C:\\NUL.d\\x#y", "C:\\NUL.d\\x#y"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_path("", cases[i].name, FT_NT_FILE, cases[i].expected);
}

static void leaves_out_what_is_no_file(void **state)
{
    (void)state;
    static const char *const names[] = {
        "\\??\\pipe\\name",
        "\\??\\PIPE\\",
        "\\??\\mailslot\\m",
        "\\??\\NUL",
        "\\??\\CONIN$",
        "\\??\\CONOUT$",
        "\\??\\COM1",
        "\\??\\PhysicalDrive0",
        "\\??\\MountPointManager",
        "\\??\\C:",
        "\\??\\UNC",
        "\\??\\UNC\\",
        "\\??\\HID#VID_046D&PID_C52B#7&1a2b#{4d1e55b2-f16f-11cf}",
        "\\??\\SWD#MMDEVAPI#{0.0}#{e6327cad}\\wave",
        "\\Device\\NamedPipe\\x",
        "\\Device\\ConDrv",
        "\\Device\\ConDrv\\Reference",
        "\\Device\\Afd\\Endpoint",
        "\\Device\\Null",
        "\\Device\\KsecDD",
        "\\Device\\HarddiskVolume3",
        "\\Device\\Mup",
        "\\??\\GLOBALROOT\\Device\\NamedPipe\\x",
        "\\",
        "\\KnownDlls",
    };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        assert_path("", names[i], FT_NT_OTHER, "");
}

static void joins_folders(void **state)
{
    (void)state;
    assert_path("\\??\\C:\\dir", "sub\\x", FT_NT_FILE, "C:\\dir\\sub\\x");
    assert_path("C:\\dir\\", "x", FT_NT_FILE, "C:\\dir\\x");
    assert_path("\\\\server\\share\\", "x", FT_NT_FILE, "\\\\server\\share\\x");
    assert_path("\\Device\\HarddiskVolume3\\dir", "x", FT_NT_FILE, "C:\\dir\\x");
    assert_path("\\Device\\HarddiskVolume3\\dir", "", FT_NT_FILE, "C:\\dir");
    assert_path("\\Device\\HarddiskVolume3", "x", FT_NT_FILE, "C:\\x");
    assert_path("\\Device\\NamedPipe\\", "x", FT_NT_OTHER, "");
    /* an absolute name needs no folder */
    assert_path("C:\\dir", "\\??\\D:\\x", FT_NT_FILE, "D:\\x");
    /* a name may look like a drive and not be one */
    assert_path("C:\\dir", "a:stream", FT_NT_FILE, "C:\\dir\\a:stream");
}

static void says_what_it_does_not_know(void **state)
{
    (void)state;
    assert_path("", "x\\y", FT_NT_UNKNOWN, "x\\y");
    assert_path("dir", "x", FT_NT_UNKNOWN, "dir\\x");
    assert_path("", "", FT_NT_UNKNOWN, "");
}

static void ends_at_a_nul(void **state)
{
    (void)state;
    static const char name[] = "\\\0?\0?\0\\\0C\0:\0\\\0x\0\0\0y";
    char out[FT_NT_PATH_BYTES(0, sizeof(name))];
    size_t out_bytes;
    assert_int_equal(ft_nt_path("", 0, name, sizeof(name), NULL, out, &out_bytes), FT_NT_FILE);
    assert_string_equal(out, "C:\\x");
}

/** The longest replacement in front of the longest name, in exactly the room that is asked for. */
static void fits_its_room(void **state)
{
    (void)state;
    char dos[FT_NT_DEVICE_BYTES];
    memset(dos, 'd', sizeof(dos) - 1);
    dos[sizeof(dos) - 1] = '\0';
    struct ft_nt_devices long_one = {0};
    assert_int_equal(ft_nt_devices_add(&long_one, "\\X", 2, dos, sizeof(dos) - 1), 0);
    size_t name_bytes = 65534;
    uint16_t *name = malloc(name_bytes);
    assert_non_null(name);
    for (size_t i = 0; i < name_bytes / 2; i++)
        name[i] = 0x65e5;
    name[0] = name[2] = '\\';
    name[1] = 'X';
    char *out = malloc(FT_NT_PATH_BYTES(0, name_bytes));
    size_t out_bytes;
    assert_non_null(out);
    assert_int_equal(ft_nt_path("", 0, name, name_bytes, &long_one, out, &out_bytes), FT_NT_FILE);
    assert_int_equal(out_bytes, sizeof(dos) - 1 + 1 + (name_bytes / 2 - 3) * 3);
    assert_int_equal(strlen(out), out_bytes);
    for (size_t i = sizeof(dos); i < out_bytes; i += 3)
        assert_memory_equal(out + i, "\xe6\x97\xa5", 3);
    free(out);
    free(name);
}

static void refuses_odd_devices(void **state)
{
    (void)state;
    char name[FT_NT_DEVICE_BYTES + 1];
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    add("", "C:", -EINVAL);
    add("\\", "C:", -EINVAL);
    add("\\Device\\X", "", -EINVAL);
    add(name, "C:", -ENAMETOOLONG);
    add("\\Device\\X", name, -ENAMETOOLONG);
    struct ft_nt_devices full = {.count = FT_NT_DEVICES_MAX};
    assert_int_equal(ft_nt_devices_add(&full, "\\X", 2, "C:", 2), -E2BIG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_files),         cmocka_unit_test(leaves_out_what_is_no_file),
        cmocka_unit_test(joins_folders),       cmocka_unit_test(says_what_it_does_not_know),
        cmocka_unit_test(ends_at_a_nul),       cmocka_unit_test(fits_its_room),
        cmocka_unit_test(refuses_odd_devices),
    };
    return cmocka_run_group_tests(tests, make_devices, NULL);
}
