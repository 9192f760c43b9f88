/* SPDX-License-Identifier: MIT */
/* What the injected library's file is called. */
#ifndef TRACER_LIBRARY_H
#define TRACER_LIBRARY_H

#if defined(__APPLE__)
#define FT_LIBRARY_NAME "libfiletrace-preload.dylib"
#else
#define FT_LIBRARY_NAME "libfiletrace-preload.so"
#endif

#endif
