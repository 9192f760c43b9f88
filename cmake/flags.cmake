# One INTERFACE target holds what every target of ours is compiled with.
option(TRACETAX_WERROR "Treat warnings as errors" OFF)
set(TRACETAX_SANITIZE "" CACHE STRING "Sanitizers for everything but the injected library, as -fsanitize takes them")
option(TRACETAX_COVERAGE "Count executed lines and branches" OFF)

add_library(tracetax_flags INTERFACE)
if(WIN32)
    # Windows 10 and later; of mingw's two printf families the one that knows %zu.
    target_compile_definitions(tracetax_flags INTERFACE _WIN32_WINNT=0x0A00 WIN32_LEAN_AND_MEAN NOMINMAX
        __USE_MINGW_ANSI_STDIO=1)
    # getopt.h, which not every C library there has: one for all of them.
    target_include_directories(tracetax_flags BEFORE INTERFACE ${PROJECT_SOURCE_DIR}/common/windows)
    # mingw's isfinite() converts, in branches that are not taken. No extension of GNU's, for other
    # compilers build the same; scripts/visual-c.sh looks further.
    target_compile_options(tracetax_flags INTERFACE -Wno-float-conversion -Wpedantic)
elseif(APPLE)
    target_compile_definitions(tracetax_flags INTERFACE _DARWIN_C_SOURCE)
else()
    target_compile_definitions(tracetax_flags INTERFACE _GNU_SOURCE _FILE_OFFSET_BITS=64)
endif()
target_compile_options(tracetax_flags BEFORE INTERFACE
    -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
    $<$<BOOL:${TRACETAX_WERROR}>:-Werror>)

# What makes a fault in our own programs harder to use; cli/hardening reads the built files for it. Kept
# apart for two kinds of code: the injected library has flags of its own, since it must need nothing of the
# program that it runs in, and the workload is what is measured, so it stays as the compiler makes it.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
# mingw's linker and C library want other flags for the same: a build for Windows goes without.
add_library(tracetax_hardening INTERFACE)
if(NOT WIN32)
    target_compile_options(tracetax_hardening INTERFACE -fstack-protector-strong)
endif()
set(CMAKE_REQUIRED_FLAGS -Werror) # a flag that is only warned about is not known
check_c_compiler_flag(-fstack-clash-protection HAVE_STACK_CLASH_PROTECTION)
if(HAVE_STACK_CLASH_PROTECTION AND NOT WIN32)
    target_compile_options(tracetax_hardening INTERFACE -fstack-clash-protection)
endif()
# Fortified calls need an optimiser, and would hide from a sanitizer what they check. A C library or a
# compiler that does not know level 3 warns of it.
if(NOT TRACETAX_SANITIZE AND NOT WIN32)
    set(CMAKE_REQUIRED_FLAGS "-Werror -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
    check_c_source_compiles("
        #include <string.h>
        #if defined(__has_builtin) && !__has_builtin(__builtin_dynamic_object_size)
        #error level 3 needs it
        #endif
        int main(void) { return strlen(\"\"); }" HAVE_FORTIFY_3)
    set(level 2)
    if(HAVE_FORTIFY_3)
        set(level 3)
    endif()
    target_compile_options(tracetax_hardening INTERFACE
        $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=${level}>)
endif()
unset(CMAKE_REQUIRED_FLAGS)
# The same for what is linked with a dynamic loader, where the linker is an ELF one.
add_library(tracetax_hardening_dynamic INTERFACE)
target_link_libraries(tracetax_hardening_dynamic INTERFACE tracetax_hardening)
if(UNIX AND NOT APPLE)
    target_link_options(tracetax_hardening INTERFACE LINKER:-z,noexecstack)
    target_compile_options(tracetax_hardening_dynamic INTERFACE -fPIE)
    target_link_options(tracetax_hardening_dynamic INTERFACE -pie LINKER:-z,relro,-z,now)
endif()

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
