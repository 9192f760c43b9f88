/* SPDX-License-Identifier: MIT */
/* Runs a fuzzer over files and folders of inputs, without a fuzzing engine: the regression test.
   Usage: FUZZER FILE|FOLDER... ; it fails when there is not one input. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/file.h"
#include "fuzz.h"

#define MAX_INPUT_BYTES (64u << 20)

__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

/* @return inputs run, or a negative errno value */
static int run_file(const char *path)
{
    struct err err = {0};
    struct buf input;
    buf_init(&input, MAX_INPUT_BYTES);
    int ret = file_read(path, &input, &err);
    if (ret)
        (void)fprintf(stderr, "%s\n", err.text);
    /* a copy of its own size: a byte read behind the end is seen by the sanitizers and valgrind */
    uint8_t *data = ret ? NULL : malloc(input.size_bytes ? input.size_bytes : 1);
    if (data) {
        if (input.size_bytes)
            memcpy(data, input.data, input.size_bytes);
        (void)fprintf(stderr, "%s\n", path); /* the last one named is the one that fails */
        (void)LLVMFuzzerTestOneInput(data, input.size_bytes);
    }
    free(data);
    buf_fini(&input);
    return ret ? ret : 1;
}

static int run_folder(const char *path)
{
    struct dirent **names = NULL;
    int count = scandir(path, &names, NULL, alphasort);
    int ret = 0;
    if (count < 0)
        perror(path);
    for (int i = 0; i < count; i++) {
        char file[4096];
        int n = snprintf(file, sizeof(file), "%s/%s", path, names[i]->d_name);
        if (ret >= 0 && names[i]->d_name[0] != '.' && n > 0 && n < (int)sizeof(file)) {
            int one = run_file(file);
            ret = one < 0 ? one : ret + one;
        }
        free(names[i]);
    }
    free(names);
    return ret;
}

int main(int argc, char **argv)
{
    int inputs = 0;
    (void)LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        struct stat info;
        if (stat(argv[i], &info))
            continue; /* no input was found for this fuzzer so far */
        int ret = S_ISDIR(info.st_mode) ? run_folder(argv[i]) : run_file(argv[i]);
        if (ret < 0)
            return 1;
        inputs += ret;
    }
    (void)printf("%d inputs\n", inputs);
    return inputs ? 0 : 1;
}
