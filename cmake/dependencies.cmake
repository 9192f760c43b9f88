# Every library is found here, with its oldest version that is known to do.
if(WIN32)
    # The harness wants jansson, the unit tests cmocka: where scripts/windows-libraries.sh or the
    # system's package manager has put them. Without one, what needs it is left out and listed.
    find_package(jansson 2.13 CONFIG QUIET)
    find_package(cmocka 1.1.5 CONFIG QUIET)
    return()
endif()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# tracetax_require(TARGET MODULE VERSION PACKAGE): as pkg_check_modules, but a
# miss names the package to install.
function(tracetax_require prefix module version package)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${module}>=${version})
    if(NOT ${prefix}_FOUND)
        message(FATAL_ERROR "${module} >= ${version} was not found: install ${package} (or run 'make deps')")
    endif()
endfunction()

if(TRACETAX_TRACER_ONLY)
    return()
endif()

tracetax_require(JANSSON jansson 2.13 libjansson-dev)
tracetax_require(CURL libcurl 7.85 libcurl4-openssl-dev)
tracetax_require(ZIP libzip 1.7 libzip-dev)
