#include "land/tiles.h"

#include "core/kernel.h"
#include "core/memory.h"
#include "core/random.h"

#include <string.h>

// Tiles that lie beside each other are kept in squares: one search and long rows serve several of them.
enum { SQUARE_TILES = 8, SQUARE_SIDE = SQUARE_TILES * TILE_SIDE, SQUARE_CELLS = SQUARE_SIDE * SQUARE_SIDE };
enum { CHAINS = 1 << 13 };

typedef struct Square Square;

struct Square {
    Int128 x, y;           // in squares
    LandWindow window;     // of all its cells; the altitudes of all its tiles have one base
    uint64_t kept, coming; // the tiles that are there, and those that are being copied, as bits
    Square *chained;       // the next with the same hash
    Square *newer, *older; // by last use
    int readers;           // that copy from it: it stays
    int32_t altitude[SQUARE_CELLS];
    float area[SQUARE_CELLS];
    uint8_t receiver[SQUARE_CELLS];
    uint16_t runoff[]; // of a watered land
};

struct Tiles {
    Monitor monitor;
    size_t bytes, limit;
    size_t square_bytes;
    uint32_t versions; // that lands have had, besides 0
    TileClaim *claims;
    Square *newest, *oldest;
    Square *chains[CHAINS];
};

static Int128 larger(Int128 a, Int128 b) {
    return a > b ? a : b;
}

static Int128 smaller(Int128 a, Int128 b) {
    return a < b ? a : b;
}

Tiles *tiles_new(size_t bytes, bool watered, Error *error) {
    Tiles *tiles = memory_new_zeroed(1, sizeof *tiles, error);
    if (!tiles)
        return NULL;
    monitor_create(&tiles->monitor);
    tiles->limit = bytes;
    tiles->square_bytes = sizeof(Square) + (watered ? SQUARE_CELLS * sizeof(uint16_t) : 0);
    return tiles;
}

static Square **chain_of(Tiles *tiles, int level, uint32_t version, Int128 x, Int128 y) {
    uint64_t bits = mix64((uint64_t)x + ((uint64_t)level << 56)) + version;
    bits = mix64(bits ^ (uint64_t)y) ^ mix64((uint64_t)(x >> 64) * 3 + (uint64_t)(y >> 64));
    return &tiles->chains[bits % CHAINS];
}

static Square *find(Tiles *tiles, int level, uint32_t version, Int128 x, Int128 y) {
    Square *square = *chain_of(tiles, level, version, x, y);
    while (square && (square->window.level != level || square->window.version != version || square->x != x ||
                      square->y != y))
        square = square->chained;
    return square;
}

// --- order of use -----------------------------------------------------------------------------------------

static void take_out(Tiles *tiles, const Square *square) {
    *(square->newer ? &square->newer->older : &tiles->newest) = square->older;
    *(square->older ? &square->older->newer : &tiles->oldest) = square->newer;
}

static void put_first(Tiles *tiles, Square *square) {
    square->newer = NULL;
    square->older = tiles->newest;
    *(tiles->newest ? &tiles->newest->newer : &tiles->oldest) = square;
    tiles->newest = square;
}

void tiles_use(Tiles *tiles, const LandWindow *window, int around) {
    const TileRect rect = tiles_around(window);
    const Int128 left = larger(rect.left - around, 0) / SQUARE_TILES,
                 top = larger(rect.top - around, 0) / SQUARE_TILES;
    pthread_mutex_lock(&tiles->monitor.mutex);
    for (Int128 y = top; y <= (rect.bottom + around) / SQUARE_TILES; y++)
        for (Int128 x = left; x <= (rect.right + around) / SQUARE_TILES; x++) {
            Square *square = find(tiles, window->level, window->version, x, y);
            if (!square)
                continue;
            take_out(tiles, square);
            put_first(tiles, square);
        }
    pthread_mutex_unlock(&tiles->monitor.mutex);
}

