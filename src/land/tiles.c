#include "land/tiles.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"

#include <pthread.h>
#include <string.h>

enum { TILE_CELLS = TILE_SIDE * TILE_SIDE, CHAINS = 1 << 15 };

typedef struct Tile Tile;

struct Tile {
    Int128 x, y; // in tiles
    LandWindow window;
    Tile *chained;       // the next with the same hash
    Tile *newer, *older; // by last use
    int readers;         // that copy it: it stays
    int32_t altitude[TILE_CELLS];
    float area[TILE_CELLS];
    uint8_t receiver[TILE_CELLS];
};

struct Tiles {
    pthread_mutex_t mutex;
    size_t bytes, limit;
    Tile *newest, *oldest;
    Tile *chains[CHAINS];
};

Tiles *tiles_new(size_t bytes, Error *error) {
    Tiles *tiles = memory_new_zeroed(1, sizeof *tiles, error);
    if (!tiles)
        return NULL;
    pthread_mutex_init(&tiles->mutex, NULL);
    tiles->limit = bytes;
    return tiles;
}

static Tile **chain_of(Tiles *tiles, int level, Int128 x, Int128 y) {
    uint64_t bits = mix64((uint64_t)x + ((uint64_t)level << 56));
    bits = mix64(bits ^ (uint64_t)y) ^ mix64((uint64_t)(x >> 64) * 3 + (uint64_t)(y >> 64));
    return &tiles->chains[bits % CHAINS];
}

static Tile *find(Tiles *tiles, int level, Int128 x, Int128 y) {
    Tile *tile = *chain_of(tiles, level, x, y);
    while (tile && (tile->window.level != level || tile->x != x || tile->y != y))
        tile = tile->chained;
    return tile;
}

// --- order of use -----------------------------------------------------------------------------------------

static void take_out(Tiles *tiles, const Tile *tile) {
    *(tile->newer ? &tile->newer->older : &tiles->newest) = tile->older;
    *(tile->older ? &tile->older->newer : &tiles->oldest) = tile->newer;
}

static void put_first(Tiles *tiles, Tile *tile) {
    tile->newer = NULL;
    tile->older = tiles->newest;
    *(tiles->newest ? &tiles->newest->newer : &tiles->oldest) = tile;
    tiles->newest = tile;
}

static void throw_oldest(Tiles *tiles) {
    Tile *tile = tiles->oldest;
    Tile **link = chain_of(tiles, tile->window.level, tile->x, tile->y);
    while (*link != tile)
        link = &(*link)->chained;
    *link = tile->chained;
    take_out(tiles, tile);
    memory_free(tile);
    tiles->bytes -= sizeof *tile;
}

static void throw_beyond(Tiles *tiles, size_t bytes) {
    while (tiles->oldest && tiles->oldest->readers == 0 && tiles->bytes > bytes)
        throw_oldest(tiles);
}

void tiles_limit(Tiles *tiles, size_t bytes) {
    pthread_mutex_lock(&tiles->mutex);
    tiles->limit = bytes;
    throw_beyond(tiles, bytes);
    pthread_mutex_unlock(&tiles->mutex);
}

void tiles_free(Tiles *tiles) {
    if (!tiles)
        return;
    throw_beyond(tiles, 0);
    pthread_mutex_destroy(&tiles->mutex);
    memory_free(tiles);
}

// --- copying ----------------------------------------------------------------------------------------------

static Int128 larger(Int128 a, Int128 b) {
    return a > b ? a : b;
}

static Int128 smaller(Int128 a, Int128 b) {
    return a < b ? a : b;
}

void window_copy(const LandWindow *from, LandWindow *window) {
    const Int128 left = larger(from->x, window->x), top = larger(from->y, window->y);
    const int width = (int)(smaller(from->x + from->width, window->x + window->width) - left),
              height = (int)(smaller(from->y + from->height, window->y + window->height) - top);
    const uint32_t shift = (uint32_t)(from->base - window->base);
    for (int y = 0; y < height && width > 0; y++) {
        const size_t source = (size_t)(top + y - from->y) * (size_t)from->width + (size_t)(left - from->x),
                     target =
                         (size_t)(top + y - window->y) * (size_t)window->width + (size_t)(left - window->x);
        for (int x = 0; x < width; x++)
            window->altitude[target + (size_t)x] =
                (int32_t)((uint32_t)from->altitude[source + (size_t)x] + shift);
        memcpy(window->area + target, from->area + source, (size_t)width * sizeof *window->area);
        memcpy(window->receiver + target, from->receiver + source, (size_t)width);
    }
}

typedef struct Reading {
    LandWindow *window;
    int columns, rows;
    Tile **found; // row by row; NULL: not cached
} Reading;

