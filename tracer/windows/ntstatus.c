/* SPDX-License-Identifier: MIT */
/* What the NT kernel answers, as errno values. */
#include "tracer/windows/ntstatus.h"

#include <errno.h>
#include <stddef.h>

static const struct {
    uint32_t status;
    int error;
} table[] = {
    /* learn.microsoft.com/openspecs/windows_protocols/ms-erref, 2.3.1; the errors as UCRT's
     * _dosmaperr() has them for the Win32 error of each. */
    {0xc0000034, ENOENT},       /* OBJECT_NAME_NOT_FOUND */
    {0xc000003a, ENOENT},       /* OBJECT_PATH_NOT_FOUND */
    {0xc000000f, ENOENT},       /* NO_SUCH_FILE */
    {0xc0000033, ENOENT},       /* OBJECT_NAME_INVALID */
    {0xc0000039, ENOENT},       /* OBJECT_PATH_INVALID */
    {0xc000003b, ENOENT},       /* OBJECT_PATH_SYNTAX_BAD */
    {0xc00000be, ENOENT},       /* BAD_NETWORK_PATH */
    {0xc00000cc, ENOENT},       /* BAD_NETWORK_NAME */
    {0xc000000e, ENODEV},       /* NO_SUCH_DEVICE */
    {0xc0000022, EACCES},       /* ACCESS_DENIED */
    {0xc0000043, EACCES},       /* SHARING_VIOLATION */
    {0xc0000054, EACCES},       /* FILE_LOCK_CONFLICT */
    {0xc0000056, EACCES},       /* DELETE_PENDING */
    {0xc00000ba, EACCES},       /* FILE_IS_A_DIRECTORY */
    {0xc0000121, EACCES},       /* CANNOT_DELETE */
    {0xc0000061, EPERM},        /* PRIVILEGE_NOT_HELD */
    {0xc0000035, EEXIST},       /* OBJECT_NAME_COLLISION */
    {0xc0000103, ENOTDIR},      /* NOT_A_DIRECTORY */
    {0xc0000101, ENOTEMPTY},    /* DIRECTORY_NOT_EMPTY */
    {0xc00000d4, EXDEV},        /* NOT_SAME_DEVICE */
    {0xc0000106, ENAMETOOLONG}, /* NAME_TOO_LONG */
    {0xc000007f, ENOSPC},       /* DISK_FULL */
    {0xc0000044, ENOSPC},       /* QUOTA_EXCEEDED */
    {0xc00000a2, EROFS},        /* MEDIA_WRITE_PROTECTED */
    {0xc0000265, EMLINK},       /* TOO_MANY_LINKS */
    {0xc000011f, EMFILE},       /* TOO_MANY_OPENED_FILES */
    {0xc0000017, ENOMEM},       /* NO_MEMORY */
    {0xc000009a, ENOMEM},       /* INSUFFICIENT_RESOURCES */
    {0xc0000005, EFAULT},       /* ACCESS_VIOLATION */
    {0xc0000008, EBADF},        /* INVALID_HANDLE */
    {0xc0000024, EBADF},        /* OBJECT_TYPE_MISMATCH */
    {0xc000000d, EINVAL},       /* INVALID_PARAMETER */
    {0xc0000003, EINVAL},       /* INVALID_INFO_CLASS */
    {0xc0000004, EINVAL},       /* INFO_LENGTH_MISMATCH */
    {0xc0000010, EINVAL},       /* INVALID_DEVICE_REQUEST */
    {0xc0000002, ENOSYS},       /* NOT_IMPLEMENTED */
    {0xc00000bb, EOPNOTSUPP},   /* NOT_SUPPORTED */
    {0xc0000280, ELOOP},        /* REPARSE_POINT_NOT_RESOLVED */
    {0xc000007b, ENOEXEC},      /* INVALID_IMAGE_FORMAT */
    {0xc0000130, ENOEXEC},      /* INVALID_IMAGE_PROTECT */
    {0xc000012f, ENOEXEC},      /* INVALID_IMAGE_NOT_MZ */
    {0xc0000131, ENOEXEC},      /* INVALID_IMAGE_WIN_16 */
    {0xc0000120, ECANCELED},    /* CANCELLED */
    {0xc00000b5, ETIMEDOUT},    /* IO_TIMEOUT */
    {0x8000002d, ELOOP},        /* STOPPED_ON_SYMLINK */
};

int ft_ntstatus_errno(uint32_t status)
{
    if (status < 0xc0000000u && status != 0x8000002du)
        return 0; /* done, or done with a warning: more names than fitted, no more names */
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (table[i].status == status)
            return table[i].error;
    }
    return EIO;
}