static void throw_oldest(Tiles *tiles) {
    Square *square = tiles->oldest;
    Square **link = chain_of(tiles, square->window.level, square->window.version, square->x, square->y);
    while (*link != square)
        link = &(*link)->chained;
    *link = square->chained;
    take_out(tiles, square);
    memory_free(square);
    tiles->bytes -= tiles->square_bytes;
}

static void throw_beyond(Tiles *tiles, size_t bytes) {
    while (tiles->oldest && tiles->oldest->readers == 0 && tiles->bytes > bytes)
        throw_oldest(tiles);
}

void tiles_limit(Tiles *tiles, size_t bytes) {
    pthread_mutex_lock(&tiles->monitor.mutex);
    tiles->limit = bytes;
    throw_beyond(tiles, bytes);
    pthread_mutex_unlock(&tiles->monitor.mutex);
}

uint32_t tiles_new_version(Tiles *tiles) {
    pthread_mutex_lock(&tiles->monitor.mutex);
    const uint32_t version = ++tiles->versions;
    pthread_mutex_unlock(&tiles->monitor.mutex);
    return version;
}

void tiles_drop(Tiles *tiles) {
    pthread_mutex_lock(&tiles->monitor.mutex);
    throw_beyond(tiles, 0);
    pthread_mutex_unlock(&tiles->monitor.mutex);
}

void tiles_free(Tiles *tiles) {
    if (!tiles)
        return;
    throw_beyond(tiles, 0);
    monitor_destroy(&tiles->monitor);
    memory_free(tiles);
}

// --- copying ----------------------------------------------------------------------------------------------

KERNEL static void shift_altitudes(const int32_t *restrict from, uint32_t shift, int count,
                                   int32_t *restrict to) {
    for (int i = 0; i < count; i++)
        to[i] = (int32_t)((uint32_t)from[i] + shift);
}

void window_copy_part(const LandWindow *from, const LandRect *rect, LandWindow *window) {
    const Int128 left = larger(larger(from->x, window->x), rect->left),
                 top = larger(larger(from->y, window->y), rect->top);
    const Int128 right = smaller(smaller(from->x + from->width, window->x + window->width), rect->right),
                 bottom = smaller(smaller(from->y + from->height, window->y + window->height), rect->bottom);
    const uint32_t shift = (uint32_t)(from->base - window->base);
    if (left >= right || top >= bottom)
        return;
    const int width = (int)(right - left), height = (int)(bottom - top);
    size_t source = (size_t)(top - from->y) * (size_t)from->width + (size_t)(left - from->x),
           target = (size_t)(top - window->y) * (size_t)window->width + (size_t)(left - window->x);
    for (int y = 0; y < height; y++) {
        if (window->altitude)
            shift_altitudes(from->altitude + source, shift, width, window->altitude + target);
        if (window->area)
            memcpy(window->area + target, from->area + source, (size_t)width * sizeof *window->area);
        if (window->receiver)
            memcpy(window->receiver + target, from->receiver + source, (size_t)width);
        if (window->runoff)
            memcpy(window->runoff + target, from->runoff + source, (size_t)width * sizeof *window->runoff);
        source += (size_t)from->width;
        target += (size_t)window->width;
    }
}

void window_copy(const LandWindow *from, LandWindow *window) {
    const LandRect all = cells_of_window(from);
    window_copy_part(from, &all, window);
}

// Copies tiles `first` … `end` - 1 of row y of a square's, out of it or into it.
static void copy_tiles(const Square *square, int y, int first, int end, const LandWindow *from,
                       LandWindow *to) {
    const Int128 left = square->window.x + first * TILE_SIDE, top = square->window.y + y * TILE_SIDE;
    const LandRect rect = { left, top, left + (end - first) * TILE_SIDE, top + TILE_SIDE };
    window_copy_part(from, &rect, to);
}

// The columns and rows of a square's tiles that lie in a rectangle of tiles.
typedef struct Within {
    int left, top, right, bottom; // the last ones are included
} Within;

