/* SPDX-License-Identifier: MIT */
/* Libraries that look their symbols up elsewhere: RTLD_DEEPBIND and dlmopen. */
#include "case.h"
#include <dlfcn.h>

static void use(void *library, const char *path)
{
    CHECK(library != NULL);
    int (*little_open)(const char *) = (int (*)(const char *))dlsym(library, "little_open");
    CHECK(little_open != NULL && little_open(path) == 0);
}

int main(void)
{
    use(dlopen("./little.so", RTLD_NOW | RTLD_DEEPBIND), "a.txt");
    use(dlmopen(LM_ID_NEWLM, "./little2.so", RTLD_NOW), "b.txt");
    return done("deepbind");
}
