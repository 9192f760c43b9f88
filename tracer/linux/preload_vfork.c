/* SPDX-License-Identifier: MIT */
/* vfork: the child runs on its parent's memory, ours included, until it execs or ends. */
#include "tracer/linux/preload.h"

#include <linux/errno.h>

#include "tracer/linux/preload_allowed.h"
#include "tracer/linux/sys.h"

/* Called from the wrapper below alone. */
HIDDEN long ft_vfork_in_child(void);
HIDDEN long ft_vfork_in_parent(long result);

/** Asked for, because the child runs on its parent's memory; where the program does not allow
 * itself to ask, both go by the parent's number. */
static uint32_t own_pid(void)
{
    return ft_own_allowed(FT_OWN_PID) ? (uint32_t)SYS0(__NR_getpid) : ft_preload_pid();
}

/** In the child: from now on this thread's records are the child's. */
__attribute__((used)) long ft_vfork_in_child(void)
{
    ft_preload_set_vfork_pid(own_pid());
    return 0;
}

/** In the parent, again on its own memory. @result of the system call @return vfork's own */
__attribute__((used)) long ft_vfork_in_parent(long result)
{
    uint32_t pid = own_pid();
    ft_preload_set_vfork_pid(0);
    /* A vfork child may vfork itself. */
    if (ft_preload_log && ft_preload_pid() != pid)
        ft_preload_set_vfork_pid(pid);
    ft_note_vfork_returned();
    if (result < 0) {
        *ft_errno_place() = (int)-result;
        return -1;
    }
    ft_note_fork((uint32_t)result);
    return result;
}

/*
 * The wrapper itself cannot be C: the child returns from it and goes on using the stack,
 * so the return address must not wait for the parent there. As in every C library it is
 * kept in a register over the system call.
 */
#if defined(__x86_64__)
__asm__(".text\n"
        ".globl vfork\n"
        ".globl __vfork\n"
        ".type vfork, @function\n"
        ".type __vfork, @function\n"
        "vfork:\n"
        "__vfork:\n"
        "    pop %rdi\n"
        "    mov $58, %eax\n" /* __NR_vfork */
        "    syscall\n"
        "    push %rdi\n"
        "    test %rax, %rax\n"
        "    jnz 1f\n"
        "    sub $8, %rsp\n" /* 16-byte alignment for the call */
        "    call ft_vfork_in_child\n"
        "    add $8, %rsp\n"
        "    ret\n"
        "1:  mov %rax, %rdi\n"
        "    sub $8, %rsp\n"
        "    call ft_vfork_in_parent\n"
        "    add $8, %rsp\n"
        "    ret\n"
        ".size vfork, . - vfork\n"
        ".size __vfork, . - __vfork\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".globl vfork\n"
        ".globl __vfork\n"
        ".type vfork, %function\n"
        ".type __vfork, %function\n"
        "vfork:\n"
        "__vfork:\n"
        "    mov x0, #0x4111\n" /* CLONE_VM | CLONE_VFORK | SIGCHLD */
        "    mov x1, #0\n"
        "    mov x8, #220\n" /* __NR_clone */
        "    svc #0\n"
        "    str x30, [sp, #-16]!\n"
        "    cbnz x0, 1f\n"
        "    bl ft_vfork_in_child\n"
        "    b 2f\n"
        "1:  bl ft_vfork_in_parent\n"
        "2:  ldr x30, [sp], #16\n"
        "    ret\n"
        ".size vfork, . - vfork\n"
        ".size __vfork, . - __vfork\n");
#endif
