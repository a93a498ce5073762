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

const char *nearest_name(const char *name, const char *const *names) {
    const char *nearest = NULL;
    int least = (int)strlen(name) / 3 + 2; // longer words may have more mistakes
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
