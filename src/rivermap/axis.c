#include "rivermap/axis.h"

#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

enum { BEYOND = 3 }; // cells

Int128 place_from_decimal(Decimal decimal) {
    const Int128 one = (Int128)1 << PLACE_BITS;
    if (!decimal.text) {
        int exponent;
        const Int128 digits = whole_128(ldexp(frexp(decimal.number, &exponent), 53));
        const int shift = PLACE_BITS - 53 + exponent;
        return shift >= 0 ? digits << shift : shift > -64 ? digits >> -shift : 0;
    }
    const char *point = strchr(decimal.text, '.');
    Int128 place = 0;
    const char *end = decimal.text + strlen(decimal.text), *whole_end = point ? point : end;
    for (const char *digit = end - 1; digit > whole_end; digit--)
        place = (place + (*digit - '0') * one) / 10;
    for (const char *digit = decimal.text; digit < whole_end; digit++)
        place += *digit == '1' ? one : 0; // the whole part is 0 or 1: the number was checked
    return place;
}

PlaceDigits place_digits(Int128 place, Int128 apart, bool up) {
    const Int128 one = (Int128)1 << PLACE_BITS;
    Int128 step = one; // of the last digit
    int count = 0;
    for (; step > apart && count < 36; count++)
        step /= 10;
    place += up ? step - 1 : 0;
    if (place >= one)
        return (PlaceDigits){ "1" };
    PlaceDigits digits = { "0." };
    for (int i = 0; i < count; i++) {
        place = (place % one) * 10;
        digits.text[2 + i] = (char)('0' + (int)(place / one));
    }
    while (count >= 0 && strchr("0.", digits.text[1 + count]))
        digits.text[1 + count--] = 0;
    return digits;
}

int log2_below(double number) {
    int exponent;
    frexp(number, &exponent);
    return exponent - 1;
}

int log2_above(double number) {
    int exponent;
    return frexp(number, &exponent) == 0.5 ? exponent - 1 : exponent;
}

double pixel_centre(Int128 centre, Int128 pixel, int pixels, int i) {
    const Int128 place = centre + (2 * (Int128)i + 1 - pixels) * pixel / 2;
    return ldexp((double)place, -PLACE_BITS);
}

Status axis_create(Axis *axis, int pixels, Int128 centre, Int128 pixel, int depth, Error *error) {
    const int shift = PLACE_BITS - depth;
    const Int128 last_cell = ((Int128)1 << depth) - 1, origin = centre - pixel * pixels / 2;
    Int128 first = origin >> shift, last = (origin + pixel * pixels - 1) >> shift;
    first -= BEYOND;
    last += BEYOND;
    first = first < 0 ? 0 : first > last_cell ? last_cell : first;
    last = last < first ? first : last > last_cell ? last_cell : last;
    *axis = (Axis){ .first_cell = first, .pixels = pixels, .cell_count = (int)(last - first) + 1 };
    axis->cells = memory_new((size_t)pixels, sizeof *axis->cells, error);
    axis->fractions = axis->cells ? memory_new((size_t)pixels, sizeof *axis->fractions, error) : NULL;
    axis->pixel_of =
        axis->fractions ? memory_new((size_t)axis->cell_count, sizeof *axis->pixel_of, error) : NULL;
    if (!axis->pixel_of)
        return STATUS_MEMORY;
    for (int i = 0; i < pixels; i++) {
        const Int128 place = centre + (2 * (Int128)i + 1 - pixels) * pixel / 2;
        Int128 cell = (place >> shift) - first;
        cell = cell < 0 ? 0 : cell >= axis->cell_count ? axis->cell_count - 1 : cell;
        const Int128 inside = place - ((first + cell) << shift);
        const double fraction = (double)(inside >> (shift - 16)) * 0x1p-16;
        axis->cells[i] = (int)cell;
        axis->fractions[i] = (float)(fraction < 0 ? 0 : fraction > 1 ? 1 : fraction);
    }
    for (int i = 0; i < axis->cell_count; i++) {
        const Int128 middle = ((2 * (first + i) + 1) << shift) / 2;
        axis->pixel_of[i] =
            middle >= origin ? (int)((middle - origin) / pixel) : -1 - (int)((origin - middle) / pixel);
    }
    return STATUS_OK;
}

void axis_free(Axis *axis) {
    memory_free(axis->cells);
    memory_free(axis->fractions);
    memory_free(axis->pixel_of);
}

int axis_first_pixel(const Axis *axis, int cell) {
    int low = 0, high = axis->pixels;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (axis->cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
