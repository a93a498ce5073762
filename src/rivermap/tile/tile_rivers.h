// The rivers of tiles as data: the same rivers that render draws.

#ifndef ESKER_TILE_RIVERS_H
#define ESKER_TILE_RIVERS_H

#include "rivermap/tile/tile.h"
#include "rivermap/view.h"
#include "rivers/network.h"

// How tiles are projected to a window.
typedef struct TileWindow {
    const View *view;
    double pixel;     // its side where the tiles lie
    double left, top; // of the window, in map units
    Vec3 middle;      // of the window, where the tiles lie, for `beside`

    // Where a place lies on the map, in map units.
    Vec2 (*on_map)(Vec3 at);

    // Whether a tile, with all its children, is outside the window.
    bool (*beside)(const struct TileWindow *window, const Tile *tile);
} TileWindow;

// A window's position; the rest depends on the tiling.
TileWindow tile_window(const View *view);

Status tile_rivers_add(const TileWindow *window, NetworkBuilder *builder);

#endif
