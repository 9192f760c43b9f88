/* SPDX-License-Identifier: MIT */
/* dlopen, and what the loader opens on its way. */
#include "case.h"
#include <dlfcn.h>

int main(void)
{
    void *library = dlopen("./little.so", RTLD_NOW);
    CHECK(library != NULL);
    int (*little_open)(const char *) = (int (*)(const char *))dlsym(library, "little_open");
    CHECK(little_open != NULL && little_open("a.txt") == 0);
    CHECK(dlclose(library) == 0);
    /* Closed and gone: the next one may be listed in its place. */
    for (char name[] = "./plugin0.so"; name[8] < '4'; name[8]++) {
        library = dlopen(name, RTLD_NOW);
        CHECK(library != NULL && access("a.txt", R_OK) == 0 && dlclose(library) == 0);
    }
    CHECK(dlopen("./absent.so", RTLD_NOW) == NULL);
    /* Found along the library's own search path, together with what it needs. */
    CHECK(dlopen("libthread_db.so.1", RTLD_LAZY) != NULL ||
          dlopen("libanl.so.1", RTLD_LAZY) != NULL);
    return done("dlopen_lib");
}
