/* SPDX-License-Identifier: MIT */
/* The only place that asks which compiler this is. */
#ifndef COMMON_COMPILER_H
#define COMMON_COMPILER_H

#if defined(__MINGW32__) && !defined(__clang__)
#define PRINTF_FAMILY gnu_printf /* "printf" would mean the one of Windows, which lacks %zu */
#else
#define PRINTF_FAMILY printf
#endif

#if defined(__GNUC__) || defined(__clang__)
#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(format_index, first_arg)                                                       \
    __attribute__((format(PRINTF_FAMILY, format_index, first_arg)))
#define NO_INLINE __attribute__((noinline))
#define HOT __attribute__((hot))
/** What stays within a library that is injected. */
#define HIDDEN __attribute__((visibility("hidden")))
/** Before a definition: it goes there although nobody names it. */
#define IN_SECTION(name) __attribute__((section(name), used))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
/** Copies a constant number of bytes with no call, where there is no C library. */
#define COPY_FIXED(to, from, size_bytes) __builtin_memcpy(to, from, size_bytes)
#else
#include <intrin.h>
#define MUST_USE
#define PRINTF_LIKE(format_index, first_arg)
#define NO_INLINE __declspec(noinline)
#define HOT
#define HIDDEN
#define IN_SECTION(name) __declspec(allocate(name)) /* after #pragma section */
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#define COPY_FIXED(to, from, size_bytes) __movsb((void *)(to), (const void *)(from), size_bytes)
#endif

/*
 * Words of 4 or 8 bytes in memory that is shared with other threads or processes. The plain
 * ones order as much as their use needs (a load acquires, a store releases), the RELAXED ones
 * nothing. C11's own atomics are another type, which memory laid out by its format cannot have.
 */
#if defined(__GNUC__) || defined(__clang__)
#define ATOMIC_LOAD(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)
#define ATOMIC_LOAD_RELAXED(word) __atomic_load_n(word, __ATOMIC_RELAXED)
#define ATOMIC_STORE(word, value) __atomic_store_n(word, value, __ATOMIC_RELEASE)
#define ATOMIC_STORE_RELAXED(word, value) __atomic_store_n(word, value, __ATOMIC_RELAXED)
/** Adds; gives the value before. */
#define ATOMIC_ADD(word, value) __atomic_fetch_add(word, value, __ATOMIC_ACQUIRE)
#define ATOMIC_ADD_RELAXED(word, value) __atomic_fetch_add(word, value, __ATOMIC_RELAXED)
/** Stores where *expected still stands there; true when it did. Else *expected is what stands. */
#define ATOMIC_EXCHANGE_IF(word, expected, value)                                                  \
    __atomic_compare_exchange_n(word, expected, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)
/** Keeps the compiler from moving writes across. */
#define COMPILER_FENCE() __atomic_signal_fence(__ATOMIC_RELEASE)
#elif defined(_MSC_VER)
#define ATOMIC_IS_8(word) (sizeof(*(word)) == 8)
#define ATOMIC_LOAD(word)                                                                          \
    (ATOMIC_IS_8(word) ? (unsigned __int64)_InterlockedOr64((volatile __int64 *)(word), 0)         \
                       : (unsigned long)_InterlockedOr((volatile long *)(word), 0))
#define ATOMIC_LOAD_RELAXED(word) (*(word))
#define ATOMIC_STORE(word, value)                                                                  \
    (ATOMIC_IS_8(word)                                                                             \
         ? (void)_InterlockedExchange64((volatile __int64 *)(word), (__int64)(value))              \
         : (void)_InterlockedExchange((volatile long *)(word), (long)(value)))
#define ATOMIC_STORE_RELAXED(word, value) ((void)(*(word) = (value)))
#define ATOMIC_ADD(word, value)                                                                    \
    (ATOMIC_IS_8(word)                                                                             \
         ? (unsigned __int64)_InterlockedExchangeAdd64((volatile __int64 *)(word),                 \
                                                       (__int64)(value))                           \
         : (unsigned long)_InterlockedExchangeAdd((volatile long *)(word), (long)(value)))
#define ATOMIC_ADD_RELAXED(word, value) ATOMIC_ADD(word, value)
static __inline int atomic_exchange_if_8(void *word, void *expected, unsigned __int64 value)
{
    __int64 wanted = *(__int64 *)expected;
    *(__int64 *)expected =
        _InterlockedCompareExchange64((volatile __int64 *)word, (__int64)value, wanted);
    return *(__int64 *)expected == wanted;
}
static __inline int atomic_exchange_if_4(void *word, void *expected, unsigned long value)
{
    long wanted = *(long *)expected;
    *(long *)expected = _InterlockedCompareExchange((volatile long *)word, (long)value, wanted);
    return *(long *)expected == wanted;
}
#define ATOMIC_EXCHANGE_IF(word, expected, value)                                                  \
    (ATOMIC_IS_8(word) ? atomic_exchange_if_8(word, expected, (unsigned __int64)(value))           \
                       : atomic_exchange_if_4(word, expected, (unsigned long)(value)))
#define COMPILER_FENCE() _ReadWriteBarrier()
#endif

/** Number of elements of an array; not for pointers. */
#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

#endif
