/* SPDX-License-Identifier: MIT */
/* syscall(2): calls by their numbers. */
#include "tracer/macos/interpose.h"

#include <fcntl.h>
#include <stdarg.h>

/* Apple's own numbers, where its header is: ours must be the same. */
#if __has_include(<sys/syscall.h>)
#include <sys/syscall.h>
#define FT_NUMBER(op, name, number, notes)                                                         \
    _Static_assert(SYS_##name == (number), "the number of " #name);
#include "tracer/macos/calls.def"
#endif

#define ARGUMENTS 8
#define NUMBER_FORK 2
#define NUMBER_VFORK 66

#define AT(dirfd, path, access) ft_note_at(op, access, error, dirfd, path);
#define FD(fd, access) ft_note_fd(op, access, error, fd);
#define MOVED ft_note_moved(error);
#define ROOT(path) ft_note_root_changed(error, path);
#define flags_access ft_flags_access
#define arg(n) args[n]
#define text(n) ((const char *)args[n])

static void note_number(int number, int error, const long *args)
{
    switch (number) {
#define FT_NUMBER(name, system_name, value, notes)                                                 \
    case value: {                                                                                  \
        const enum ft_op op = FT_OP_##name;                                                        \
        (void)op;                                                                                  \
        notes break;                                                                               \
    }
#include "tracer/macos/calls.def"
    default:
        break;
    }
}

FT_ORIGINAL(int, syscall, (int number, ...));
static int ft_our_syscall(int number, ...)
{
    long args[ARGUMENTS];
    va_list list;

    va_start(list, number);
    for (int i = 0; i < ARGUMENTS; i++)
        args[i] = va_arg(list, long);
    va_end(list);
    if (number == NUMBER_VFORK)
        number = NUMBER_FORK; /* its child would return over our frame; the two are alike */
    int result = ft_real_syscall(number, args[0], args[1], args[2], args[3], args[4], args[5],
                                 args[6], args[7]);
    if (ft_preload_log)
        note_number(number, ft_error_of(result == -1), args);
    return result;
}
FT_INTERPOSE(syscall);
