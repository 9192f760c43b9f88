/* SPDX-License-Identifier: MIT */
/*
 * <getopt.h> for Windows, where not every C library has one: as much of POSIX's and GNU's as our
 * programs use. Differs in that it never prints, takes no optional arguments, and has no `flag`.
 */
#ifndef COMMON_WINDOWS_GETOPT_H
#define COMMON_WINDOWS_GETOPT_H

#define no_argument 0
#define required_argument 1

struct option {
    const char *name;
    int has_arg;
    int *flag; /**< must be NULL */
    int val;
};

extern char *optarg;
extern int optind; /**< set it to 1 to begin anew */
extern int opterr; /**< whatever it says, nothing is printed */
extern int optopt;

/**
 * The next option, as GNU's getopt_long(): other arguments are moved behind the options unless
 * @letters begins with '+'; long names may be cut short as long as one option alone is meant.
 * @letters ':' behind the '+', or first, makes a missing argument ':' instead of '?'
 * @index   must be NULL
 * @return the option's val or letter; '?' for one that is not known (optopt: its letter, or 0) or
 *         takes no argument (optopt: its val); ':' for a missing argument; -1 at the end
 * Not thread safe.
 */
int getopt_long(int argc, char *const *argv, const char *letters, const struct option *options,
                int *index);

#endif
