#include "file/numbers.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// IEEE 754 binary16: a sign, 5 bits of exponent, 10 of the fraction.
static double half_of(uint64_t bits) {
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = (double)(bits & 1023), sign = bits >> 15 ? -1 : 1;
    if (exponent == 31)
        return fraction != 0 ? NAN : sign * INFINITY;
    return sign * (exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25));
}

double number_get(const unsigned char *bytes, NumberKind kind) {
    uint64_t bits = 0;
    for (int i = 0; i < kind.bytes; i++)
        bits = bits << 8 | bytes[kind.is_big ? i : kind.bytes - 1 - i];
    if (kind.kind == 'f' && kind.bytes == 8) {
        double number;
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    if (kind.kind == 'f' && kind.bytes == 2)
        return half_of(bits);
    if (kind.kind == 'f') {
        const uint32_t low = (uint32_t)bits;
        float number;
        memcpy(&number, &low, sizeof number);
        return (double)number;
    }
    const uint64_t sign = UINT64_C(1) << (8 * kind.bytes - 1);
    if (kind.kind == 'u' || !(bits & sign))
        return (double)bits;
    return -(double)(~bits & (sign - 1)) - 1;
}

void number_put(unsigned char *bytes, float number, bool is_big) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    for (int i = 0; i < 4; i++)
        bytes[is_big ? 3 - i : i] = (unsigned char)(bits >> 8 * i);
}
