/* SPDX-License-Identifier: MIT */
/* Parts of the NT kernel's interface that the headers for Win32 leave out. */
#ifndef TRACER_WINDOWS_NT_H
#define TRACER_WINDOWS_NT_H

#include <stdint.h>
#include <windows.h>
#include <winternl.h>

#define NT_OK(status) ((NTSTATUS)(status) >= 0)

#define FT_STATUS_ACCESS_VIOLATION 0xc0000005u
#define FT_STATUS_MISALIGNMENT 0x80000002u
#define FT_STATUS_NO_MORE_FILES 0x80000006u
#define FT_STATUS_NO_SUCH_FILE 0xc000000fu
#define FT_STATUS_NAME_NOT_FOUND 0xc0000034u
#define FT_STATUS_PATH_NOT_FOUND 0xc000003au

#define FT_OPTION_DIRECTORY 0x1u
#define FT_OPTION_DELETE_ON_CLOSE 0x1000u
#define FT_OPTION_BY_FILE_ID 0x2000u

/** A name, and room for it behind, as NtQueryObject(ObjectNameInformation) fills it. */
struct ft_object_name {
    UNICODE_STRING name;
    WCHAR units[600];
};

/** FILE_RENAME_INFORMATION, FILE_LINK_INFORMATION and their Ex forms. */
struct ft_new_name {
    ULONG flags; /**< or a BOOLEAN in its first byte */
    HANDLE root;
    ULONG name_bytes;
    WCHAR name[1];
};

/** As much of RTL_USER_PROCESS_PARAMETERS as is needed. */
struct ft_process_parameters {
    ULONG sizes_and_flags[4];
    HANDLE console[1];
    ULONG console_flags;
    HANDLE standard[3];
    UNICODE_STRING current_directory;
    HANDLE current_directory_handle;
    UNICODE_STRING dll_path;
    UNICODE_STRING image_path;
};

/** PS_ATTRIBUTE_LIST. */
struct ft_process_attribute {
    ULONG_PTR attribute;
    SIZE_T size_bytes;
    ULONG_PTR value;
    SIZE_T *returned;
};

struct ft_process_attributes {
    SIZE_T total_bytes;
    struct ft_process_attribute entries[1];
};

#define FT_ATTRIBUTE_IMAGE_NAME 0x20005u
#define FT_THREAD_SUSPENDED 1u

/** An entry of the loader's list of modules. */
struct ft_module {
    LIST_ENTRY load_order, memory_order, start_order;
    PVOID base, entry;
    ULONG size_bytes;
    UNICODE_STRING path, name;
};

/** What LdrRegisterDllNotification() passes on. */
struct ft_module_event {
    ULONG flags;
    const UNICODE_STRING *path, *name;
    PVOID base;
    ULONG size_bytes;
};

#define FT_MODULE_LOADED 1u

/* Types of the functions that are led to ours, and of those that ours call. */
typedef NTSTATUS NTAPI ft_nt_create_file(HANDLE *, ACCESS_MASK, OBJECT_ATTRIBUTES *,
                                         IO_STATUS_BLOCK *, LARGE_INTEGER *, ULONG, ULONG, ULONG,
                                         ULONG, void *, ULONG);
typedef NTSTATUS NTAPI ft_nt_open_file(HANDLE *, ACCESS_MASK, OBJECT_ATTRIBUTES *,
                                       IO_STATUS_BLOCK *, ULONG, ULONG);
typedef NTSTATUS NTAPI ft_nt_query_attributes(const OBJECT_ATTRIBUTES *, void *);
typedef NTSTATUS NTAPI ft_nt_query_by_name(const OBJECT_ATTRIBUTES *, IO_STATUS_BLOCK *, void *,
                                           ULONG, int);
typedef NTSTATUS NTAPI ft_nt_query_directory(HANDLE, HANDLE, void *, void *, IO_STATUS_BLOCK *,
                                             void *, ULONG, int, BOOLEAN, UNICODE_STRING *,
                                             BOOLEAN);
typedef NTSTATUS NTAPI ft_nt_query_directory_ex(HANDLE, HANDLE, void *, void *, IO_STATUS_BLOCK *,
                                                void *, ULONG, int, ULONG, UNICODE_STRING *);
typedef NTSTATUS NTAPI ft_nt_delete_file(OBJECT_ATTRIBUTES *);
typedef NTSTATUS NTAPI ft_nt_set_information(HANDLE, IO_STATUS_BLOCK *, void *, ULONG, int);
typedef NTSTATUS NTAPI ft_nt_create_user_process(HANDLE *, HANDLE *, ACCESS_MASK, ACCESS_MASK,
                                                 OBJECT_ATTRIBUTES *, OBJECT_ATTRIBUTES *, ULONG,
                                                 ULONG, struct ft_process_parameters *, void *,
                                                 struct ft_process_attributes *);
typedef NTSTATUS NTAPI ft_nt_query_object(HANDLE, int, void *, ULONG, ULONG *);
typedef NTSTATUS NTAPI ft_nt_resume_thread(HANDLE, ULONG *);
typedef NTSTATUS NTAPI ft_nt_delay_execution(BOOLEAN, const LARGE_INTEGER *);
typedef NTSTATUS NTAPI ft_nt_read_memory(HANDLE, const void *, void *, SIZE_T, SIZE_T *);
typedef NTSTATUS NTAPI ft_nt_query_process(HANDLE, int, void *, ULONG, ULONG *);
typedef NTSTATUS NTAPI ft_nt_query_volume(HANDLE, IO_STATUS_BLOCK *, void *, ULONG, int);
typedef NTSTATUS NTAPI ft_nt_open_token(HANDLE, ACCESS_MASK, HANDLE *);
typedef NTSTATUS NTAPI ft_nt_query_token(HANDLE, int, void *, ULONG, ULONG *);
typedef NTSTATUS NTAPI ft_ldr_register(ULONG,
                                       void NTAPI(ULONG, const struct ft_module_event *, void *),
                                       void *, void **);

#endif
