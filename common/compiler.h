/* SPDX-License-Identifier: MIT */
/* The only place that asks which compiler this is. */
#ifndef COMMON_COMPILER_H
#define COMMON_COMPILER_H

#if defined(__GNUC__)
#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(format_index, first_arg)                                                       \
    __attribute__((format(printf, format_index, first_arg)))
#else
#define MUST_USE
#define PRINTF_LIKE(format_index, first_arg)
#endif

/** Number of elements of an array; not for pointers. */
#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

#endif