static Within within_square(Int128 x, Int128 y, const TileRect *rect) {
    const Int128 x0 = x * SQUARE_TILES, y0 = y * SQUARE_TILES;
    return (Within){ (int)larger(rect->left - x0, 0), (int)larger(rect->top - y0, 0),
                     (int)smaller(rect->right - x0, SQUARE_TILES - 1),
                     (int)smaller(rect->bottom - y0, SQUARE_TILES - 1) };
}

static bool has_tile(uint64_t kept, int x, int y) {
    return kept >> (y * SQUARE_TILES + x) & 1;
}

static uint64_t tiles_within(const Square *square, const TileRect *rect) {
    const Within within = within_square(square->x, square->y, rect);
    uint64_t tiles = 0;
    for (int row = within.top; row <= within.bottom; row++)
        tiles |= ((UINT64_C(2) << within.right) - (UINT64_C(1) << within.left)) << (row * SQUARE_TILES);
    return tiles;
}

// The end of the row's tiles from `first` on that are all kept, or all not.
static int end_of_run(uint64_t kept, const Within *within, int first, int y) {
    int end = first + 1;
    while (end <= within->right && has_tile(kept, end, y) == has_tile(kept, first, y))
        end++;
    return end;
}

// --- reading ----------------------------------------------------------------------------------------------

// A square that is read, and those of its tiles that were kept when it was found. NULL: none is.
typedef struct Found {
    Square *square;
    uint64_t kept;
} Found;

typedef struct Reading {
    const TileRect *wanted;
    LandWindow *window;
    Int128 left, top;  // in squares
    int columns, rows; // of squares
    Found *found;      // row by row
} Reading;

static void include(TileRect *rect, const TileRect *tiles) {
    rect->left = smaller(rect->left, tiles->left);
    rect->top = smaller(rect->top, tiles->top);
    rect->right = larger(rect->right, tiles->right);
    rect->bottom = larger(rect->bottom, tiles->bottom);
}

// Adds the wanted tiles of a square that are not kept.
static void include_missing(const TileRect *wanted, Int128 x, Int128 y, uint64_t kept, TileRect *missing) {
    const Within within = within_square(x, y, wanted);
    const Int128 x0 = x * SQUARE_TILES, y0 = y * SQUARE_TILES;
    for (int row = within.top; row <= within.bottom; row++)
        for (int first = within.left, end; first <= within.right; first = end) {
            end = end_of_run(kept, &within, first, row);
            if (!has_tile(kept, first, row))
                include(missing, &(TileRect){ x0 + first, y0 + row, x0 + end - 1, y0 + row });
        }
}

// Finds the squares, and marks them as used now, and as read.
static void find_all(Tiles *tiles, const Reading *reading, bool *based, TileRect *missing) {
    LandWindow *window = reading->window;
    const TileRect *wanted = reading->wanted;
    Found *found = reading->found;
    *missing = (TileRect){ wanted->right + 1, wanted->bottom + 1, wanted->left - 1, wanted->top - 1 };
    pthread_mutex_lock(&tiles->monitor.mutex);
    for (Int128 y = reading->top; y < reading->top + reading->rows; y++)
        for (Int128 x = reading->left; x < reading->left + reading->columns; x++, found++) {
            Square *square = find(tiles, window->level, window->version, x, y);
            *found = (Found){ square, square ? square->kept : 0 };
            include_missing(wanted, x, y, found->kept, missing);
            if (!square)
                continue;
            take_out(tiles, square);
            put_first(tiles, square);
            square->readers++;
            if (!*based)
                window->base = square->window.base;
            *based = true;
        }
    pthread_mutex_unlock(&tiles->monitor.mutex);
}

// Other threads may add tiles to the square; they do not touch those that were found.
static void copy_found(const Reading *reading, const Found *found) {
    const Square *square = found->square;
    const Within within = within_square(square->x, square->y, reading->wanted);
    for (int row = within.top; row <= within.bottom; row++)
        for (int first = within.left, end; first <= within.right; first = end) {
            end = end_of_run(found->kept, &within, first, row);
            if (has_tile(found->kept, first, row))
                copy_tiles(square, row, first, end, &square->window, reading->window);
        }
}

