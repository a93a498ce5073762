#include "rivermap/rules.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>

Scales fixed_scales(const Constants *constants, double length) {
    return (Scales){ .k3 = whole_64((double)constants->k3 * FIXED_UNITS),
                     .k4 = whole_64((double)constants->k4 * FIXED_UNITS),
                     .k7 = whole_64((double)constants->k7 * FIXED_UNITS),
                     .lowest = -whole_64(FIXED_UNITS),
                     .highest = whole_64(FIXED_UNITS),
                     .length = (float)length };
}

#define RULE
#include "rivermap/rules_text.h"
