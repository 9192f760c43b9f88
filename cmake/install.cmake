# What is installed beside the programs: man pages, completions, documents, licence.
foreach(section 1 3 5)
    file(GLOB pages ${PROJECT_SOURCE_DIR}/docs/*.${section})
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()

# bash and fish load the file that has the program's name; zsh reads the first line.
set(completions ${PROJECT_SOURCE_DIR}/completions)
set(bash_folder ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completions}/filetrace.bash DESTINATION ${bash_folder} RENAME filetrace)
install(FILES ${completions}/tracetax.bash DESTINATION ${bash_folder} RENAME tracetax)
install(FILES ${completions}/tracetax.bash DESTINATION ${bash_folder} RENAME tracetax-report)
install(FILES ${completions}/_filetrace ${completions}/_tracetax
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
file(GLOB fish_completions ${completions}/*.fish)
install(FILES ${fish_completions} DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

file(GLOB documents ${PROJECT_SOURCE_DIR}/docs/*.md)
install(FILES ${documents} ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

# How other builds find libfiletrace. Both files tell places relative to their own, so that the
# whole tree may be moved or lie below DESTDIR.
if(TARGET libfiletrace)
    include(CMakePackageConfigHelpers)
    set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/libfiletrace)
    set(generated ${PROJECT_BINARY_DIR}/generated/install)

    file(RELATIVE_PATH prefix_from_pkgconfig /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/libfiletrace.pc.in ${generated}/libfiletrace.pc @ONLY)
    install(FILES ${generated}/libfiletrace.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

    configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/libfiletrace-config.cmake.in
        ${generated}/libfiletrace-config.cmake INSTALL_DESTINATION ${package_folder})
    write_basic_package_version_file(${generated}/libfiletrace-config-version.cmake
        COMPATIBILITY SameMinorVersion)
    install(FILES ${generated}/libfiletrace-config.cmake ${generated}/libfiletrace-config-version.cmake
            DESTINATION ${package_folder})
    install(EXPORT libfiletrace NAMESPACE libfiletrace:: FILE libfiletrace-targets.cmake
            DESTINATION ${package_folder})
endif()

# cpack: a .deb where dpkg is, a tarball everywhere.
set(CPACK_PACKAGE_NAME tracetax)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_VENDOR "tracetax maintainers")
set(CPACK_PACKAGE_CONTACT "tracetax maintainers <maintainers@tracetax.invalid>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
    list(APPEND CPACK_GENERATOR DEB)
    set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PACKAGE_SECTION devel)
    set(CPACK_DEBIAN_PACKAGE_RECOMMENDS hyperfine)
    set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
        "Runs programs with and without a file-access tracer in turn, tells the\nslowdown with its interval and compares it with a baseline.\nComes with filetrace, a tracer that records every path that a command tries.")
endif()
include(CPack)