static void copy_rows(void *context, int first, int end) {
    const Reading *reading = context;
    for (int i = first * reading->columns; i < end * reading->columns; i++)
        if (reading->found[i].square)
            copy_found(reading, &reading->found[i]);
}

static void let_go(Tiles *tiles, const Reading *reading) {
    pthread_mutex_lock(&tiles->monitor.mutex);
    for (int i = 0; i < reading->columns * reading->rows; i++)
        if (reading->found[i].square)
            reading->found[i].square->readers--;
    throw_beyond(tiles, tiles->limit);
    pthread_mutex_unlock(&tiles->monitor.mutex);
}

Status tiles_read(Tiles *tiles, const Run *run, const TileRect *wanted, LandWindow *window, bool *based,
                  TileRect *missing, Error *error) {
    Reading reading = { .wanted = wanted,
                        .window = window,
                        .left = wanted->left / SQUARE_TILES,
                        .top = wanted->top / SQUARE_TILES };
    reading.columns = (int)(wanted->right / SQUARE_TILES - reading.left) + 1;
    reading.rows = (int)(wanted->bottom / SQUARE_TILES - reading.top) + 1;
    reading.found = memory_new_cells(reading.columns, reading.rows, sizeof *reading.found, error);
    if (!reading.found)
        return STATUS_MEMORY;
    find_all(tiles, &reading, based, missing);
    const Status status = parallel_rows(run, reading.rows, reading.columns * 3000.0, copy_rows, &reading);
    let_go(tiles, &reading);
    memory_free(reading.found);
    return status;
}

// --- claims -----------------------------------------------------------------------------------------------

static bool is_empty(const TileRect *rect) {
    return rect->right < rect->left || rect->bottom < rect->top;
}

static bool overlap(const TileRect *a, const TileRect *b) {
    return !is_empty(a) && !is_empty(b) && a->left <= b->right && b->left <= a->right &&
           a->top <= b->bottom && b->top <= a->bottom;
}

static double count_of(const TileRect *rect) {
    return is_empty(rect) ? 0
                          : (double)(rect->right - rect->left + 1) * (double)(rect->bottom - rect->top + 1);
}

// The largest rectangle on one side of another, which overlaps it. Where that is less than half, nothing: two
// pieces cost two margins.
static TileRect beside_rect(const TileRect *rect, const TileRect *other) {
    const TileRect sides[] = { { rect->left, rect->top, other->left - 1, rect->bottom },
                               { other->right + 1, rect->top, rect->right, rect->bottom },
                               { rect->left, rect->top, rect->right, other->top - 1 },
                               { rect->left, other->bottom + 1, rect->right, rect->bottom } };
    const bool spans = (other->left <= rect->left && other->right >= rect->right) ||
                       (other->top <= rect->top && other->bottom >= rect->bottom);
    const TileRect *best = sides;
    for (int i = 1; i < 4; i++)
        if (count_of(&sides[i]) > count_of(best))
            best = &sides[i];
    return spans || 2 * count_of(best) >= count_of(rect) ? *best : (TileRect){ 1, 1, 0, 0 };
}

static bool is_same_level(const TileClaim *a, const TileClaim *b) {
    return a->level == b->level && a->version == b->version;
}

// What of a rectangle no other thread makes, or a part of it. The caller holds the lock.
static TileRect unclaimed(const Tiles *tiles, const TileClaim *own, TileRect rect) {
    for (const TileClaim *claim = tiles->claims; claim; claim = claim->next)
        for (int i = 0; i < claim->count && claim != own && is_same_level(claim, own); i++)
            if (overlap(&rect, &claim->rects[i]))
                rect = beside_rect(&rect, &claim->rects[i]);
    return rect;
}

