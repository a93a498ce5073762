#include "core/error.h"

#include "core/math.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Status fail(Error *error, Status status, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

void tell(Error *notice, const char *format, ...) {
    if (!notice)
        return;
    const size_t used = strlen(notice->text), room = sizeof notice->text - used;
    const int joint = used ? snprintf(notice->text + used, room, "; ") : 0;
    if ((size_t)joint >= room)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(notice->text + used + joint, room - (size_t)joint, format, arguments);
    va_end(arguments);
}

Digits digits_of(double number) {
    Digits digits = { "nan" }; // without a sign
    for (int count = 10; count <= 17 && strtod(digits.text, NULL) != number && number == number; count++)
        snprintf(digits.text, sizeof digits.text, "%.*g", count, number);
    return digits;
}

// --- suggestions -------------------------------------------------------------------------------------------

// Edit distance in which swapping adjacent letters counts as one edit (optimal string alignment).
static int distance(const char *a, const char *b) {
    enum { LONGEST = 40 };
    const int rows = (int)strlen(a), columns = (int)strlen(b);
    if (rows > LONGEST || columns > LONGEST)
        return LONGEST;
    int table[LONGEST + 1][LONGEST + 1];
    for (int i = 0; i <= rows; i++)
        for (int j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            const int change = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            const int drop = table[i - 1][j] + 1, add = table[i][j - 1] + 1;
            int least = min(change, drop);
            least = min(least, add);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                table[i - 2][j - 2] + 1 < least)
                least = table[i - 2][j - 2] + 1;
            table[i][j] = least;
        }
    return table[rows][columns];
}

// The shortest name that begins with what was typed, of several the first in alphabetical order.
static const char *completed(const char *name, const char *const *names) {
    enum { SHORTEST = 3 };
    const char *found = NULL;
    const size_t length = strlen(name);
    for (; length >= SHORTEST && *names; names++) {
        if (strncmp(*names, name, length) != 0)
            continue;
        const int longer = found ? (int)strlen(*names) - (int)strlen(found) : -1;
        if (!found || longer < 0 || (longer == 0 && strcmp(*names, found) < 0))
            found = *names;
    }
    return found;
}

const char *nearest_name(const char *name, const char *const *names) {
    const char *nearest = completed(name, names);
    if (nearest)
        return nearest;
    // Longer words may have more mistakes: one in 2 to 5 letters, two in 6 to 9. With more, another word was
    // meant: "cave" is no "remap", "gpu" no "get".
    int least = ((int)strlen(name) + 2) / 4 + 1;
    for (; *names; names++) {
        const int found = distance(name, *names);
        if (found >= (int)strlen(name)) // every letter would change
            continue;
        const bool tie = nearest && found == least && strcmp(*names, nearest) < 0; // in any order
        if (found < least || tie)
            nearest = *names, least = found;
    }
    return nearest;
}
