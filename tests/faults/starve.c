// LD_PRELOAD=starve.so STARVE=N PROGRAM …: the N-th allocation of libseccomp fails, as where memory runs out.

#define _GNU_SOURCE // dladdr
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static long left;

__attribute__((constructor)) static void begin(void) {
    const char *number = getenv("STARVE");
    left = number ? strtol(number, NULL, 10) : 0;
}

static bool fails(const void *caller) {
    Dl_info info;
    if (left <= 0 || !dladdr(caller, &info) || !info.dli_fname || !strstr(info.dli_fname, "libseccomp") ||
        --left > 0)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}
