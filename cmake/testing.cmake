# Every test is a process of its own with a timeout and a temporary folder of
# its own. Exit status 77 is a skip; its reason is printed, and each skip that is
# expected somewhere stands in tests/skips.txt.

# tracetax_unit_test(NAME LIBRARY...): NAME.c, a cmocka program; where the tests' folder is
# another one, UNIT_FOLDER says which.
function(tracetax_unit_test name)
    tracetax_program(${name} ${UNIT_FOLDER}${name}.c)
    target_link_libraries(${name} PRIVATE ${ARGN} ${TRACETAX_CMOCKA} tracetax_flags tracetax_instrumentation)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    add_test(NAME unit/${name} COMMAND ${name})
    set_tests_properties(unit/${name} PROPERTIES LABELS unit TIMEOUT 60 SKIP_RETURN_CODE 77)
endfunction()

# tracetax_allocation_test(NAME LIBRARY...): the same, and the test decides which allocation fails; not
# on macOS, whose linker wraps no function.
function(tracetax_allocation_test name)
    if(APPLE)
        return()
    endif()
    tracetax_unit_test(${name} ${ARGN})
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/unit/allocations.c)
    foreach(function malloc calloc realloc strdup strndup free)
        target_link_options(${name} PRIVATE -Wl,--wrap=${function})
    endforeach()
endfunction()

# tracetax_script_test(NAME LABEL SCRIPT [ARG...]): a bash script that starts with
# `. "$TESTS/lib.sh"`; it finds the programs in $BIN and a folder of its own in $PWD.
function(tracetax_script_test name label script)
    get_filename_component(script ${script} ABSOLUTE)
    add_test(NAME ${label}/${name} COMMAND ${TRACETAX_BASH} ${PROJECT_SOURCE_DIR}/tests/run-script ${script} ${ARGN})
    set_tests_properties(${label}/${name} PROPERTIES
        LABELS ${label} TIMEOUT 120 SKIP_RETURN_CODE 77
        ENVIRONMENT "BIN=${TRACETAX_TEST_BIN};SOURCE=${PROJECT_SOURCE_DIR};TESTS=${PROJECT_SOURCE_DIR}/tests;TEST_BIN=${PROJECT_BINARY_DIR}/tests;INSTRUMENTED=$<BOOL:${TRACETAX_INSTRUMENTED}>;EMULATED=$<BOOL:${CMAKE_CROSSCOMPILING}>")
endfunction()
