/* SPDX-License-Identifier: MIT */
/* An exec that is forbidden leaves the process as it was. */
#include "case.h"

int main(void)
{
    char line[256], *argv[] = {(char *)"image", NULL};
    FAILS(execv("./image", argv), EACCES);
    FILE *status = fopen("/proc/self/status", "r");
    CHECK(status != NULL);
    while (fgets(line, sizeof line, status))
        if (strncmp(line, "Seccomp", 7) == 0 || strncmp(line, "NoNewPrivs", 10) == 0)
            fputs(line, stdout);
    CHECK(fclose(status) == 0);
    return done("failed_exec");
}
