/* SPDX-License-Identifier: MIT */
/* Points in time. */
#include "report/when.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"

#define MINUTE_S INT64_C(60)
#define HOUR_S INT64_C(3600)
#define DAY_S INT64_C(86400)

/* Days from 1970-01-01 to a date of the Gregorian calendar: years start in March, so that
   the leap day is the last one. */
static int64_t days_of(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = y / 400;
    int64_t year_of_era = y - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
           719468;
}

int rep_when_parse(const char *text, int64_t *out)
{
    static const char pattern[] = "dddd-dd-ddTdd:dd:dd";

    *out = 0;
    if (!text || strnlen(text, 40) > 32 || strlen(text) < sizeof(pattern))
        return -EINVAL;
    int field[6] = {0};
    size_t at = 0;
    for (size_t i = 0; pattern[i]; i++) {
        if (pattern[i] != 'd') {
            if (text[i] != pattern[i])
                return -EINVAL;
            at++;
            continue;
        }
        if (text[i] < '0' || text[i] > '9')
            return -EINVAL;
        field[at] = field[at] * 10 + (text[i] - '0');
    }
    const char *rest = text + sizeof(pattern) - 1;
    if (*rest == '.')
        rest += 1 + strspn(rest + 1, "0123456789");
    if (strcmp(rest, "Z") != 0)
        return -EINVAL;
    if (field[0] < 1970 || field[1] < 1 || field[1] > 12 || field[2] < 1 || field[2] > 31 ||
        field[3] > 23 || field[4] > 59 || field[5] > 60) {
        return -EINVAL;
    }
    *out = days_of(field[0], field[1], field[2]) * DAY_S + field[3] * HOUR_S + field[4] * MINUTE_S +
           field[5];
    return 0;
}

int rep_when_format(struct buf *out, int64_t unix_s)
{
    struct tm parts;
    if (clock_utc(unix_s, &parts))
        return buf_puts(out, "?");
    return buf_printf(out, "%04d-%02d-%02d %02d:%02d UTC", parts.tm_year + 1900, parts.tm_mon + 1,
                      parts.tm_mday, parts.tm_hour, parts.tm_min);
}

static int ago(struct buf *out, int64_t count, const char *one, const char *many)
{
    if (count == 1)
        return buf_printf(out, "%s ago", one);
    return buf_printf(out, "%lld %s ago", (long long)count, many);
}

int rep_when_age(struct buf *out, int64_t now_unix_s, int64_t then_unix_s)
{
    int64_t age_s = now_unix_s - then_unix_s;
    if (age_s < 2 * MINUTE_S)
        return buf_puts(out, "just now");
    if (age_s < HOUR_S)
        return ago(out, age_s / MINUTE_S, "a minute", "minutes");
    if (age_s < DAY_S)
        return ago(out, age_s / HOUR_S, "an hour", "hours");
    return ago(out, age_s / DAY_S, "a day", "days");
}
