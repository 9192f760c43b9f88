/* SPDX-License-Identifier: MIT */
/* bcryptprimitives.dll as far as Go programs need it: wine has it from version 9 on. Put into the
 * prefix of wine by the test that runs one; never on Windows. */
#include <windows.h>

/* advapi32's RtlGenRandom() has this name. */
BOOLEAN NTAPI SystemFunction036(void *out, ULONG size_bytes);
__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *out, SIZE_T size_bytes);

BOOL WINAPI ProcessPrng(BYTE *out, SIZE_T size_bytes)
{
    while (size_bytes) {
        ULONG part = size_bytes < 65536 ? (ULONG)size_bytes : 65536u;
        if (!SystemFunction036(out, part))
            return FALSE;
        out += part;
        size_bytes -= part;
    }
    return TRUE;
}