// The parts of the claim that can be claimed; false: there are none. The caller holds the lock.
static bool find_unclaimed(const Tiles *tiles, const TileClaim *claim, TileRect parts[CUBE_FACES]) {
    double count = 0;
    for (int i = 0; i < claim->count; i++) {
        parts[i] = unclaimed(tiles, claim, claim->rects[i]);
        count += count_of(&parts[i]);
    }
    return count > 0;
}

// The caller holds the lock.
static size_t count_kept(Tiles *tiles, const TileClaim *claim) {
    size_t count = 0;
    for (int i = 0; i < claim->count; i++) {
        const TileRect *rect = &claim->wanted[i];
        for (Int128 y = rect->top / SQUARE_TILES; y <= rect->bottom / SQUARE_TILES && !is_empty(rect); y++)
            for (Int128 x = rect->left / SQUARE_TILES; x <= rect->right / SQUARE_TILES; x++) {
                const Square *square = find(tiles, claim->level, claim->version, x, y);
                const uint64_t kept = square ? square->kept & tiles_within(square, rect) : 0;
                count += (size_t)__builtin_popcountll(kept);
            }
    }
    return count;
}

size_t tiles_kept(Tiles *tiles, const TileClaim *claim) {
    pthread_mutex_lock(&tiles->monitor.mutex);
    const size_t count = count_kept(tiles, claim);
    pthread_mutex_unlock(&tiles->monitor.mutex);
    return count;
}

Status tiles_claim(Tiles *tiles, const Run *run, TileClaim *claim, bool *claimed) {
    TileRect parts[CUBE_FACES];
    Status status = STATUS_OK;
    pthread_mutex_lock(&tiles->monitor.mutex);
    while (!find_unclaimed(tiles, claim, parts) && status == STATUS_OK)
        status = monitor_wait(&tiles->monitor, run);
    *claimed = status == STATUS_OK && count_kept(tiles, claim) == claim->kept;
    if (*claimed) {
        memcpy(claim->rects, parts, (size_t)claim->count * sizeof *parts);
        claim->next = tiles->claims;
        tiles->claims = claim;
    }
    pthread_mutex_unlock(&tiles->monitor.mutex);
    return status;
}

void tiles_unclaim(Tiles *tiles, TileClaim *claim) {
    pthread_mutex_lock(&tiles->monitor.mutex);
    TileClaim **link = &tiles->claims;
    while (*link != claim)
        link = &(*link)->next;
    *link = claim->next;
    pthread_cond_broadcast(&tiles->monitor.changed);
    pthread_mutex_unlock(&tiles->monitor.mutex);
}

void tiles_claim_more(Tiles *tiles, TileClaim *claim, const TileRect *larger) {
    pthread_mutex_lock(&tiles->monitor.mutex);
    const TileRect free = unclaimed(tiles, claim, *larger);
    if (count_of(&free) == count_of(larger))
        claim->rects[0] = *larger;
    pthread_mutex_unlock(&tiles->monitor.mutex);
}

// --- keeping ----------------------------------------------------------------------------------------------

static Square *new_square(Tiles *tiles, const LandWindow *window, Int128 x, Int128 y) {
    Error error;
    Square *square = memory_new(1, tiles->square_bytes, &error);
    if (!square)
        return NULL;
    square->x = x;
    square->y = y;
    square->kept = square->coming = 0;
    square->readers = 0;
    square->window = (LandWindow){ .x = x * SQUARE_SIDE,
                                   .y = y * SQUARE_SIDE,
                                   .width = SQUARE_SIDE,
                                   .height = SQUARE_SIDE,
                                   .level = window->level,
                                   .version = window->version,
                                   .base = window->base,
                                   .altitude = square->altitude,
                                   .area = square->area,
                                   .receiver = square->receiver,
                                   .runoff = window->runoff ? square->runoff : NULL };
    Square **chain = chain_of(tiles, window->level, window->version, x, y);
    square->chained = *chain;
    *chain = square;
    put_first(tiles, square);
    tiles->bytes += tiles->square_bytes;
    return square;
}

