// A cache of windows, in tiles of a level, for lands that differ by their edits. A level has one version for
// all of them that have the same edits there. Above a limit of bytes the least recently used tiles are freed.
// Thread safe: each function takes the lock, and tiles stay while they are copied.

#ifndef ESKER_TILES_H
#define ESKER_TILES_H

#include "land/land.h"

#include <stdbool.h>

enum { TILE_SIDE = 8 };

typedef struct Tiles Tiles;

Tiles *tiles_new(size_t bytes, bool watered, Error *error);
void tiles_drop(Tiles *tiles); // all of them; nothing may read any
void tiles_free(Tiles *tiles); // NULL is allowed
void tiles_limit(Tiles *tiles, size_t bytes);
uint32_t tiles_new_version(Tiles *tiles); // which no land has had

// Tiles of a level; the last ones are included.
typedef struct TileRect {
    Int128 left, top, right, bottom;
} TileRect;

static inline TileRect tiles_around(const LandWindow *window) {
    return (TileRect){ window->x / TILE_SIDE, window->y / TILE_SIDE,
                       (window->x + window->width - 1) / TILE_SIDE,
                       (window->y + window->height - 1) / TILE_SIDE };
}

// Tiles of one level that a thread makes. Others that want them wait, or make other tiles meanwhile. Threads
// that hold a claim make claims of coarser levels only: so none waits for one that waits for it.
typedef struct TileClaim TileClaim;

struct TileClaim {
    int level, count;
    uint32_t version;
    TileRect wanted[CUBE_FACES]; // what is read; empty ones are allowed: right < left
    TileRect rects[CUBE_FACES];  // what of it is missing
    size_t kept;                 // tiles_kept, before they were read
    TileClaim *next;
};

// How many tiles that the claim wants are cached.
size_t tiles_kept(Tiles *tiles, const TileClaim *claim);

// Claims the missing tiles, or those of them that no other thread makes, for which it may have to wait.
// `claimed` is false if others have made some of the tiles since they were read: read again. A claim stays
// where it is until it is given back.
Status tiles_claim(Tiles *tiles, const Run *run, TileClaim *claim, bool *claimed);
void tiles_unclaim(Tiles *tiles, TileClaim *claim);

// Claims `larger` in place of the first rectangle, which it contains, unless others make some of it.
void tiles_claim_more(Tiles *tiles, TileClaim *claim, const TileRect *larger);

// Copies the parts of the window that cached tiles of its level cover. `based`: whether the window has a
// base; otherwise it gets the first tile's. `missing`: the bounding rectangle of the other tiles; its right
// is left of its left if there are none.
Status tiles_read(Tiles *tiles, const Run *run, const TileRect *wanted, LandWindow *window, bool *based,
                  TileRect *missing, Error *error);

// Caches the tiles that lie fully in a rectangle of a window's cells. Running out of memory is not an error:
// tiles are skipped.
void tiles_keep(Tiles *tiles, const Run *run, const LandWindow *window, const LandRect *cells,
                Int128 grid_width, Int128 grid_height);

// Counts the cached tiles of a window's place, and so many around it, as used now.
void tiles_use(Tiles *tiles, const LandWindow *window, int around);

static inline LandRect cells_of_window(const LandWindow *window) {
    return (LandRect){ window->x, window->y, window->x + window->width, window->y + window->height };
}

// Copies the overlap of `from` into a window of the same level, which must have a base.
void window_copy(const LandWindow *from, LandWindow *window);

// The same for what lies in a rectangle of cells.
void window_copy_part(const LandWindow *from, const LandRect *rect, LandWindow *window);

#endif
