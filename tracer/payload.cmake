# The payload: code that filetrace maps into static programs. Compiled as the injected library is,
# linked for the one address where it lies, and taken into the tracer as bytes.
set(payload ${CMAKE_CURRENT_BINARY_DIR}/payload)
add_library(filetrace-payload OBJECT linux/payload.c)
target_include_directories(filetrace-payload PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(filetrace-payload PRIVATE tracetax_flags)
# Never instrumented, no tables of jumps, and frames that a goroutine's stack has room for. What clang
# makes with -O2 is larger than the place for it (FT_PAYLOAD_TEXT_BYTES).
target_compile_options(filetrace-payload PRIVATE
    $<IF:$<C_COMPILER_ID:Clang>,-Os,-O2> -ffreestanding -fno-builtin -fno-stack-protector -fno-asynchronous-unwind-tables -fcf-protection=none
    -fno-pic -fno-jump-tables -mgeneral-regs-only -Wframe-larger-than=160)
set_target_properties(filetrace-payload PROPERTIES C_EXTENSIONS ON POSITION_INDEPENDENT_CODE OFF INTERPROCEDURAL_OPTIMIZATION OFF)
add_custom_command(OUTPUT ${payload}.bin
    COMMAND ${CMAKE_LINKER} -T ${CMAKE_CURRENT_SOURCE_DIR}/linux/payload.ld -o ${payload}.elf $<TARGET_OBJECTS:filetrace-payload>
    COMMAND ${CMAKE_OBJCOPY} -O binary -j .text ${payload}.elf ${payload}.bin
    DEPENDS filetrace-payload $<TARGET_OBJECTS:filetrace-payload> linux/payload.ld
    COMMAND_EXPAND_LISTS VERBATIM)
set_source_files_properties(linux/payload_text.c PROPERTIES
    COMPILE_DEFINITIONS FT_PAYLOAD_FILE="${payload}.bin" OBJECT_DEPENDS ${payload}.bin)