// Squares that get tiles, and which of theirs.
typedef struct Taking {
    Square *square;
    uint64_t tiles;
} Taking;

typedef struct Keeping {
    const LandWindow *window;
    Taking *at;
} Keeping;

static void take_rows(void *context, int first, int end) {
    const Keeping *keeping = context;
    const Within all = { 0, 0, SQUARE_TILES - 1, SQUARE_TILES - 1 };
    for (int i = first; i < end; i++) {
        const Taking *taking = &keeping->at[i];
        for (int row = 0; taking->square && row < SQUARE_TILES; row++)
            for (int from = 0, to; from < SQUARE_TILES; from = to) {
                to = end_of_run(taking->tiles, &all, from, row);
                if (has_tile(taking->tiles, from, row))
                    copy_tiles(taking->square, row, from, to, keeping->window, &taking->square->window);
            }
    }
}

// Finds squares, or makes them, and the tiles that they get. They stay while they are read.
static void begin_taking(Tiles *tiles, const LandWindow *window, const TileRect *rect, Taking *taking) {
    pthread_mutex_lock(&tiles->monitor.mutex);
    for (Int128 y = rect->top / SQUARE_TILES; y <= rect->bottom / SQUARE_TILES; y++)
        for (Int128 x = rect->left / SQUARE_TILES; x <= rect->right / SQUARE_TILES; x++, taking++) {
            Square *square = find(tiles, window->level, window->version, x, y);
            square = square ? square : new_square(tiles, window, x, y);
            *taking = (Taking){ .square = square };
            if (!square)
                continue;
            taking->tiles = tiles_within(square, rect) & ~square->kept & ~square->coming;
            square->coming |= taking->tiles;
            square->readers++;
            throw_beyond(tiles, tiles->limit);
        }
    pthread_mutex_unlock(&tiles->monitor.mutex);
}

static void end_taking(Tiles *tiles, const Taking *taking, int count, bool taken) {
    pthread_mutex_lock(&tiles->monitor.mutex);
    for (int i = 0; i < count; i++) {
        Square *square = taking[i].square;
        if (!square)
            continue;
        square->coming &= ~taking[i].tiles;
        square->kept |= taken ? taking[i].tiles : 0;
        square->readers--;
    }
    throw_beyond(tiles, tiles->limit);
    pthread_mutex_unlock(&tiles->monitor.mutex);
}

// The tiles that lie fully between two cells of an axis, `cells` long, which may end within one.
static void whole_tiles(Int128 from, Int128 to, Int128 cells, Int128 *first, Int128 *last) {
    *first = (from + TILE_SIDE - 1) / TILE_SIDE;
    *last = (to >= cells ? cells + TILE_SIDE - 1 : to) / TILE_SIDE - 1;
}

void tiles_keep(Tiles *tiles, const Run *run, const LandWindow *window, const LandRect *cells,
                Int128 grid_width, Int128 grid_height) {
    TileRect rect;
    whole_tiles(cells->left, cells->right, grid_width, &rect.left, &rect.right);
    whole_tiles(cells->top, cells->bottom, grid_height, &rect.top, &rect.bottom);
    if (rect.left > rect.right || rect.top > rect.bottom)
        return;
    const int columns = (int)(rect.right / SQUARE_TILES - rect.left / SQUARE_TILES) + 1,
              count = columns * ((int)(rect.bottom / SQUARE_TILES - rect.top / SQUARE_TILES) + 1);
    Error error;
    Keeping keeping = { window, memory_new((size_t)count, sizeof *keeping.at, &error) };
    if (!keeping.at)
        return;
    begin_taking(tiles, window, &rect, keeping.at);
    const Status status = parallel_rows(run, count, 5000, take_rows, &keeping);
    end_taking(tiles, keeping.at, count, status == STATUS_OK);
    memory_free(keeping.at);
}
