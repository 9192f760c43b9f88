/* SPDX-License-Identifier: MIT */
/*
 * forge_head owner|pipe: writes what it must not into the log of the filetrace that runs it.
 *   owner  somebody who never ends waits for the guard; prints the guard's number
 *   pipe   hands a pipe over as if that were a listener; prints whether it is held
 */
#include "case.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "tracer/linux/request.h"
#include "tracer/record.h"

/* The log, by its name among the tracer's files; each of its pipes goes to @pipes, count first. */
static struct ft_log_head *find_log(char pipes[][320], int *count)
{
    char folder[64], path[320], link[256];
    struct ft_log_head *head = NULL;
    struct dirent *entry;

    (void)snprintf(folder, sizeof folder, "/proc/%d/fd", (int)getppid());
    DIR *dir = opendir(folder);
    CHECK(dir != NULL);
    while ((entry = readdir(dir)) != NULL) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        ssize_t n = readlink(path, link, sizeof link - 1);
        link[n > 0 ? n : 0] = 0;
        if (strncmp(link, "pipe:", 5) == 0 && *count < 16)
            (void)snprintf(pipes[(*count)++], sizeof path, "%s", path);
        if (strstr(link, "memfd:filetrace") == NULL)
            continue;
        int fd = open(path, O_RDWR);
        head = mmap(NULL, FT_LOG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        CHECK(head != MAP_FAILED);
        close(fd);
    }
    closedir(dir);
    CHECK(head != NULL);
    return head;
}

static void forge_owner(struct ft_log_head *head)
{
    for (unsigned i = 0; i < FT_REQUEST_SLOTS; i++)
        head->requests[i] = (struct ft_request_slot){.state = FT_REQUEST_ASKED, .owner = 1};
    printf("guard %u\n", head->guard_pid);
}

static void forge_pipe(struct ft_log_head *head, char pipes[][320], int count)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    const uint32_t asked = ft_request_asked_after(head->requests[7].state);
    head->requests[7] = (struct ft_request_slot){.state = asked, .owner = (uint32_t)getpid()};
    const struct ft_request request = {.kind = FT_REQUEST_LISTENER,
                                       .pid = (uint32_t)getpid(),
                                       .tid = (uint32_t)getpid(),
                                       .fd = ends[1],
                                       .slot = 7,
                                       .asked = asked};
    for (int i = 0; i < count; i++) {
        int fd = open(pipes[i], O_RDWR | O_NONBLOCK);
        CHECK(fd >= 0 && write(fd, &request, sizeof request) == (ssize_t)sizeof request);
        close(fd);
    }
    for (int i = 0; i < 1000; i++) {
        if (ft_request_phase(*(volatile uint32_t *)&head->requests[7].state) != FT_REQUEST_ASKED)
            break;
        poll(NULL, 0, 10);
    }
    int result = ft_request_result(head->requests[7].state);
    head->requests[7] = (struct ft_request_slot){0};
    close(ends[1]);
    struct pollfd reader = {.fd = ends[0], .events = POLLIN};
    printf("answer %d, %s\n", result, poll(&reader, 1, 3000) == 1 ? "not held" : "held");
}

int main(int argc, char **argv)
{
    static char pipes[16][320];
    int count = 0;
    struct ft_log_head *head = find_log(pipes, &count);

    CHECK(argc == 2);
    if (strcmp(argv[1], "owner") == 0)
        forge_owner(head);
    else
        forge_pipe(head, pipes, count);
    return done("forge_head");
}
