/* SPDX-License-Identifier: MIT */
/* Attaching a process to the log, before its own code runs. */
#include "tracer/macos/interpose.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <mach-o/dyld.h>
#include <mach-o/loader.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracer/macos/macho.h"

struct ft_log_head *ft_preload_log;
struct ft_interpose_run ft_interpose_run;

/** Map the tracer's log. Its descriptor is closed at once: the program finds its own numbers as if
 * we were not there. */
static struct ft_log_head *map_log(const struct ft_attach *attach)
{
    struct stat st;
    int fd = open(attach->log, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return NULL;
    void *map = MAP_FAILED;
    /* Behind the file's end a mapping cannot be touched. */
    if (!fstat(fd, &st) && st.st_size >= (off_t)FT_LOG_BYTES)
        map = mmap(NULL, FT_LOG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map == MAP_FAILED)
        return NULL;
    struct ft_log_head *log = map;
    if (log->magic != FT_LOG_MAGIC || log->version != FT_LOG_VERSION ||
        log->nonce != attach->nonce) {
        (void)munmap(map, FT_LOG_BYTES);
        return NULL;
    }
    return log;
}

/** The entry of the list of libraries that names us. @return false when there is none */
static bool find_library(const char *list)
{
    static const char name[] = "/" FT_LIBRARY_NAME;
    while (list && *list) {
        size_t length = strcspn(list, ":");
        if (length >= sizeof(name) - 1 && length < sizeof(ft_interpose_run.library) &&
            !memcmp(list + length - (sizeof(name) - 1), name, sizeof(name) - 1)) {
            memcpy(ft_interpose_run.library, list, length);
            ft_interpose_run.library[length] = '\0';
            return true;
        }
        list += length + (list[length] == ':');
    }
    return false;
}

/** In the child of a fork. */
static void on_fork(void)
{
    ft_note_fork((uint32_t)getpid());
}

/** dyld has mapped an image, or had before we came. Those of the shared cache are in no file. */
static void on_image(const struct mach_header *header, intptr_t slide)
{
    Dl_info info;
    (void)slide;
    if ((header->flags & 0x80000000u /* MH_DYLIB_IN_CACHE */) || header->filetype == MH_EXECUTE ||
        !dladdr(header, &info) || !info.dli_fname ||
        !strcmp(info.dli_fname, ft_interpose_run.library))
        return;
    ft_note_at(FT_OP_loader, FT_READ, 0, AT_FDCWD, info.dli_fname);
}

__attribute__((constructor)) static void attach(void)
{
    struct ft_interpose_run *run = &ft_interpose_run;
    char log_path[FT_IMAGE_PATH_MAX], image[FT_IMAGE_PATH_MAX];
    uint32_t image_bytes = sizeof(image);
    struct ft_attach told;

    const char *value = getenv(FT_ENV);
    if (!value || !find_library(getenv("DYLD_INSERT_LIBRARIES")) ||
        !ft_attach_read(value, run->shell, log_path, &told) || !ft_attach_write(&told, run->attach))
        return;
    struct ft_log_head *log = map_log(&told);
    if (!log)
        return;
    run->plan = (struct ft_plan_options){
        .own = FT_CPU_OWN,
        .library = told.library,
        .protection_off = told.protection_off,
        .shell = run->shell,
        .look = ft_plan_look,
    };
    __atomic_store_n(&ft_preload_log, log, __ATOMIC_RELEASE);
    ft_note_moved(0); /* the working folder, before anybody can remove it */
    ft_note_image(_NSGetExecutablePath(image, &image_bytes) ? "" : image);
    (void)pthread_atfork(NULL, NULL, on_fork);
    _dyld_register_func_for_add_image(on_image);
}
