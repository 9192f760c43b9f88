# Every library is found here, with its oldest version that is known to do.
if(WIN32)
    # The harness wants jansson, the unit tests cmocka: where scripts/windows-libraries.sh or the
    # system's package manager has put them. Without one, what needs it is left out and listed.
    # jansson's own files take only its exact version, so the version is looked at here.
    find_package(jansson CONFIG QUIET)
    if(jansson_FOUND AND jansson_VERSION VERSION_LESS 2.13)
        message(STATUS "jansson ${jansson_VERSION} is too old, 2.13 is needed")
        set(jansson_FOUND FALSE)
    endif()
    set(TRACETAX_JANSSON jansson::jansson)
    # cmocka's name no target, and only its DLL.
    find_library(CMOCKA_LIBRARY NAMES cmocka-static cmocka)
    find_path(CMOCKA_INCLUDE_DIR cmocka.h)
    if(CMOCKA_LIBRARY AND CMOCKA_INCLUDE_DIR)
        add_library(cmocka INTERFACE)
        target_link_libraries(cmocka INTERFACE ${CMOCKA_LIBRARY})
        target_include_directories(cmocka SYSTEM INTERFACE ${CMOCKA_INCLUDE_DIR})
        set(TRACETAX_CMOCKA cmocka)
    endif()
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
set(TRACETAX_JANSSON PkgConfig::JANSSON)
if(NOT TRACETAX_REPORT)
    return()
endif()
tracetax_require(CURL libcurl 7.85 libcurl4-openssl-dev)
tracetax_require(ZIP libzip 1.7 libzip-dev)
