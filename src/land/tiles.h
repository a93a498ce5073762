// The windows that a land keeps, cut into tiles of a level. Beyond a number of bytes the least recently used
// go. Threads may share them: each function takes the lock itself.

#ifndef ESKER_TILES_H
#define ESKER_TILES_H

#include "land/land.h"

#include <stdbool.h>

enum { TILE_SIDE = 16 };

typedef struct Tiles Tiles;

Tiles *tiles_new(size_t bytes, Error *error);
void tiles_free(Tiles *tiles); // NULL is allowed
void tiles_limit(Tiles *tiles, size_t bytes);

// Copies what tile (x, y) of the window's level holds of the window; false where it is not kept. `based`:
// whether the window has a base yet; it gets the tile's otherwise.
bool tiles_read(Tiles *tiles, Int128 x, Int128 y, LandWindow *window, bool *based);

// Keeps the tiles that a window holds all of. That there is no memory for one is no mistake.
void tiles_keep(Tiles *tiles, const LandWindow *window, Int128 grid_width, Int128 grid_height);

// Copies what `from` holds of a window of the same level, which has a base.
void window_copy(const LandWindow *from, LandWindow *window);

#endif
