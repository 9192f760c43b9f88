/* SPDX-License-Identifier: MIT */
/* What is the same for the folders of every system. */
#include "common/folder.h"

#include <stdlib.h>

void folder_list_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}
