// Lakes of level 0 from which more evaporates than comes in. Such a lake has no outflow: its water stands
// where what it evaporates is what it gets, and the bed around lies dry.

#include "land/salt_lakes.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
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
    if (land->rules.planet || !memchr(land->root.receiver, LAND_LAKE, count))
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

typedef struct Bed {
    int lake, cell;
    float depth;
} Bed;

// Lake by lake, from the deepest cell on.
static int compare_beds(const void *a, const void *b) {
    const Bed *one = a, *other = b;
    return one->lake != other->lake     ? (one->lake > other->lake) - (one->lake < other->lake)
           : one->depth != other->depth ? (one->depth < other->depth) - (one->depth > other->depth)
                                        : (one->cell > other->cell) - (one->cell < other->cell);
}

static void lower_lake(const Land *land, const Bed *beds, int count) {
    const int wet = whole_int(floorf(land->lake_shares[beds->cell] * (float)count));
    const float fall = wet >= count ? 0 : wet > 0 ? beds[wet].depth : INFINITY;
    for (int i = 0; i < count; i++)
        land->lake_falls[beds[i].cell] = fall;
}

// To cells nearby what the nearest lake has: that beside them first.
static void spread_falls(const Land *land, float *spare) {
    const int width = land->root.width, height = land->root.height;
    float *falls = land->lake_falls;
    for (int round = 0; round < BEYOND; round++) {
        memcpy(spare, falls, (size_t)width * (size_t)height * sizeof *spare);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                for (int d = 0; d < NEIGHBOURS; d++) {
                    const int column = x + neighbour_x[d], row = y + neighbour_y[d];
                    float *here = &falls[(size_t)y * (size_t)width + (size_t)x];
                    if (*here >= 0 || column < 0 || row < 0 || column >= width || row >= height)
                        continue;
                    *here = spare[(size_t)row * (size_t)width + (size_t)column];
                }
    }
}

Status land_lower_lakes(Land *land, const float *depths, Error *error) {
    const size_t count = (size_t)land->root.width * (size_t)land->root.height;
    float *spare = memory_new(count, sizeof *spare, error);
    Bed *beds = spare ? memory_new(count, sizeof *beds, error) : NULL;
    land->lake_falls = beds ? memory_new(count, sizeof *land->lake_falls, error) : NULL;
    int bed_count = 0;
    for (size_t i = 0; i < count && land->lake_falls; i++) {
        land->lake_falls[i] = -1; // no lake
        if (land->root.receiver[i] == LAND_LAKE)
            beds[bed_count++] = (Bed){ outlet_of(land, (int)i), (int)i, depths[i] };
    }
    if (land->lake_falls) {
        qsort(beds, (size_t)bed_count, sizeof *beds, compare_beds);
        for (int first = 0, end = 0; first < bed_count; first = end) {
            while (end < bed_count && beds[end].lake == beds[first].lake)
                end++;
            lower_lake(land, beds + first, end - first);
        }
        spread_falls(land, spare);
    }
    memory_free(spare);
    memory_free(beds);
    return land->lake_falls ? STATUS_OK : STATUS_MEMORY;
}

float land_lake_fall(const Land *land, int level, Int128 x, Int128 y) {
    if (!land->lake_falls)
        return 0;
    const Int128 column = x >> level, row = y >> level;
    const size_t width = (size_t)land->root.width;
    return max(land->lake_falls[(size_t)row * width + (size_t)column], 0);
}
