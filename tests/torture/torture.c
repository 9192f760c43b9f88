/* SPDX-License-Identifier: MIT */
/*
 * Static programs that make life hard for code that was put into them: each case does the same
 * for the same seed, whatever watches it, and prints what it counted.
 *   torture CASE SEED FOLDER
 * The folder holds the files "0" to "15"; a case leaves it as it was.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILES 16
#define THREADS 4

static uint64_t seed;
static const char *folder;
static const char *self;

/* The results that must be the same watched and unwatched. */
static atomic_ulong opened, missing, wrong, handled;

static unsigned draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33);
}

/** What registers and stack must survive: called around each call under test. */
static int open_at(int absolute, unsigned file)
{
    char path[256];
    (void)snprintf(path, sizeof(path), "%s%s%u", absolute ? folder : "", absolute ? "/" : "", file);
    errno = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        atomic_fetch_add(errno == ENOENT && file >= FILES ? &missing : &wrong, 1);
        return -1;
    }
    atomic_fetch_add(file < FILES ? &opened : &wrong, 1);
    return fd;
}

static void open_some(uint64_t *state, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned file = draw(state) % (FILES + 4);
        struct stat status;
        int fd = open_at(draw(state) % 2, file);
        if (fd >= 0 && (fstat(fd, &status) || status.st_size != (off_t)file + 1))
            atomic_fetch_add(&wrong, 1);
        if (fd >= 0 && close(fd))
            atomic_fetch_add(&wrong, 1);
    }
}

static void on_signal(int number)
{
    int saved = errno;
    uint64_t state = seed + (unsigned)number;
    if (number != SIGALRM) /* how many of those come is the clock's business */
        atomic_fetch_add(&handled, 1);
    char path[256];
    (void)snprintf(path, sizeof(path), "%s/%u", folder, draw(&state) % FILES);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || close(fd))
        atomic_fetch_add(&wrong, 1);
    errno = saved;
}

static void catch_signal(int number, int flags)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, &action, NULL))
        atomic_fetch_add(&wrong, 1);
}

static void *open_in_thread(void *argument)
{
    uint64_t state = seed ^ (uint64_t)(uintptr_t)argument;
    open_some(&state, 200);
    return NULL;
}

static void in_threads(void *(*body)(void *))
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, body, (void *)(i + 1)))
            atomic_fetch_add(&wrong, 1);
    for (unsigned i = 0; i < THREADS; i++)
        if (pthread_join(threads[i], NULL))
            atomic_fetch_add(&wrong, 1);
}

/** A thread is sent signals while it opens: each is sent when the one before was handled. */
static void case_signals(void)
{
    catch_signal(SIGUSR1, SA_RESTART);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 300; i++) {
            kill(parent, SIGUSR1);
            for (volatile unsigned wait = 0; wait < (i * 37u) % 2000; wait++)
                ;
        }
        _exit(0);
    }
    uint64_t state = seed;
    int status = 0;
    do
        open_some(&state, 20);
    while (waitpid(child, &status, WNOHANG) == 0);
    /* How many come together is the machine's business; that some came, and none broke anything,
     * is ours. What was opened until the child ended is too. */
    printf("signals %d status %d\n", atomic_exchange(&handled, 0) > 0, status);
    atomic_store(&opened, 0);
    atomic_store(&missing, 0);
    state = seed;
    /* One by one: each is delivered before kill() comes back. */
    for (int i = 0; i < 200; i++) {
        kill(parent, SIGUSR1);
        open_some(&state, 1);
    }
}

static void case_timers(void)
{
    catch_signal(SIGALRM, SA_RESTART);
    const struct itimerval each = {{0, 200}, {0, 200}}, none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &each, NULL);
    in_threads(open_in_thread);
    setitimer(ITIMER_REAL, &none, NULL);
}

static void case_threads(void)
{
    for (int i = 0; i < 5; i++)
        in_threads(open_in_thread);
}

