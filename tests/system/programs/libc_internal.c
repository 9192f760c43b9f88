/* SPDX-License-Identifier: MIT */
/* realpath, the mkstemp family, tmpfile and name services. */
#include "case.h"
#include <netdb.h>
#include <pwd.h>
#include <stdlib.h>

int main(void)
{
    char *real = realpath("dirlink/x", NULL);
    CHECK(real != NULL);
    free(real);
    CHECK(realpath("absent/x", NULL) == NULL && errno == ENOENT);
    real = canonicalize_file_name("link");
    CHECK(real != NULL);
    free(real);
    /* The names are random: renamed to what the test knows. */
    char one[] = "one.XXXXXX", two[] = "two.XXXXXX.c", three[] = "three.XXXXXX",
         four[] = "d.XXXXXX";
    int fd = mkstemp(one);
    CHECK(fd >= 0 && close(fd) == 0 && rename(one, "one.known") == 0);
    fd = mkstemps(two, 2);
    CHECK(fd >= 0 && close(fd) == 0 && rename(two, "two.known") == 0);
    fd = mkostemp(three, 0);
    CHECK(fd >= 0 && close(fd) == 0 && rename(three, "three.known") == 0);
    CHECK(mkdtemp(four) != NULL && rename(four, "four.known") == 0);
    FILE *file = tmpfile();
    CHECK(file != NULL && fclose(file) == 0);
    CHECK(getpwnam("nobody") != NULL);
    setservent(0);
    CHECK(getservent() != NULL || errno != EFAULT);
    endservent();
    return done("libc_internal");
}
