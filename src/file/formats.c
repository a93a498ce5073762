#include "file/formats.h"

#include "core/kernel.h"
#include "core/whole.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// --- heights as integers -----------------------------------------------------------------------------------

// Conversion between heights and integers. Halves are rounded up; a height read from a file of the same
// scale converts back to the same integer.

static int top(Scale scale) {
    if (scale.most > 0)
        return scale.most;
    return scale.bits == 8 ? 255 : 65535;
}

KERNEL_INLINE unsigned quantize(float height, double low, double per_step, int most) {
    return (unsigned)whole_within(((double)height - low) * per_step + 0.5, 0, most);
}

void quantize_row(const Field *field, int y, Scale scale, unsigned char *bytes) {
    const float *row = field_row(field, y);
    const int most = top(scale);
    const double per_step = most / (scale.high - scale.low);
    for (int x = 0; x < field->width; x++) {
        const unsigned value = quantize(row[x], scale.low, per_step, most);
        if (scale.bits == 8) {
            bytes[x] = (unsigned char)value;
        } else {
            bytes[2 * x] = (unsigned char)(value >> 8);
            bytes[2 * x + 1] = (unsigned char)(value & 0xff);
        }
    }
}

void dequantize_row(const unsigned char *bytes, int count, Scale scale, float *heights, int step) {
    const double most = top(scale), range = scale.high - scale.low;
    for (int x = 0; x < count; x++) {
        const int value = scale.bits == 8 ? bytes[x] : bytes[2 * x] << 8 | bytes[2 * x + 1];
        heights[(size_t)x * (size_t)step] = (float)(scale.low + range * (value / most));
    }
}

void reading_scale(const Reading *reading, const char *low, const char *high, Scale *scale) {
    const double lowest = low ? strtod(low, NULL) : 0, highest = high ? strtod(high, NULL) : 0;
    if (!reading->given && highest > lowest && lowest >= -(double)FLT_MAX && highest <= (double)FLT_MAX) {
        scale->low = lowest;
        scale->high = highest;
    }
}

Status refuse_pixels(const Reading *reading, double width, double height, Error *error) {
    if (width >= 1 && height >= 1 && width <= SIDE_MAX && height <= SIDE_MAX &&
        width * height <= reading->max_pixels)
        return STATUS_OK;
    if (width > SIDE_MAX || height > SIDE_MAX)
        return fail(error, STATUS_FILE,
                    "cannot read '%.300s': its size is %.0f × %.0f pixels; sides of 1 to %d are allowed",
                    reading->path, width, height, SIDE_MAX);
    return fail(
        error, STATUS_FILE,
        "cannot read '%.300s': its size is %.0f × %.0f pixels; 1 to %.0f are allowed (argument max_pixels)",
        reading->path, width, height, reading->max_pixels);
}

// --- numbers as bytes --------------------------------------------------------------------------------------

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

void floats_get(const unsigned char *bytes, NumberKind kind, size_t count, float *numbers) {
    const size_t size = (size_t)kind.bytes;
    if (kind.kind != 'f' || size != 4 || kind.is_big) {
        for (size_t i = 0; i < count; i++)
            numbers[i] = (float)number_get(bytes + i * size, kind);
        return;
    }
    for (size_t i = 0; i < count; i++) { // one load on most machines
        const unsigned char *at = bytes + 4 * i;
        const uint32_t bits = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        memcpy(&numbers[i], &bits, sizeof bits);
    }
}
