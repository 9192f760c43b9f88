/* SPDX-License-Identifier: MIT */
/* Names of errno values. */
#ifndef COMMON_ERRNAME_H
#define COMMON_ERRNAME_H

#include <stddef.h>

/**
 * "ENOENT" for ENOENT. Not strerrorname_np(3), which only new C libraries have.
 * @number room for the digits of a value that has no name here
 * @return a string that lives for ever, or @number. Pure.
 */
const char *errname(int error, char *number, size_t size_bytes);

#endif
