// Lakes of level 0 from which more evaporates than comes in. Such a lake has no outflow: its water stands
// where what it evaporates is what it gets, and the bed around lies dry.

#include "land/salt_lakes.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "land/edits.h"
#include "land/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NO_LAKE = -1, BEYOND = 2 }; // cells around a lake that finer levels may give to it

// The outlet of the lake that a cell belongs to. Outlets are streams.
static int outlet_of(const Land *land, int cell) {
    while (land->root.receiver[cell] == LAND_LAKE)
        cell = land->target[cell];
    return cell;
}

// --- how much water stays ----------------------------------------------------------------------------------

typedef struct Balances {
    int *lake;   // of each cell of level 0 its lake's outlet, which is the lake's, too
    double *in;  // at outlets: what comes into the lake,
    double *out; // and what it would evaporate, less the rain on it
} Balances;

static void balance(const Land *land, const double *local, const double *water, Balances *balances) {
    const size_t count = (size_t)land->root.width * (size_t)land->root.height;
    int *lake = balances->lake;
    for (size_t i = 0; i < count; i++)
        lake[i] = NO_LAKE;
    for (size_t i = 0; i < count; i++)
        if (land->root.receiver[i] == LAND_LAKE) {
            const int outlet = outlet_of(land, (int)i);
            lake[i] = lake[outlet] = outlet;
            balances->out[outlet] -= local[i];
        }
    for (size_t i = 0; i < count; i++) {
        const int target = land->root.receiver[i] < NEIGHBOURS ? land->target[i] : NO_LAKE;
        if (lake[i] == NO_LAKE && target != NO_LAKE && lake[target] != NO_LAKE)
            balances->in[lake[target]] += water[i];
    }
}

Status land_find_salt_lakes(Land *land, const double *local, const double *water, Error *error) {
    const size_t count = (size_t)land->root.width * (size_t)land->root.height;
    memory_free(land->lake_shares);
    memory_free(land->lake_falls);
    land->lake_shares = land->lake_falls = NULL;
    if (!memchr(land->root.receiver, LAND_LAKE, count))
        return STATUS_OK;
    Balances balances = { .lake = memory_new(count, sizeof(int), error) };
    if (balances.lake)
        balances.in = memory_new_zeroed(2 * count, sizeof(double), error);
    float *shares = balances.in ? memory_new(count, sizeof *shares, error) : NULL;
    bool any = false;
    if (shares) {
        balances.out = balances.in + count;
        balance(land, local, water, &balances);
        for (size_t i = 0; i < count; i++) {
            const int lake = balances.lake[i];
            const bool dries = lake != NO_LAKE && balances.out[lake] > balances.in[lake];
            shares[i] = dries ? (float)(balances.in[lake] / balances.out[lake]) : 1;
            any = any || dries;
        }
    }
    memory_free(balances.lake);
    memory_free(balances.in);
    land->lake_shares = any ? shares : NULL;
    if (!any)
        memory_free(shares);
    return shares ? STATUS_OK : STATUS_MEMORY;
}

bool land_has_salt_lakes(const Land *land) {
    return land->lake_shares;
}

// --- how far it falls --------------------------------------------------------------------------------------

// A place of a lake's bed. Its cells are too few, and their noise too strong, for one depth each.
typedef struct Bed {
    int lake, place; // its outlet, and the number of the place
    float depth;
} Bed;

enum { SIDE = 1 << LAKE_SPOT_BITS, EACH = 2, SPOTS = (SIDE / EACH) * (SIDE / EACH) }; // of a cell

// Lake by lake, from the deepest place on.
static int compare_beds(const void *a, const void *b) {
    const Bed *one = a, *other = b;
    return one->lake != other->lake     ? (one->lake > other->lake) - (one->lake < other->lake)
           : one->depth != other->depth ? (one->depth < other->depth) - (one->depth > other->depth)
                                        : (one->place > other->place) - (one->place < other->place);
}

static bool is_lowered(const Land *land, size_t cell) {
    return land->root.receiver[cell] == LAND_LAKE && land->lake_shares[cell] < 1;
}

static Bed *list_beds(const Land *land, LakeDepth *depth, const void *context, int *count, Error *error) {
    const int width = land->root.width, rows = land->rules.planet ? width : land->root.height;
    const size_t cells = (size_t)width * (size_t)land->root.height;
    size_t lowered = 0;
    for (size_t i = 0; i < cells; i++)
        lowered += is_lowered(land, i);
    Bed *beds = memory_new(max(lowered, 1) * SPOTS, sizeof *beds, error);
    *count = 0;
    for (size_t i = 0; i < cells && beds; i++) {
        if (!is_lowered(land, i))
            continue;
        const int x = (int)(i % (size_t)width), y = (int)(i / (size_t)width),
                  outlet = outlet_of(land, (int)i);
        for (int spot = 0; spot < SPOTS; spot++) {
            const int across = x * SIDE + spot % (SIDE / EACH) * EACH + EACH / 2,
                      down = y % rows * SIDE + spot / (SIDE / EACH) * EACH + EACH / 2;
            beds[*count] = (Bed){ outlet, *count, depth(context, y / rows, across, down) };
            ++*count;
        }
    }
    return beds;
}

