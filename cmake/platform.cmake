# Which system is built for. A system's code is a whole file behind one header:
# NAME_${TRACETAX_SYSTEM}.c or a folder of that name where each system has its own,
# NAME_${TRACETAX_FAMILY}.c where all that follow POSIX share one.
if(WIN32)
    set(TRACETAX_SYSTEM windows)
    set(TRACETAX_FAMILY windows)
elseif(APPLE)
    set(TRACETAX_SYSTEM macos)
    set(TRACETAX_FAMILY posix)
else()
    set(TRACETAX_SYSTEM linux)
    set(TRACETAX_FAMILY posix)
endif()
