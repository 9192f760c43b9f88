/* SPDX-License-Identifier: MIT */
/* The payload, as the build has linked it (CMakeLists.txt), within the tracer. */
#include "tracer/linux/payload.h"

__asm__(".section .rodata\n"
        ".balign 64\n"
        ".globl ft_payload_text\n"
        ".type ft_payload_text, @object\n"
        "ft_payload_text:\n"
        "    .incbin \"" FT_PAYLOAD_FILE "\"\n"
        ".size ft_payload_text, . - ft_payload_text\n"
        ".text\n");
