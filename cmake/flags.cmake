# One INTERFACE target holds what every target of ours is compiled with.
option(TRACETAX_WERROR "Treat warnings as errors" OFF)
set(TRACETAX_SANITIZE "" CACHE STRING "Sanitizers for everything but the injected library, as -fsanitize takes them")
option(TRACETAX_COVERAGE "Count executed lines and branches" OFF)

add_library(tracetax_flags INTERFACE)
if(WIN32)
    # Windows 10 and later; of mingw's two printf families the one that knows %zu.
    target_compile_definitions(tracetax_flags INTERFACE _WIN32_WINNT=0x0A00 WIN32_LEAN_AND_MEAN NOMINMAX
        __USE_MINGW_ANSI_STDIO=1)
    # mingw's isfinite() converts, in branches that are not taken.
    target_compile_options(tracetax_flags INTERFACE -Wno-float-conversion)
else()
    target_compile_definitions(tracetax_flags INTERFACE _GNU_SOURCE _FILE_OFFSET_BITS=64)
endif()
target_compile_options(tracetax_flags BEFORE INTERFACE
    -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
    $<$<BOOL:${TRACETAX_WERROR}>:-Werror>)

# What an instrumented build adds. Kept apart because two kinds of code cannot
# take it: the injected library (it runs inside foreign programs) and the
# static workload (glibc's sanitizer runtimes are shared libraries).
add_library(tracetax_instrumentation INTERFACE)
if(TRACETAX_SANITIZE)
    target_compile_options(tracetax_instrumentation INTERFACE
        -fsanitize=${TRACETAX_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(tracetax_instrumentation INTERFACE -fsanitize=${TRACETAX_SANITIZE})
endif()
if(TRACETAX_COVERAGE)
    target_compile_options(tracetax_instrumentation INTERFACE --coverage -fprofile-update=atomic)
    target_link_options(tracetax_instrumentation INTERFACE --coverage -fprofile-update=atomic)
endif()
if(TRACETAX_SANITIZE OR TRACETAX_COVERAGE)
    set(TRACETAX_INSTRUMENTED ON)
endif()
