# Every library is found here, with its oldest version that is known to do.
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
if(NOT TRACETAX_REPORT)
    return()
endif()
tracetax_require(CURL libcurl 7.85 libcurl4-openssl-dev)
tracetax_require(ZIP libzip 1.7 libzip-dev)
