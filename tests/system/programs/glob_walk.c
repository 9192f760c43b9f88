/* SPDX-License-Identifier: MIT */
/* glob, ftw, nftw and fts: calls that libc makes inside itself. */
#include "case.h"
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <sys/stat.h>

static int seen;

static int visit(const char *path, const struct stat *status, int kind)
{
    (void)path, (void)status, (void)kind;
    seen++;
    return 0;
}

static int visit_n(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)where;
    return visit(path, status, kind);
}

int main(void)
{
    const char *const trees[] = {"g", "f", "n", "t"};
    for (int i = 0; i < 4; i++) {
        char path[16];
        CHECK(mkdir(trees[i], 0755) == 0);
        (void)snprintf(path, sizeof path, "%s/sub", trees[i]);
        CHECK(mkdir(path, 0755) == 0);
    }
    glob_t found;
    CHECK(glob("g/s*", GLOB_MARK, NULL, &found) == 0 && found.gl_pathc == 1);
    globfree(&found);
    CHECK(ftw("f", visit, 4) == 0 && seen == 2);
    CHECK(nftw("n", visit_n, 4, FTW_PHYS) == 0 && seen == 4);
    char tree[] = "t";
    char *roots[] = {tree, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    CHECK(walk != NULL);
    int entries = 0;
    while (fts_read(walk) != NULL)
        entries++;
    CHECK(entries == 4 && fts_close(walk) == 0);
    return done("glob_walk");
}