static void include(TileRect *rect, Int128 x, Int128 y) {
    rect->left = smaller(rect->left, x);
    rect->right = larger(rect->right, x);
    rect->top = smaller(rect->top, y);
    rect->bottom = larger(rect->bottom, y);
}

// Finds the tiles, and marks them as used now, and as read.
static void find_all(Tiles *tiles, const Reading *reading, const TileRect *wanted, bool *based,
                     TileRect *missing) {
    LandWindow *window = reading->window;
    Tile **found = reading->found;
    *missing = (TileRect){ wanted->right + 1, wanted->bottom + 1, wanted->left - 1, wanted->top - 1 };
    pthread_mutex_lock(&tiles->mutex);
    for (Int128 y = wanted->top; y <= wanted->bottom; y++)
        for (Int128 x = wanted->left; x <= wanted->right; x++) {
            Tile *tile = *found++ = find(tiles, window->level, x, y);
            if (!tile) {
                include(missing, x, y);
                continue;
            }
            take_out(tiles, tile);
            put_first(tiles, tile);
            tile->readers++;
            if (!*based)
                window->base = tile->window.base;
            *based = true;
        }
    pthread_mutex_unlock(&tiles->mutex);
}

static void copy_rows(void *context, int first, int end) {
    const Reading *reading = context;
    for (int i = first * reading->columns; i < end * reading->columns; i++)
        if (reading->found[i])
            window_copy(&reading->found[i]->window, reading->window);
}

static void let_go(Tiles *tiles, const Reading *reading) {
    pthread_mutex_lock(&tiles->mutex);
    for (int i = 0; i < reading->columns * reading->rows; i++)
        if (reading->found[i])
            reading->found[i]->readers--;
    throw_beyond(tiles, tiles->limit);
    pthread_mutex_unlock(&tiles->mutex);
}

Status tiles_read(Tiles *tiles, const Run *run, const TileRect *wanted, LandWindow *window, bool *based,
                  TileRect *missing, Error *error) {
    Reading reading = { window, (int)(wanted->right - wanted->left) + 1,
                        (int)(wanted->bottom - wanted->top) + 1, NULL };
    reading.found = memory_new((size_t)reading.columns * (size_t)reading.rows, sizeof *reading.found, error);
    if (!reading.found)
        return STATUS_MEMORY;
    find_all(tiles, &reading, wanted, based, missing);
    const Status status = parallel_rows(run, reading.rows, reading.columns * 300.0, copy_rows, &reading);
    let_go(tiles, &reading);
    memory_free(reading.found);
    return status;
}

static Tile *tile_from(const LandWindow *window, Int128 x, Int128 y, int width, int height) {
    Error error;
    Tile *tile = memory_new(1, sizeof *tile, &error);
    if (!tile)
        return NULL;
    tile->x = x;
    tile->y = y;
    tile->readers = 0;
    tile->window = (LandWindow){ .x = x * TILE_SIDE,
                                 .y = y * TILE_SIDE,
                                 .width = width,
                                 .height = height,
                                 .level = window->level,
                                 .base = window->base,
                                 .altitude = tile->altitude,
                                 .area = tile->area,
                                 .receiver = tile->receiver };
    window_copy(window, &tile->window);
    return tile;
}

static void keep(Tiles *tiles, Tile *tile) {
    pthread_mutex_lock(&tiles->mutex);
    if (find(tiles, tile->window.level, tile->x, tile->y)) { // another thread was quicker
        memory_free(tile);
    } else {
        Tile **chain = chain_of(tiles, tile->window.level, tile->x, tile->y);
        tile->chained = *chain;
        *chain = tile;
        put_first(tiles, tile);
        tiles->bytes += sizeof *tile;
        throw_beyond(tiles, tiles->limit);
    }
    pthread_mutex_unlock(&tiles->mutex);
}

void tiles_keep(Tiles *tiles, const LandWindow *window, Int128 grid_width, Int128 grid_height) {
    const Int128 right = window->x + window->width, bottom = window->y + window->height;
    for (Int128 y = window->y / TILE_SIDE; y * TILE_SIDE < bottom; y++)
        for (Int128 x = window->x / TILE_SIDE; x * TILE_SIDE < right; x++) {
            const int width = (int)smaller(TILE_SIDE, grid_width - x * TILE_SIDE),
                      height = (int)smaller(TILE_SIDE, grid_height - y * TILE_SIDE);
            const bool whole = x * TILE_SIDE >= window->x && y * TILE_SIDE >= window->y &&
                               x * TILE_SIDE + width <= right && y * TILE_SIDE + height <= bottom;
            Tile *tile = whole ? tile_from(window, x, y, width, height) : NULL;
            if (tile)
                keep(tiles, tile);
        }
}
