#include "core/nearest_name.h"

#include "core/math.h"

#include <stdbool.h>
#include <string.h>

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
