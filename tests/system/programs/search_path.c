/* SPDX-License-Identifier: MIT */
/* What ld.so tries along DT_RUNPATH, DT_RPATH or LD_LIBRARY_PATH before it finds a library: one
 * that the program needs, and those that it asks for. An argument: all of them are there. */
#include "case.h"
#include <dlfcn.h>

int little_open(const char *path);

int main(int argc, char **argv)
{
    (void)argv;
    CHECK(little_open("a.txt") == 0);
    void *library = dlopen("little2.so", RTLD_NOW);
    CHECK(library != NULL && dlclose(library) == 0);
    /* It is gone again when the next one is asked for. */
    CHECK(dlopen("little3.so", RTLD_NOW) != NULL);
    if (argc == 1)
        CHECK(dlopen("nowhere.so", RTLD_NOW) == NULL);
    return done("search_path");
}