// Sets the fall at its outlet.
static void lower_lake(const Land *land, const Bed *beds, int count) {
    const int wet = whole_int(floorf(land->lake_shares[beds->lake] * (float)count + 0.5f));
    land->lake_falls[beds->lake] = wet >= count ? 0 : wet > 0 ? beds[wet].depth : INFINITY;
}

// The cell beside one; false: there is none.
static bool is_beside(const Land *land, size_t cell, int direction, size_t *beside) {
    const int width = land->root.width, rows = land->rules.planet ? width : land->root.height;
    const int y = (int)(cell / (size_t)width);
    CubeCell other = { .face = y / rows,
                       .x = (int)(cell % (size_t)width) + neighbour_x[direction],
                       .y = y % rows + neighbour_y[direction] };
    const bool inside = other.x >= 0 && other.y >= 0 && other.x < width && other.y < rows;
    if (!inside && !(land->rules.planet && cube_resolve(width, &other)))
        return false;
    *beside = (size_t)(other.face * rows + (int)other.y) * (size_t)width + (size_t)other.x;
    return true;
}

// To cells nearby what the nearest lake has: that beside them first.
static void spread_falls(const Land *land, float *spare) {
    const size_t count = (size_t)land->root.width * (size_t)land->root.height;
    float *falls = land->lake_falls;
    for (int round = 0; round < BEYOND; round++) {
        memcpy(spare, falls, count * sizeof *spare);
        for (size_t i = 0; i < count; i++)
            for (int d = 0; d < NEIGHBOURS && !(falls[i] >= 0); d++) {
                size_t beside;
                if (is_beside(land, i, d, &beside))
                    falls[i] = spare[beside];
            }
    }
}

// Cells of lakes have what their outlets got.
static void take_falls(const Land *land, float *spare) {
    const size_t count = (size_t)land->root.width * (size_t)land->root.height;
    memcpy(spare, land->lake_falls, count * sizeof *spare);
    for (size_t i = 0; i < count; i++)
        land->lake_falls[i] =
            land->root.receiver[i] == LAND_LAKE ? max(spare[outlet_of(land, (int)i)], 0) : -1; // no lake
    spread_falls(land, spare);
}

Status land_lower_lakes(Land *land, LakeDepth *depth, const void *context, Error *error) {
    const size_t count = (size_t)land->root.width * (size_t)land->root.height;
    int bed_count = 0;
    float *spare = memory_new(count, sizeof *spare, error);
    Bed *beds = spare ? list_beds(land, depth, context, &bed_count, error) : NULL;
    memory_free(land->lake_falls);
    land->lake_falls = beds ? memory_new_zeroed(count, sizeof *land->lake_falls, error) : NULL;
    if (land->lake_falls) {
        qsort(beds, (size_t)bed_count, sizeof *beds, compare_beds);
        for (int first = 0, end = 0; first < bed_count; first = end) {
            while (end < bed_count && beds[end].lake == beds[first].lake)
                end++;
            lower_lake(land, beds + first, end - first);
        }
        take_falls(land, spare);
    }
    memory_free(spare);
    memory_free(beds);
    return land->lake_falls ? STATUS_OK : STATUS_MEMORY;
}

bool land_lake_is_made(const Land *land, int level, int face, Int128 x, Int128 y) {
    const LandEdits *edits = land->rules.edits;
    const double columns = ldexp(land->root.width, level),
                 rows = ldexp(land->rules.planet ? land->root.width : land->root.height, level);
    const double across = ((double)x + 0.5) / columns, down = ((double)y + 0.5) / rows;
    bool made = false;
    for (int i = 0; edits && i < edits->count && !made; i++) {
        const EditBox *box = &edits->at[i].on[face];
        made = across >= box->left && across <= box->right && down >= box->top && down <= box->bottom;
    }
    return made;
}

float land_lake_fall(const Land *land, int level, int face, Int128 x, Int128 y) {
    const size_t width = (size_t)land->root.width;
    const size_t column = (size_t)(x >> level), row = (size_t)face * width + (size_t)(y >> level);
    return land->lake_falls ? land->lake_falls[row * width + column] : -1;
}
