/* SPDX-License-Identifier: MIT */
/* Wrappers that leave no frame of ours behind: the real function may return twice, or look at who
 * called it. */
#ifndef TRACER_LINUX_PRELOAD_JUMP_H
#define TRACER_LINUX_PRELOAD_JUMP_H

/** Define the function @name: it calls @enter with its own arguments, the first six, and goes on
 * with them where that returns. @enter never returns NULL. */
#if defined(__x86_64__)
#define FT_JUMP_ON(name, enter)                                                                    \
    __asm__(".text\n"                                                                              \
            ".globl " #name "\n"                                                                   \
            ".type " #name ", @function\n" #name ":\n"                                             \
            "    push %rdi\n"                                                                      \
            "    push %rsi\n"                                                                      \
            "    push %rdx\n"                                                                      \
            "    push %rcx\n"                                                                      \
            "    push %r8\n"                                                                       \
            "    push %r9\n"                                                                       \
            "    sub $8, %rsp\n"                                                                   \
            "    call " #enter "\n"                                                                \
            "    add $8, %rsp\n"                                                                   \
            "    pop %r9\n"                                                                        \
            "    pop %r8\n"                                                                        \
            "    pop %rcx\n"                                                                       \
            "    pop %rdx\n"                                                                       \
            "    pop %rsi\n"                                                                       \
            "    pop %rdi\n"                                                                       \
            "    mov %rax, %r11\n"                                                                 \
            "    xor %eax, %eax\n" /* no vector registers among the arguments */                   \
            "    jmp *%r11\n"                                                                      \
            ".size " #name ", . - " #name "\n")
#elif defined(__aarch64__)
#define FT_JUMP_ON(name, enter)                                                                    \
    __asm__(".text\n"                                                                              \
            ".globl " #name "\n"                                                                   \
            ".type " #name ", %function\n" #name ":\n"                                             \
            "    stp x0, x1, [sp, #-64]!\n"                                                        \
            "    stp x2, x3, [sp, #16]\n"                                                          \
            "    stp x4, x5, [sp, #32]\n"                                                          \
            "    stp x6, x30, [sp, #48]\n"                                                         \
            "    bl " #enter "\n"                                                                  \
            "    mov x16, x0\n"                                                                    \
            "    ldp x2, x3, [sp, #16]\n"                                                          \
            "    ldp x4, x5, [sp, #32]\n"                                                          \
            "    ldp x6, x30, [sp, #48]\n"                                                         \
            "    ldp x0, x1, [sp], #64\n"                                                          \
            "    br x16\n"                                                                         \
            ".size " #name ", . - " #name "\n")
#endif

#endif
