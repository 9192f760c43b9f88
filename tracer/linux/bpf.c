/* SPDX-License-Identifier: MIT */
/* An interpreter of seccomp filters. */
#include "tracer/linux/bpf.h"

#include <stdbool.h>

/** What an instruction works on. */
struct machine {
    uint32_t a, x;
    uint32_t memory[BPF_MEMWORDS];
};

/** @return false when seccomp(2) allows no such load */
static bool load(struct machine *m, const struct sock_filter *step, const struct seccomp_data *data,
                 uint32_t *to)
{
    switch (BPF_MODE(step->code)) {
    case BPF_IMM:
        *to = step->k;
        return true;
    case BPF_LEN:
        *to = sizeof(*data);
        return true;
    case BPF_MEM:
        *to = m->memory[step->k % BPF_MEMWORDS];
        return true;
    case BPF_ABS:
        if (step->k % 4 || step->k >= sizeof(*data))
            return false;
        *to = ((const uint32_t *)(const void *)data)[step->k / 4];
        return true;
    default:
        return false;
    }
}

/** @return false for a division by zero, which ends a filter with 0, and for what is unknown */
static bool calculate(uint32_t *a, unsigned operation, uint32_t value)
{
    switch (operation) {
    case BPF_ADD:
        *a += value;
        return true;
    case BPF_SUB:
        *a -= value;
        return true;
    case BPF_MUL:
        *a *= value;
        return true;
    case BPF_DIV:
        *a = value ? *a / value : 0;
        return value != 0;
    case BPF_OR:
        *a |= value;
        return true;
    case BPF_AND:
        *a &= value;
        return true;
    case BPF_XOR:
        *a ^= value;
        return true;
    case BPF_LSH:
        *a = value < 32 ? *a << value : 0;
        return true;
    case BPF_RSH:
        *a = value < 32 ? *a >> value : 0;
        return true;
    case BPF_NEG:
        *a = -*a;
        return true;
    default:
        return false;
    }
}

/** How many instructions to leave out. */
static uint32_t jump(uint32_t a, const struct sock_filter *step, uint32_t value)
{
    bool taken = false;
    switch (BPF_OP(step->code)) {
    case BPF_JA:
        return step->k;
    case BPF_JEQ:
        taken = a == value;
        break;
    case BPF_JGT:
        taken = a > value;
        break;
    case BPF_JGE:
        taken = a >= value;
        break;
    case BPF_JSET:
        taken = (a & value) != 0;
        break;
    default:
        break;
    }
    return taken ? step->jt : step->jf;
}

uint32_t ft_bpf_run(const struct sock_filter *code, uint32_t count, const struct seccomp_data *data)
{
    struct machine m = {.a = 0};

    /* Jumps go forward only, so this ends. */
    for (uint64_t at = 0; at < count; at++) {
        const struct sock_filter *step = &code[at];
        uint32_t value = BPF_SRC(step->code) == BPF_X ? m.x : step->k;
        bool known = true;
        switch (BPF_CLASS(step->code)) {
        case BPF_LD:
            known = load(&m, step, data, &m.a);
            break;
        case BPF_LDX:
            known = load(&m, step, data, &m.x);
            break;
        case BPF_ST:
            m.memory[step->k % BPF_MEMWORDS] = m.a;
            break;
        case BPF_STX:
            m.memory[step->k % BPF_MEMWORDS] = m.x;
            break;
        case BPF_ALU:
            known = calculate(&m.a, BPF_OP(step->code), value);
            break;
        case BPF_JMP:
            at += jump(m.a, step, value);
            break;
        case BPF_MISC:
            if (BPF_MISCOP(step->code) == BPF_TAX)
                m.x = m.a;
            else
                m.a = m.x;
            break;
        case BPF_RET:
            return BPF_RVAL(step->code) == BPF_A ? m.a : step->k;
        default:
            break;
        }
        if (!known)
            break;
    }
    return SECCOMP_RET_KILL_PROCESS;
}
