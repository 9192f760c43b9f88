# Included by tracer/CMakeLists.txt: the tracer on macOS.
set(planning attach.c insert.c look.c macho.c plan.c script.c)
list(TRANSFORM planning PREPEND macos/)
add_library(tracetax_tracer STATIC ${TRACER_SOURCES_COMMON} preload_list.c ${planning} macos/log_memory.c macos/run.c)
target_link_libraries(tracetax_tracer PUBLIC tracetax_common Threads::Threads)

# The interposed library. Its table is a section that nothing points to. Never instrumented: it runs inside foreign
# programs. On macOS itself it is built for both of Apple's processors at once (CMAKE_OSX_ARCHITECTURES of this target).
set(interposed attach calls exec note shell spawn syscall walk)
list(TRANSFORM interposed PREPEND macos/interpose_)
list(TRANSFORM interposed APPEND .c)
add_library(filetrace-preload SHARED ${interposed} ${planning} preload_list.c)
target_include_directories(filetrace-preload PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(filetrace-preload PRIVATE tracetax_flags)
target_compile_options(filetrace-preload PRIVATE -O2 -fvisibility=hidden -fno-stack-protector)
set_target_properties(filetrace-preload PROPERTIES C_EXTENSIONS ON INSTALL_NAME_DIR @rpath BUILD_WITH_INSTALL_NAME_DIR ON)
if(NOT CMAKE_CROSSCOMPILING)
    set_target_properties(filetrace-preload PROPERTIES OSX_ARCHITECTURES "arm64;x86_64")
endif()

tracetax_program(filetrace main.c)
target_link_libraries(filetrace PRIVATE tracetax_tracer)
target_compile_definitions(filetrace PRIVATE TRACETAX_VERSION="${PROJECT_VERSION}")
add_dependencies(filetrace filetrace-preload)

install(TARGETS filetrace RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS filetrace-preload LIBRARY DESTINATION lib/filetrace)
