/* SPDX-License-Identifier: MIT */
/* A 32-bit program: opens a.txt, makes "new", probes "absent"; needs no 32-bit libc. */
        .section .rodata
a:      .asciz "a.txt"
new:    .asciz "new"
absent: .asciz "absent"
line:   .ascii "ok elf32\n"
        .text
        .globl _start
_start: movl $5, %eax           /* open("a.txt", O_RDONLY) */
        movl $a, %ebx
        xorl %ecx, %ecx
        int $0x80
        testl %eax, %eax
        js bad
        movl $295, %eax         /* openat(AT_FDCWD, "new", O_WRONLY|O_CREAT, 0600) */
        movl $-100, %ebx
        movl $new, %ecx
        movl $0101, %edx
        movl $0600, %esi
        int $0x80
        testl %eax, %eax
        js bad
        movl $33, %eax          /* access("absent", F_OK) */
        movl $absent, %ebx
        xorl %ecx, %ecx
        int $0x80
        cmpl $-2, %eax
        jne bad
        movl $4, %eax           /* write(1, line, 9) */
        movl $1, %ebx
        movl $line, %ecx
        movl $9, %edx
        int $0x80
        xorl %ebx, %ebx
        jmp out
bad:    movl $1, %ebx
out:    movl $1, %eax
        int $0x80
        .section .note.GNU-stack,"",@progbits
