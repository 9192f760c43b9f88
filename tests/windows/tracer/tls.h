/* SPDX-License-Identifier: MIT */
/* Code that runs before a program's own start: a call-back for thread-local storage. */
#ifndef TESTS_TLS_H
#define TESTS_TLS_H

#include <windows.h>

#include "common/compiler.h"

/* The C run-time's own array of call-backs takes what stands in this section. */
#if defined(_MSC_VER)
#pragma comment(linker, "/INCLUDE:_tls_used")
#pragma section(".CRT$XLF", read)
#endif
#define TLS_CALLBACK(function)                                                                     \
    extern const PIMAGE_TLS_CALLBACK function##_entry;                                             \
    IN_SECTION(".CRT$XLF") const PIMAGE_TLS_CALLBACK function##_entry = function

#endif
