/* SPDX-License-Identifier: MIT */
/* freopen without a name: the mode of an open stream changes, nothing may crash. */
#include "case.h"

int main(void)
{
    FILE *file = fopen("b.txt", "r+");
    CHECK(file != NULL);
    file = freopen(NULL, "r", file);
    CHECK(file != NULL);
    char line[16];
    CHECK(fgets(line, sizeof line, file) != NULL && strcmp(line, "bye\n") == 0);
    CHECK(fclose(file) == 0);
    return done("freopen_null");
}
