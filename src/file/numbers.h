// Numbers as other programs store them: integers and floats of 1 to 8 bytes, in either byte order.

#ifndef ESKER_NUMBERS_H
#define ESKER_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct NumberKind {
    char kind;   // 'f', 'i' or 'u', as numpy has it
    int bytes;   // 1, 2, 4 or 8; of floats 4 or 8
    bool is_big; // the highest byte first
} NumberKind;

double number_get(const unsigned char *bytes, NumberKind kind);

// A float of four bytes.
void number_put(unsigned char *bytes, float number, bool is_big);

#endif
