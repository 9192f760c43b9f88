/* SPDX-License-Identifier: MIT */
/* Code that runs before a program's own start: a call-back for thread-local storage. */
#ifndef TESTS_TLS_H
#define TESTS_TLS_H

#include <windows.h>

/* The C run-time's own array of call-backs takes what stands in this section. */
#if defined(_MSC_VER)
#pragma comment(linker, "/INCLUDE:_tls_used")
#pragma section(".CRT$XLF", read)
#define TLS_CALLBACK(function)                                                                     \
    extern const PIMAGE_TLS_CALLBACK function##_entry;                                             \
    __declspec(allocate(".CRT$XLF")) const PIMAGE_TLS_CALLBACK function##_entry = function
#else
#define TLS_CALLBACK(function)                                                                     \
    static const PIMAGE_TLS_CALLBACK function##_entry __attribute__((section(".CRT$XLF"), used)) = \
        function
#endif

#endif
