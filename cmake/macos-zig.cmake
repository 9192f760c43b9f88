# Cross-builds for macOS with the zig of cmake/zig, whose folder the variable ZIG_FOLDER of the environment names
# (scripts/check-macos.sh sets it). MACOS_PROCESSOR, a cache entry or of the environment, is arm64 or
# x86_64. Nothing that is built runs here.
set(CMAKE_SYSTEM_NAME Darwin)
set(processor arm64)
if(DEFINED ENV{MACOS_PROCESSOR})
    set(processor $ENV{MACOS_PROCESSOR})
endif()
set(MACOS_PROCESSOR ${processor} CACHE STRING "arm64 or x86_64")
set(CMAKE_SYSTEM_PROCESSOR ${MACOS_PROCESSOR})
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MACOS_PROCESSOR)

set(zig "$ENV{ZIG_FOLDER}/zig")
if(NOT EXISTS "${zig}")
    message(FATAL_ERROR "There is no zig in ZIG_FOLDER ('$ENV{ZIG_FOLDER}'): build this with 'make check-macos'")
endif()
set(target ${MACOS_PROCESSOR})
if(target STREQUAL arm64)
    set(target aarch64)
endif()
set(CMAKE_C_COMPILER ${zig} cc)
# Its default build adds a sanitizer whose traps have no runtime. The oldest system is the one that has
# posix_spawn_file_actions_addchdir_np and is still looked after.
set(CMAKE_C_FLAGS_INIT "-target ${target}-macos.12.0 -fno-sanitize=undefined")
# zig 0.11 would drop the section __interpose, to which nothing points.
set(CMAKE_SHARED_LINKER_FLAGS_INIT -Wl,--no-gc-sections)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -Wl,--no-gc-sections)

set(CMAKE_AR ${zig} CACHE FILEPATH "")
set(CMAKE_RANLIB ${zig} CACHE FILEPATH "")
set(CMAKE_C_ARCHIVE_CREATE "<CMAKE_AR> ar qc <TARGET> <OBJECTS>")
set(CMAKE_C_ARCHIVE_APPEND "<CMAKE_AR> ar q <TARGET> <OBJECTS>")
set(CMAKE_C_ARCHIVE_FINISH "<CMAKE_RANLIB> ranlib <TARGET>")
# Not needed: nothing that is built here is installed.
set(CMAKE_INSTALL_NAME_TOOL ${zig} CACHE FILEPATH "")
set(CMAKE_OSX_SYSROOT "" CACHE STRING "" FORCE)
set(CMAKE_OSX_DEPLOYMENT_TARGET "" CACHE STRING "" FORCE)

# Libraries come from where scripts/cross-libraries.sh has put them, and never from this system.
set(CMAKE_FIND_ROOT_PATH "$ENV{CROSS_LIBRARIES}")
set(ENV{PKG_CONFIG_LIBDIR} "$ENV{CROSS_LIBRARIES}/lib/pkgconfig")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
