/* SPDX-License-Identifier: MIT */
/* Of Visual C++'s <intrin.h> what common/compiler.h uses: clang knows these without a declaration,
 * and mingw-w64's header is written for its own compiler. Only for visual-c.sh. */
#ifndef TESTS_VISUAL_C_INTRIN_H
#define TESTS_VISUAL_C_INTRIN_H

__int64 _InterlockedOr64(__int64 volatile *, __int64);
long _InterlockedOr(long volatile *, long);
__int64 _InterlockedExchange64(__int64 volatile *, __int64);
long _InterlockedExchange(long volatile *, long);
__int64 _InterlockedExchangeAdd64(__int64 volatile *, __int64);
long _InterlockedExchangeAdd(long volatile *, long);
__int64 _InterlockedCompareExchange64(__int64 volatile *, __int64, __int64);
long _InterlockedCompareExchange(long volatile *, long, long);
void _ReadWriteBarrier(void);
void __movsb(unsigned char *, unsigned char const *, unsigned __int64);

#endif