static void *fork_in_thread(void *argument)
{
    uint64_t state = seed ^ (uint64_t)(uintptr_t)argument;
    for (int i = 0; i < 6; i++) {
        open_some(&state, 10);
        pid_t child = fork();
        if (child == 0) {
            uint64_t own = state;
            atomic_store(&wrong, 0);
            open_some(&own, 20);
            _exit(atomic_load(&wrong) ? 1 : 0);
        }
        int status = -1;
        if (child < 0 || waitpid(child, &status, 0) != child || status)
            atomic_fetch_add(&wrong, 1);
    }
    return NULL;
}

static void case_forks(void)
{
    in_threads(fork_in_thread);
}

static void case_vforks(void)
{
    uint64_t state = seed;
    for (int i = 0; i < 20; i++) {
        static char path[256];
        (void)snprintf(path, sizeof(path), "%s/%u", folder, draw(&state) % FILES);
        volatile int fd = -1;
        pid_t child = vfork(); /* NOLINT: what vfork does is what is tested here */
        if (child == 0) {
            /* NOLINTNEXTLINE(clang-analyzer-unix.Vfork): programs do it, and it works */
            fd = open(path, O_RDONLY | O_CLOEXEC);
            _exit(fd >= 0 ? 5 : 6);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 5)
            atomic_fetch_add(&wrong, 1);
        open_some(&state, 5);
    }
}

static void case_execs(void)
{
    char number[32];
    unsigned left = (unsigned)(seed % 1000000u) / 100000u + 1; /* set by main to count down */
    uint64_t state = seed;
    open_some(&state, 20);
    printf("exec %lu %lu %lu\n", (unsigned long)opened, (unsigned long)missing,
           (unsigned long)wrong);
    (void)fflush(stdout);
    if (left <= 1)
        return;
    (void)snprintf(number, sizeof(number), "%llu", (unsigned long long)(seed % 1000000u - 100000u));
    execl(self, self, "execs", number, folder, (char *)NULL);
    atomic_fetch_add(&wrong, 1);
}

static int gate[2];

static void count_cleanup(void *argument)
{
    (void)argument;
    atomic_fetch_add(&handled, 1);
}

/** Opens until it is cancelled, or waits in an open for ever. */
static void *open_until_cancelled(void *argument)
{
    static _Thread_local uint64_t state; /* the cleanup jumps */
    state = seed ^ (uint64_t)(uintptr_t)argument;
    char path[256];
    pthread_cleanup_push(count_cleanup, NULL);
    (void)snprintf(path, sizeof(path), "%s/fifo", folder);
    if (write(gate[1], "x", 1) != 1)
        atomic_fetch_add(&wrong, 1);
    if ((uintptr_t)argument % 2)
        (void)!open(path, O_RDONLY);
    for (;;) {
        (void)snprintf(path, sizeof(path), "%s/%u", folder, draw(&state) % FILES);
        int old, fd;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old); /* else a descriptor is lost */
        fd = open(path, O_RDONLY);
        if (fd < 0 || close(fd))
            atomic_fetch_add(&wrong, 1);
        pthread_setcancelstate(old, &old);
        pthread_testcancel();
    }
    pthread_cleanup_pop(0);
    return NULL;
}

static void case_cancellation(void)
{
    char path[256], byte;
    (void)snprintf(path, sizeof(path), "%s/fifo", folder);
    if (mkfifo(path, 0600) || pipe(gate))
        atomic_fetch_add(&wrong, 1);
    for (int i = 0; i < 6; i++) {
        pthread_t threads[THREADS];
        void *result;
        for (uintptr_t k = 0; k < THREADS; k++)
            if (pthread_create(&threads[k], NULL, open_until_cancelled, (void *)(k + 1)))
                atomic_fetch_add(&wrong, 1);
        for (int k = 0; k < THREADS; k++)
            if (read(gate[0], &byte, 1) != 1)
                atomic_fetch_add(&wrong, 1);
        usleep(500);
        for (int k = 0; k < THREADS; k++)
            pthread_cancel(threads[k]);
        for (int k = 0; k < THREADS; k++)
            if (pthread_join(threads[k], &result) || result != PTHREAD_CANCELED)
                atomic_fetch_add(&wrong, 1);
    }
    unlink(path);
    close(gate[0]);
    close(gate[1]);
}

