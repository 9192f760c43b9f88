/* SPDX-License-Identifier: MIT */
/* System calls on paths that hardly any program makes: all by number, and all may fail. */
#include "case.h"
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>

#define QUOTACTL_GET ((int)(0x800007u << 8)) /* Q_GETQUOTA, of users */
#define SET_PATH 3                           /* FSCONFIG_SET_PATH */
#define SET_STRING 1                         /* FSCONFIG_SET_STRING */
#define OBJ_PIN 6                            /* BPF_OBJ_PIN */
#define OBJ_GET 7
#define PATH_FD (1u << 14)

/* Newer than the headers of some systems. */
#define NR_MOUNT_SETATTR 442
#define NR_OPEN_TREE_ATTR 467
#define NR_FILE_GETATTR 468
#define NR_FILE_SETATTR 469

/* A kernel that lacks the call tries nothing: the path is named in another way then. */
static void newer(long number, int folder, const char *path, void *room, long size)
{
    long flags = number == NR_FILE_GETATTR || number == NR_FILE_SETATTR ? (long)room : 0;
    CHECK(syscall(number, folder, path, flags, flags ? (void *)size : room, flags ? 0 : size) ==
          -1);
    if (errno == ENOSYS)
        CHECK(openat(folder, path, O_RDONLY) == -1);
}

int main(void)
{
    static uint64_t room[32] = {1}; /* attributes to set: read-only, and such */
    int folder = open("dir", O_PATH | O_DIRECTORY);
    struct {
        uint64_t path;
        uint32_t fd, flags;
        int32_t folder;
    } object = {.path = (uintptr_t) "x", .flags = PATH_FD, .folder = folder};

    CHECK(folder >= 0);
    CHECK(syscall(SYS_quotactl, QUOTACTL_GET, "absent/quota", 0, room) == -1);
    CHECK(syscall(SYS_fanotify_mark, -1, 1, 1, AT_FDCWD, "absent/mark") == -1);
    CHECK(syscall(SYS_open_tree, folder, "absent-tree", 0) == -1);
    CHECK(syscall(SYS_move_mount, folder, "absent-a", AT_FDCWD, "absent-b", 0) == -1);
    CHECK(syscall(SYS_fspick, folder, "absent-picked", 0) == -1);
    CHECK(syscall(SYS_fsconfig, -1, SET_PATH, "key", "absent/option", AT_FDCWD) == -1);
    CHECK(syscall(SYS_fsconfig, -1, SET_STRING, "key", "no-path", AT_FDCWD) == -1);
    CHECK(syscall(NR_MOUNT_SETATTR, folder, "absent-mount", 0, room, 32) == -1);
    newer(NR_OPEN_TREE_ATTR, folder, "absent-attr", room, 32);
    newer(NR_FILE_GETATTR, folder, "absent-get", room, 24);
    newer(NR_FILE_SETATTR, folder, "absent-set", room, 24);
    CHECK(syscall(SYS_bpf, OBJ_GET, &object, sizeof object) == -1);
    object.path = (uintptr_t) "absent/pin";
    object.flags = 0;
    CHECK(syscall(SYS_bpf, OBJ_PIN, &object, sizeof object) == -1);
    return done("kernel_calls");
}
