/* SPDX-License-Identifier: MIT */
/* Every mode of fopen, and freopen with a name. */
#include "case.h"

static void with(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    CHECK(file != NULL);
    CHECK(fclose(file) == 0);
}

int main(void)
{
    with("a.txt", "r");
    with("b.txt", "r+");
    with("new-w", "w");
    with("new-w+", "w+");
    with("new-a", "a");
    with("new-a+", "a+b");
    with("dir/x", "rb");
    with("new-wx", "wxe");
    with("new-wc", "w,ccs=UTF-8");
    CHECK(fopen("absent", "r") == NULL && errno == ENOENT);
    CHECK(fopen("absent", "q") == NULL && errno == EINVAL);
    FILE *file = fopen64("dir/y", "r");
    CHECK(file != NULL);
    file = freopen("link", "r", file);
    CHECK(file != NULL);
    file = freopen64("new-freopen", "w", file);
    CHECK(file != NULL && fclose(file) == 0);
    return done("fopen_modes");
}