/** A call that nothing can be put before: it is made right behind a jump's target. */
static long open_unpatchable(const char *path)
{
    long ret;
    __asm__ volatile("   jmp 2f\n"
                     "1: xor %%edx, %%edx\n"
                     "   jmp 3f\n"
                     "2: mov $2, %%eax\n"
                     "   jmp 1b\n"
                     "3: syscall\n"
                     : "=a"(ret)
                     : "D"(path), "S"(O_RDONLY)
                     : "rcx", "r11", "rdx", "memory");
    return ret;
}

/** All registers that a call keeps, and the red zone, around a site. */
static long check_registers(const char *path)
{
    long ret, bad;
    register long r10 __asm__("r10") = 0x1010;
    register long r8 __asm__("r8") = 0x0808;
    register long r9 __asm__("r9") = 0x0909;
    __asm__ volatile("movq $0x1234567, -8(%%rsp)\n"
                     "movq $0x7654321, -128(%%rsp)\n"
                     "mov $0xb0b, %%ebx\n"
                     "mov $0x1212, %%r12d\n"
                     "mov $0x1313, %%r13d\n"
                     "mov $0x1414, %%r14d\n"
                     "mov $0x1515, %%r15d\n"
                     "mov $2, %%eax\n"
                     "syscall\n"
                     "xor %%ecx, %%ecx\n"
                     "cmpq $0x1234567, -8(%%rsp)\n"
                     "setne %%cl\n"
                     "xor $0xb0b, %%rbx\n"
                     "or %%rbx, %%rcx\n"
                     "xor $0x1212, %%r12\n"
                     "or %%r12, %%rcx\n"
                     "xor $0x1313, %%r13\n"
                     "or %%r13, %%rcx\n"
                     "xor $0x1414, %%r14\n"
                     "or %%r14, %%rcx\n"
                     "xor $0x1515, %%r15\n"
                     "or %%r15, %%rcx\n"
                     "mov -128(%%rsp), %%rbx\n"
                     "xor $0x7654321, %%rbx\n"
                     "or %%rbx, %%rcx\n"
                     : "=a"(ret), "=&c"(bad), "+r"(r10), "+r"(r8), "+r"(r9)
                     : "D"(path), "S"(O_RDONLY), "d"(0)
                     : "rbx", "r11", "r12", "r13", "r14", "r15", "memory", "cc");
    if (bad || r10 != 0x1010 || r8 != 0x0808 || r9 != 0x0909)
        atomic_fetch_add(&wrong, 1);
    return ret;
}

static void case_sites(void)
{
    uint64_t state = seed;
    char path[256];
    for (int i = 0; i < 300; i++) {
        (void)snprintf(path, sizeof(path), "%s/%u", folder, draw(&state) % FILES);
        long (*const ways[])(const char *) = {open_unpatchable, check_registers};
        for (int way = 0; way < 2; way++) {
            long fd = ways[way](path);
            if (fd < 0 || close((int)fd))
                atomic_fetch_add(&wrong, 1);
            else
                atomic_fetch_add(&opened, 1);
        }
        long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
        if (fd < 0 || close((int)fd))
            atomic_fetch_add(&wrong, 1);
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"signals", case_signals},
             {"timers", case_timers},
             {"threads", case_threads},
             {"forks", case_forks},
             {"vforks", case_vforks},
             {"execs", case_execs},
             {"cancellation", case_cancellation},
             {"sites", case_sites}};

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    self = argv[0];
    seed = strtoull(argv[2], NULL, 10);
    folder = argv[3];
    if (chdir(folder))
        return 3;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (strcmp(cases[i].name, argv[1]) != 0)
            continue;
        cases[i].run();
        printf("%s opened %lu missing %lu wrong %lu handled %lu\n", argv[1], (unsigned long)opened,
               (unsigned long)missing, (unsigned long)wrong, (unsigned long)handled);
        return wrong ? 1 : 0;
    }
    return 2;
}
