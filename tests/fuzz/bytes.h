// What a fuzzer gives, byte by byte; zeros when it is used up.

#ifndef ESKER_FUZZ_BYTES_H
#define ESKER_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>

typedef struct Bytes {
    const uint8_t *at;
    size_t left;
} Bytes;

static inline unsigned byte(Bytes *bytes) {
    if (bytes->left == 0)
        return 0;
    bytes->left--;
    return *bytes->at++;
}

#endif
