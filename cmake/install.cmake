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
