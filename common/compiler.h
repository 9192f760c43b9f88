/* SPDX-License-Identifier: MIT */
/* The only place that asks which compiler this is. */
#ifndef COMMON_COMPILER_H
#define COMMON_COMPILER_H

#if defined(__MINGW32__) && !defined(__clang__)
#define PRINTF_FAMILY gnu_printf /* "printf" would mean the one of Windows, which lacks %zu */
#else
#define PRINTF_FAMILY printf
#endif

#if defined(__GNUC__)
#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(format_index, first_arg)                                                       \
    __attribute__((format(PRINTF_FAMILY, format_index, first_arg)))
#else
#define MUST_USE
#define PRINTF_LIKE(format_index, first_arg)
#endif

/** Number of elements of an array; not for pointers. */
#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

#endif
