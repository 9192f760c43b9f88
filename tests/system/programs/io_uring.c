/* SPDX-License-Identifier: MIT */
/* Opens by way of io_uring, or by open where the ring is refused. */
#include "case.h"
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static int ring_open(int ring, const struct io_uring_params *setup, const char *path)
{
    size_t sq_size = setup->sq_off.array + setup->sq_entries * sizeof(uint32_t);
    size_t cq_size = setup->cq_off.cqes + setup->cq_entries * sizeof(struct io_uring_cqe);
    char *sq = mmap(NULL, sq_size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    char *cq = mmap(NULL, cq_size, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_CQ_RING);
    struct io_uring_sqe *sqes = mmap(NULL, setup->sq_entries * sizeof *sqes, PROT_READ | PROT_WRITE,
                                     MAP_SHARED, ring, IORING_OFF_SQES);
    CHECK(sq != MAP_FAILED && cq != MAP_FAILED && sqes != MAP_FAILED);
    memset(&sqes[0], 0, sizeof sqes[0]);
    sqes[0].opcode = IORING_OP_OPENAT;
    sqes[0].fd = AT_FDCWD;
    sqes[0].addr = (uint64_t)(uintptr_t)path;
    sqes[0].open_flags = O_RDONLY;
    ((uint32_t *)(void *)(sq + setup->sq_off.array))[0] = 0;
    __atomic_fetch_add((uint32_t *)(void *)(sq + setup->sq_off.tail), 1, __ATOMIC_RELEASE);
    CHECK(syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1);
    struct io_uring_cqe *cqes = (struct io_uring_cqe *)(void *)(cq + setup->cq_off.cqes);
    return cqes[0].res;
}

int main(int argc, char **argv)
{
    struct io_uring_params setup;
    memset(&setup, 0, sizeof setup);
    int ring = (int)syscall(SYS_io_uring_setup, 4, &setup);
    int error = errno;
    int fd = ring >= 0 ? ring_open(ring, &setup, "a.txt") : open("a.txt", O_RDONLY);
    CHECK(fd >= 0);
    char text[6];
    CHECK(read(fd, text, sizeof text) == 6 && memcmp(text, "hello\n", 6) == 0);
    if (argc > 1) { /* says which way it went: differs under --deny-io-uring, by design */
        CHECK(strcmp(argv[1], "denied") != 0 || ring >= 0 || error == ENOSYS);
    } else if (ring < 0) {
        dprintf(2, "no io_uring on this machine: %s\n", strerror(error));
        return 77;
    }
    return done("io_uring");
}
