/* SPDX-License-Identifier: MIT */
/* Who asks and who answers, by their numbers in the tracer's name space of processes. */
#include "tracer/linux/peer.h"

#include <linux/fcntl.h>
#include <stddef.h>

#include "tracer/linux/sys.h"

#define NAME_BYTES 48u

/** The digits at @text. @return the first byte behind them */
static const char *read_number(const char *text, uint32_t *out)
{
    *out = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        *out = *out * 10 + (uint32_t)(*text - '0');
    return text;
}

bool ft_peer_self(uint32_t *pid, uint32_t *tid)
{
    static const char task[] = "/task/";
    char name[NAME_BYTES]; /* "PID/task/TID" */
    long n = SYS4(__NR_readlinkat, AT_FDCWD, "/proc/thread-self", name, sizeof(name) - 1);

    name[n > 0 ? n : 0] = '\0';
    const char *at = read_number(name, pid);
    for (size_t i = 0; task[i] && *at == task[i]; i++)
        at++;
    (void)read_number(at, tid);
    if (*pid && *tid)
        return true;
    *pid = (uint32_t)SYS0(__NR_getpid);
    *tid = (uint32_t)SYS0(__NR_gettid);
    return false;
}

int ft_peer_watch(uint32_t pid)
{
    static const char before[] = "/proc/", behind[] = "/stat";
    char name[NAME_BYTES], digits[10];
    size_t n = 0, count = 0;

    for (size_t i = 0; before[i]; i++)
        name[n++] = before[i];
    do
        digits[count++] = (char)('0' + pid % 10);
    while (pid /= 10);
    while (count)
        name[n++] = digits[--count];
    for (size_t i = 0; i < sizeof(behind); i++)
        name[n++] = behind[i];
    return (int)SYS4(__NR_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC, 0);
}

bool ft_peer_is_gone(int watch)
{
    char text[64]; /* "PID (NAME) STATE ...": a name has at most 15 bytes */
    long n = SYS4(__NR_pread64, watch, text, sizeof(text), 0);

    for (long i = n; i > 2; i--) {
        if (text[i - 3] == ')' && text[i - 2] == ' ')
            return text[i - 1] == 'Z' || text[i - 1] == 'X'; /* nobody has waited for it yet */
    }
    return true; /* ESRCH: it has been waited for */
}
