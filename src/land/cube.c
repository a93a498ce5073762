#include "land/cube.h"

// For each face, in the order of edges: the adjacent face, and the quarter turns of directions across the
// edge.
static const unsigned char across[CUBE_FACES][CUBE_EDGES] = {
    { 1, 5, 3, 4 }, { 2, 5, 0, 4 }, { 3, 5, 1, 4 }, { 0, 5, 2, 4 }, { 1, 0, 3, 2 }, { 1, 2, 3, 0 }
};
static const unsigned char turns[CUBE_FACES][CUBE_EDGES] = { { 0, 0, 0, 0 }, { 0, 1, 0, 3 }, { 0, 2, 0, 2 },
                                                             { 0, 3, 0, 1 }, { 1, 0, 3, 2 }, { 3, 2, 1, 0 } };

bool cube_resolve(Int128 side, CubeCell *cell) {
    const bool beside = cell->x < 0 || cell->x >= side, above = cell->y < 0 || cell->y >= side;
    if (!beside && !above)
        return true;
    if (beside && above)
        return false;
    const int edge = beside ? (cell->x < 0 ? 2 : 0) : (cell->y < 0 ? 3 : 1);
    const int turn = turns[cell->face][edge];
    Int128 x = cell->x + (edge == 2   ? side
                          : edge == 0 ? -side
                                      : 0),
           y = cell->y + (edge == 3   ? side
                          : edge == 1 ? -side
                                      : 0);
    for (int i = 0; i < turn; i++) { // clockwise around the middle: (x, y) → (-y, x)
        const Int128 old = x;
        x = side - 1 - y;
        y = old;
    }
    *cell = (CubeCell){ across[cell->face][edge], x, y, (cell->turn + turn) & 3 };
    return true;
}
