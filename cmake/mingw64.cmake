# Cross-builds for 64-bit Windows with mingw-w64's gcc, as Debian's gcc-mingw-w64-x86-64 has it;
# what is built runs under wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

# Libraries come from mingw's own folder and from TRACETAX_WINDOWS_ROOT, which
# scripts/windows-libraries.sh fills, and never from this system's.
set(TRACETAX_WINDOWS_ROOT "${CMAKE_CURRENT_LIST_DIR}/../build/windows-libraries/root" CACHE PATH
    "Where libraries for Windows are installed")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TRACETAX_WINDOWS_ROOT)
get_filename_component(windows_root "${TRACETAX_WINDOWS_ROOT}" ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${windows_root} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# No DLL of the compiler's to look for beside each program.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -static-libgcc")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-static-libgcc")

get_filename_component(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/../scripts/wine.sh" ABSOLUTE)
