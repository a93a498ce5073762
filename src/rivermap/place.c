#include "rivermap/place.h"

#include "core/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int hexadecimal_value(char digit) {
    return digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10;
}

// `digits` are those after 0x.
static Int128 place_from_hexadecimal(const char *digits) {
    const char *power = digits + strcspn(digits, "pP"),
               *point = memchr(digits, '.', (size_t)(power - digits));
    const int64_t far = (int64_t)1 << 40; // more digits than a text has
    const int64_t exponent = *power ? strtoll(power + 1, NULL, 10) : 0;
    int64_t shift = PLACE_BITS + min(max(exponent, -far), far) + 4 * ((point ? point : power) - digits);
    Int128 place = 0;
    for (const char *digit = digits; digit < power; digit++) {
        if (digit == point)
            continue;
        shift -= 4;
        const Int128 value = hexadecimal_value(*digit);
        if (value > 0) // no digit is worth more than 1: the number was checked
            place += shift >= 0 ? value << shift : shift > -4 ? value >> -shift : 0;
    }
    return place;
}

Int128 place_from_decimal(Decimal decimal) {
    const Int128 one = (Int128)1 << PLACE_BITS;
    if (!decimal.text) {
        int exponent;
        const Int128 digits = whole_128(ldexp(frexp(decimal.number, &exponent), 53));
        const int shift = PLACE_BITS - 53 + exponent;
        return shift >= 0 ? digits << shift : shift > -64 ? digits >> -shift : 0;
    }
    const char *prefix = strpbrk(decimal.text, "xX");
    if (prefix)
        return place_from_hexadecimal(prefix + 1);
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
