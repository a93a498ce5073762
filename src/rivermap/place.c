#include "rivermap/place.h"

#include <math.h>
#include <string.h>

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
