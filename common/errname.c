/* SPDX-License-Identifier: MIT */
/* Names of errno values: those that calls on paths give, where the system has them. */
#include "common/errname.h"

#include <errno.h>
#include <stdio.h>

const char *errname(int error, char *number, size_t size_bytes)
{
    switch (error) {
#define NAME(value)                                                                                \
    case value:                                                                                    \
        return #value;
        NAME(EPERM)
        NAME(ENOENT)
        NAME(ESRCH)
        NAME(EINTR)
        NAME(EIO)
        NAME(ENXIO)
        NAME(E2BIG)
        NAME(ENOEXEC)
        NAME(EBADF)
        NAME(ECHILD)
        NAME(EAGAIN)
        NAME(ENOMEM)
        NAME(EACCES)
        NAME(EFAULT)
        NAME(EBUSY)
        NAME(EEXIST)
        NAME(EXDEV)
        NAME(ENODEV)
        NAME(ENOTDIR)
        NAME(EISDIR)
        NAME(EINVAL)
        NAME(ENFILE)
        NAME(EMFILE)
        NAME(ENOTTY)
        NAME(ETXTBSY)
        NAME(EFBIG)
        NAME(ENOSPC)
        NAME(ESPIPE)
        NAME(EROFS)
        NAME(EMLINK)
        NAME(EPIPE)
        NAME(EDOM)
        NAME(ERANGE)
        NAME(EDEADLK)
        NAME(ENAMETOOLONG)
        NAME(ENOLCK)
        NAME(ENOSYS)
        NAME(ENOTEMPTY)
        NAME(ELOOP)
        NAME(EOVERFLOW)
        NAME(EOPNOTSUPP)
        NAME(ECANCELED)
        NAME(ETIMEDOUT)
        NAME(ECONNREFUSED)
        NAME(ENOTCONN)
        NAME(EADDRINUSE)
        NAME(ENODATA)
        NAME(ENOTSOCK)
        NAME(EPROTO)
        NAME(EILSEQ)
#ifdef ESTALE
        NAME(ESTALE)
#endif
#ifdef EDQUOT
        NAME(EDQUOT)
#endif
#ifdef EUSERS
        NAME(EUSERS)
#endif
#ifdef EREMOTE
        NAME(EREMOTE)
#endif
#ifdef ENOTBLK
        NAME(ENOTBLK)
#endif
#ifdef ESHUTDOWN
        NAME(ESHUTDOWN)
#endif
#ifdef EHOSTDOWN
        NAME(EHOSTDOWN)
#endif
#ifdef ENOMEDIUM
        NAME(ENOMEDIUM)
#endif
#ifdef EMEDIUMTYPE
        NAME(EMEDIUMTYPE)
#endif
#ifdef ENOKEY
        NAME(ENOKEY)
#endif
#ifdef EKEYEXPIRED
        NAME(EKEYEXPIRED)
#endif
#ifdef EKEYREVOKED
        NAME(EKEYREVOKED)
#endif
#ifdef EKEYREJECTED
        NAME(EKEYREJECTED)
#endif
#ifdef EUCLEAN
        NAME(EUCLEAN)
#endif
#ifdef EREMOTEIO
        NAME(EREMOTEIO)
#endif
#ifdef EBADFD
        NAME(EBADFD)
#endif
#ifdef ECOMM
        NAME(ECOMM)
#endif
#ifdef ENOTUNIQ
        NAME(ENOTUNIQ)
#endif
#ifdef ELIBACC
        NAME(ELIBACC)
#endif
#ifdef ELIBBAD
        NAME(ELIBBAD)
#endif
#undef NAME
    default:
        (void)snprintf(number, size_bytes, "%d", error);
        return number;
    }
}
