/* SPDX-License-Identifier: MIT */
/* A library whose function is called as the C library's, and is another. */
int open(int number);

int open(int number)
{
    return number + 1;
}
