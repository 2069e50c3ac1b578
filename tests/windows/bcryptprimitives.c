/* Wine 8 lacks this DLL, of which Rust's standard library wants one function: random bytes, for the
   keys of its hash tables. Windows itself, and Wine from version 9 on, have it.
   Only a scaffold of the tests: nothing of it is in the program. */

#include <windows.h>

/* RtlGenRandom goes by this name in advapi32. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG len);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T len)
{
    const SIZE_T most = 1 << 20;

    while (len) {
        ULONG piece = (ULONG)(len < most ? len : most);
        if (!SystemFunction036(data, piece))
            return FALSE;
        data += piece;
        len -= piece;
    }
    return TRUE;
}
