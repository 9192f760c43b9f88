/* SPDX-License-Identifier: MIT */
/* system and popen. */
#include "case.h"
#include <stdlib.h>

int main(void)
{
    CHECK(setenv("KEPT", "this", 1) == 0 && system("test \"$KEPT\" = this") == 0);
    CHECK(system("read line <a.txt && echo got $line") == 0);
    FILE *pipe = popen("cat b.txt; : >made", "r");
    CHECK(pipe != NULL);
    char line[16];
    CHECK(fgets(line, sizeof line, pipe) != NULL && strcmp(line, "bye\n") == 0);
    CHECK(pclose(pipe) == 0);
    CHECK(system("exit 5") == 5 << 8);
    return done("system_popen");
}
