/* SPDX-License-Identifier: MIT */
/* A program that is a notification supervisor of its own child. */
#include "case.h"
#include "bpf.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

static void send_fd(int socket, int fd)
{
    char byte = 0, space[CMSG_SPACE(sizeof fd)] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    CHECK(sendmsg(socket, &message, 0) == 1);
}

static int receive_fd(int socket)
{
    int fd;
    char byte, space[CMSG_SPACE(sizeof fd)];
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    CHECK(recvmsg(socket, &message, 0) == 1);
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    CHECK(header != NULL);
    memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return fd;
}

static int child_main(int socket)
{
    struct sock_filter code[] = {BPF_LOAD(nr), BPF_IF(SYS_getppid, SECCOMP_RET_USER_NOTIF),
                                 BPF_RETURN(SECCOMP_RET_ALLOW)};
    int listener =
        bpf_install(code, sizeof code / sizeof code[0], SECCOMP_FILTER_FLAG_NEW_LISTENER);
    if (listener < 0)
        return 10;
    send_fd(socket, listener);
    close(listener);
    if (syscall(SYS_getppid) != 4242)
        return 11;
    int fd = open("b.txt", O_RDONLY);
    return fd >= 0 ? 0 : 12;
}

int main(void)
{
    int pair[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    int fd = open("a.txt", O_RDONLY);
    CHECK(fd >= 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        _exit(child_main(pair[1]));
    close(pair[1]); /* a child that fails ends the wait */
    int listener = receive_fd(pair[0]);
    struct seccomp_notif_sizes sizes;
    CHECK(syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) == 0);
    struct seccomp_notif *request = calloc(1, sizes.seccomp_notif);
    struct seccomp_notif_resp *response = calloc(1, sizes.seccomp_notif_resp);
    CHECK(request != NULL && response != NULL);
    CHECK(ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, request) == 0);
    response->id = request->id;
    response->val = 4242;
    CHECK(ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, response) == 0);
    free(request);
    free(response);
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return done("own_notify");
}
