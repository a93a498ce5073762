// What the scores of terrain are made of: slope maps, and the largest area of a binary map.

#ifndef ESKER_SCORES_H
#define ESKER_SCORES_H

#include "core/field.h"
#include "core/parallel.h"

#include <stdbool.h>
#include <stdint.h>

// The slope map S: the greatest height difference between a cell and its four neighbours. `slope` has the
// size of `height` and is another field. `wraps`: whether opposite edges meet; where they do not, only the
// neighbours inside count.
Status slope_map(const Run *run, const Field *height, bool wraps, Field *slope);

// --- the largest area --------------------------------------------------------------------------------------

// Binary maps and the squares that fit into them, in time linear in the number of cells for squares of any
// size.
typedef struct BitMap {
    int width, height;
    bool wraps;     // opposite edges meet
    uint8_t *cells; // 0 or 1, row by row; owned
} BitMap;

Status bit_map_create(BitMap *map, int width, int height, bool wraps, Error *error);
void bit_map_free(BitMap *map);

// Replaces the map by the upper left corners of all squares of `side` ones. None if the square is larger
// than the map.
Status find_squares(const Run *run, const BitMap *map, int side, Error *error);

// The reverse of find_squares: replaces upper left corners by all cells that the squares cover.
Status cover_squares(const Run *run, const BitMap *map, int side, Error *error);

// Sets all cells to zero except those of the largest area; cells are connected to their four neighbours,
// across the edges of a map that wraps. Of two areas of equal size, the first row by row stays.
Status keep_largest_area(const Run *run, const BitMap *map, Error *error);

#endif
