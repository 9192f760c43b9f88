/* SPDX-License-Identifier: MIT */
/* What must be the same before two overheads may be compared. */
#include "harness/environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Not <ctype.h>: its answers hang on the locale. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/** Length of a frequency reading at @text, "2593.9 MHz" or "@2594MHz"; 0 when there is none. */
static size_t reading_length(const char *text)
{
    const char *c = text;
    if (*c == '@')
        c++;
    while (*c == ' ')
        c++;
    const char *digits = c;
    while (is_digit(*c) || *c == '.')
        c++;
    if (c == digits)
        return 0;
    while (*c == ' ')
        c++;
    return strncmp(c, "MHz", 3) ? 0 : (size_t)(c - text) + 3;
}

/** The CPU's name without readings, words parted by one space. */
static char *cpu_key(const char *cpu)
{
    char *key = calloc(strlen(cpu) + 1, 1);
    if (!key)
        return NULL;

    char *end = key;
    for (const char *c = cpu; *c;) {
        bool at_start = end == key || end[-1] == ' ';
        size_t skipped = at_start ? reading_length(c) : 0;
        if (skipped)
            c += skipped;
        else if (*c == ' ' && at_start)
            c++;
        else
            *end++ = *c++;
    }
    while (end > key && (end[-1] == ' ' || end[-1] == ','))
        *--end = '\0';
    if (*key)
        return key;
    free(key);
    return strdup("unknown"); /* there was nothing but a reading */
}

/** "6.18" out of "6.18.44-generic"; the whole text where it does not begin with two numbers. */
static char *kernel_line(const char *kernel)
{
    size_t length = 0;
    while (is_digit(kernel[length]))
        length++;
    if (length && kernel[length] == '.' && is_digit(kernel[length + 1])) {
        length++;
        while (is_digit(kernel[length]))
            length++;
    } else {
        length = strlen(kernel);
    }
    return buf_copy_text(kernel, length);
}

static int by_name(const void *a, const void *b)
{
    const struct tt_parameter *x = *(const struct tt_parameter *const *)a;
    const struct tt_parameter *y = *(const struct tt_parameter *const *)b;
    return strcmp(x->name, y->name);
}

/** Suite, version and parameters, these sorted by name: their order in a file says nothing. */
static char *workload_key(const struct tt_result *result)
{
    const struct tt_parameter *sorted[TT_RESULT_MAX_PARAMETERS];
    size_t count = result->suite.parameters_count;
    if (count > TT_RESULT_MAX_PARAMETERS)
        count = TT_RESULT_MAX_PARAMETERS;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &result->suite.parameters[i];
    /* cppcheck-suppress uninitvar ; it takes the pointed-to for what is sorted */
    qsort(sorted, count, sizeof(sorted[0]), by_name);

    struct buf key;
    buf_init(&key, TT_ENVIRONMENT_MAX_WORKLOAD_BYTES);
    buf_printf(&key, "%s %s", result->suite.name, result->suite.version);
    for (size_t i = 0; i < count; i++)
        buf_printf(&key, " %s=%s", sorted[i]->name, sorted[i]->value);
    char *text = buf_take(&key);
    buf_fini(&key);
    return text;
}

int tt_environment_init(const struct tt_result *result, struct tt_environment *out)
{
    *out = (struct tt_environment){
        .platform = strdup(result->platform.id),
        .cpu = cpu_key(result->platform.cpu),
        .image = strdup(result->platform.image),
        .kernel = kernel_line(result->platform.kernel),
        .engine = strdup(result->engine.name),
        .workload = workload_key(result),
        .cores = result->platform.cores,
    };
    if (out->platform && out->cpu && out->image && out->kernel && out->engine && out->workload)
        return 0;
    tt_environment_fini(out);
    return -ENOMEM;
}

void tt_environment_fini(struct tt_environment *environment)
{
    free(environment->platform);
    free(environment->cpu);
    free(environment->image);
    free(environment->kernel);
    free(environment->engine);
    free(environment->workload);
    *environment = (struct tt_environment){0};
}

bool tt_environment_same(const struct tt_environment *a, const struct tt_environment *b)
{
    return a->cores == b->cores && !strcmp(a->platform, b->platform) && !strcmp(a->cpu, b->cpu) &&
           !strcmp(a->image, b->image) && !strcmp(a->kernel, b->kernel) &&
           !strcmp(a->engine, b->engine) && !strcmp(a->workload, b->workload);
}

int tt_environment_difference(const struct tt_environment *now, const struct tt_environment *before,
                              struct buf *out)
{
    const struct {
        const char *what, *now, *before;
    } parts[] = {
        {"platform", now->platform, before->platform},
        {"CPU", now->cpu, before->cpu},
        {"system image", now->image, before->image},
        {"kernel line", now->kernel, before->kernel},
        {"engine", now->engine, before->engine},
        {"workload", now->workload, before->workload},
    };
    const char *separator = "";

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (!strcmp(parts[i].now, parts[i].before))
            continue;
        buf_printf(out, "%sother %s (%.200s, before %.200s)", separator, parts[i].what,
                   parts[i].now, parts[i].before);
        separator = "; ";
    }
    if (now->cores != before->cores)
        buf_printf(out, "%sother number of cores (%u, before %u)", separator, now->cores,
                   before->cores);
    return buf_status(out);
}
