#include "rivers/profiles.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "rivers/growth.h"
#include "rivers/network.h"
#include "water/cell_queue.h"

#include <math.h>

// --- lower neighbours --------------------------------------------------------------------------------------

// Where a small river passes close to a large one of another valley, it cannot be far above it: the land
// between them would be too steep, and water would leave its bed. Each river bounds those around it as if it
// had a valley of the terrain's shape, but flatter; so does a coast.
// A shortest-path search, lowest first: each tributary lowers those around it, and its parent.
//
// Tributaries are copied in the order of the grid's cells, so that neighbours are adjacent in memory.

// The bounds of altitudes, one element per tributary.
typedef struct LoweringBounds {
    double steepest;       // how far a river may be above another beside it, heights per side
    double floodplain;     // distance within which it keeps others low, in widths
    const double *width;   // of the river, map units
    const float *distance; // along the river to its mouth
} LoweringBounds;

typedef struct LoweredPlace {
    Vec2 at;
    float altitude, width;
    int parent; // a place
    bool post;  // whether it bounds distant places
} LoweredPlace;

typedef struct Lowering {
    const Growth *growth;
    const LoweringBounds *bounds;
    LoweredPlace *places;
    int *place_index; // of each tributary
    int *first;       // of each cell of the grid, its first place; one more at the end
    Waiting *order, *scratch;
    Queue heap; // places that were lowered
} Lowering;

static bool create(Lowering *lowering, Error *error) {
    const size_t count = (size_t)lowering->growth->count + 1;
    const size_t cells = (size_t)lowering->growth->columns * (size_t)lowering->growth->rows;
    return (lowering->places = memory_new(count, sizeof *lowering->places, error)) &&
           (lowering->place_index = memory_new(count, sizeof *lowering->place_index, error)) &&
           (lowering->first = memory_new(cells + 1, sizeof *lowering->first, error)) &&
           (lowering->order = memory_new(count, sizeof *lowering->order, error)) &&
           (lowering->scratch = memory_new(count, sizeof *lowering->scratch, error));
}

static void release(Lowering *lowering) {
    memory_free(lowering->places);
    memory_free(lowering->place_index);
    memory_free(lowering->first);
    memory_free(lowering->order);
    memory_free(lowering->scratch);
    memory_free(lowering->heap.at);
}

// Whether a tributary is the first beyond a multiple of `spacing` along its river: wide rivers bound what is
// far away from some of their places only, or the cost would grow with their width.
static bool is_post(const Growth *growth, const float *distance, int tributary, double spacing) {
    const int parent = growth->tributaries[tributary].parent;
    return parent < 0 ||
           floor((double)distance[tributary] / spacing) != floor((double)distance[parent] / spacing);
}

static void arrange(Lowering *lowering, const float *altitude) {
    const Growth *growth = lowering->growth;
    const LoweringBounds *bounds = lowering->bounds;
    const Boundary *boundary = growth->boundary;
    int count = 0;
    for (int cell = 0; cell < growth->columns * growth->rows; cell++) {
        lowering->first[cell] = count;
        for (int i = growth->grid[cell]; i >= 0; i = growth->tributaries[i].next)
            lowering->place_index[i] = count++;
    }
    lowering->first[growth->columns * growth->rows] = count;
    for (int i = 0; i < growth->count; i++) {
        const Tributary *tributary = &growth->tributaries[i];
        const double width = bounds->width[i];
        LoweredPlace place = { tributary->at, altitude[i], (float)width, -1,
                               is_post(growth, bounds->distance, i, bounds->floodplain * width / 4) };
        if (tributary->parent >= 0)
            place.parent = lowering->place_index[tributary->parent];
        if (boundary->coast) {
            const double inland = boundary_distance(boundary, tributary->at);
            const double side = sqrt(inland * inland + BEACH * BEACH) - BEACH;
            const float most = inland > 0 ? (float)(0.5 * bounds->steepest * side) : 0;
            place.altitude = min(most, place.altitude);
        }
        lowering->places[lowering->place_index[i]] = place;
    }
}

static Waiting waiting_place(const Lowering *lowering, int place) {
    return (Waiting)ordered_bits(lowering->places[place].altitude) << 32 | (uint32_t)place;
}

// All places by altitude, by radix.
static void sort_places(Lowering *lowering) {
    const int count = lowering->growth->count;
    for (int i = 0; i < count; i++)
        lowering->order[i] = waiting_place(lowering, i);
    for (int shift = 32; shift < 64;
         shift += 8) { // an even number of passes leaves the result in the first array
        int starts[257] = { 0 };
        for (int i = 0; i < count; i++)
            starts[(lowering->order[i] >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++)
            starts[i + 1] += starts[i];
        for (int i = 0; i < count; i++)
            lowering->scratch[starts[lowering->order[i] >> shift & 255]++] = lowering->order[i];
        Waiting *const sorted = lowering->scratch;
        lowering->scratch = lowering->order;
        lowering->order = sorted;
    }
}

static bool lower(Lowering *lowering, int place, float altitude, Error *error) {
    if (!(altitude < lowering->places[place].altitude))
        return true;
    lowering->places[place].altitude = altitude;
    return heap_add(&lowering->heap, waiting_place(lowering, place), error);
}

static int clamp_index(double at, int count) {
    return index_within(at, count);
}

static bool lower_around(Lowering *lowering, int index, Error *error) {
    const Growth *growth = lowering->growth;
    const LoweredPlace place = lowering->places[index];
    const double width = (double)place.width, plain = lowering->bounds->floodplain * width;
    const double steepest = lowering->bounds->steepest * (0.5 + (double)(place.altitude / RIVER_TOP));
    const double near = 3 * growth->step, wide = 2 * plain + width;
    const double far = wide > near && place.post ? wide : near;
    const int left = clamp_index((place.at.x - far) / growth->cell, growth->columns);
    const int right = clamp_index((place.at.x + far) / growth->cell, growth->columns);
    const int top = clamp_index((place.at.y - far) / growth->cell, growth->rows);
    const int bottom = clamp_index((place.at.y + far) / growth->cell, growth->rows);
    for (int y = top; y <= bottom; y++) {
        const int *row = lowering->first + (size_t)y * (size_t)growth->columns;
        for (int i = row[left]; i < row[right + 1]; i++) {
            if (!(lowering->places[i].altitude > place.altitude))
                continue;
            const double away = vec2_distance(place.at, lowering->places[i].at) - 0.5 * width;
            const double beyond = max(away, 0);
            const double side = steepest * (sqrt(beyond * beyond + plain * plain) - plain);
            if (away <= far && !lower(lowering, i, place.altitude + (float)side, error))
                return false;
        }
    }
    return place.parent < 0 || lower(lowering, place.parent, place.altitude, error);
}

static bool lower_all(Lowering *lowering, Error *error) {
    const int count = lowering->growth->count;
    for (int next = 0; next < count || lowering->heap.count;) {
        const bool lowered =
            lowering->heap.count && (next == count || lowering->heap.at[0] < lowering->order[next]);
        const Waiting waiting = lowered ? heap_take(&lowering->heap) : lowering->order[next++];
        const int place = (int)(uint32_t)waiting;
        const bool current = waiting_place(lowering, place) == waiting; // not lowered since
        if (current && !lower_around(lowering, place, error))
            return false;
    }
    return true;
}

// Lowers altitudes to the highest that keep all bounds and never rise downstream. Returns false, with the
// error filled, if there is too little memory.
static bool lower_rivers(const Growth *growth, const LoweringBounds *bounds, float *altitude, Error *error) {
    Lowering lowering = { .growth = growth, .bounds = bounds };
    bool done = create(&lowering, error);
    if (done) {
        arrange(&lowering, altitude);
        sort_places(&lowering);
        done = lower_all(&lowering, error);
        for (int i = 0; i < growth->count; i++)
            altitude[i] = lowering.places[lowering.place_index[i]].altitude;
    }
    release(&lowering);
    return done;
}

// --- profiles ----------------------------------------------------------------------------------------------

// Every river falls at least by this share of its length.
static const double min_fall = 1.0 / 1024;

static int drain(const Growth *growth, int *drained) {
    int most = 1;
    for (int i = 0; i < growth->count; i++)
        drained[i] = growth->tributaries[i].reached;
    for (int i = growth->count - 1; i > 0; i--) // children have larger numbers
        if (growth->tributaries[i].parent >= 0)
            drained[growth->tributaries[i].parent] += drained[i];
    for (int i = 0; i < growth->count; i++)
        most = max(drained[i], most);
    return most;
}

static double length_of(const Growth *growth, int tributary) {
    const Tributary *at = &growth->tributaries[tributary];
    return at->parent >= 0 ? vec2_distance(at->at, growth->tributaries[at->parent].at) : 0;
}

static void rise(const Growth *growth, const int *drained, int most, double concavity, float *altitude) {
    float top = 0;
    for (int i = 0; i < growth->count; i++) {
        const int parent = growth->tributaries[i].parent;
        const double area = drained[i] > 0 ? (double)drained[i] / most : 0.5 / most;
        altitude[i] = parent < 0 ? 0
                                 : altitude[parent] + (float)(length_of(growth, i) *
                                                              (concavity > 0 ? power(area, -concavity) : 1));
        top = max(altitude[i], top);
    }
    for (int i = 0; i < growth->count; i++)
        altitude[i] *= top > 0 ? RIVER_TOP / top : 0;
}

double profile_width(const ProfileShape *shape, double drained, double most) {
    return shape->width * sqrt((drained > 0 ? drained : 0.5) / most);
}

// --- altitudes ---------------------------------------------------------------------------------------------

static float measure_distances(const Growth *growth, float *distance) {
    float longest = 0;
    for (int i = 0; i < growth->count; i++) {
        const int parent = growth->tributaries[i].parent;
        distance[i] = parent < 0 ? 0 : distance[parent] + (float)length_of(growth, i);
        longest = max(distance[i], longest);
    }
    return longest;
}

// Lowered altitudes may stay level for a while: a small share of the distance makes every river fall.
static void tilt(const Growth *growth, float *altitude, const float *distance, float longest) {
    for (int i = 0; i < growth->count && longest > 0; i++) {
        const float tilted =
            (float)(1 - min_fall) * altitude[i] + (float)min_fall * RIVER_TOP * (distance[i] / longest);
        altitude[i] = min(tilted, RIVER_TOP); // rounding
    }
}

static Status find_altitudes(Profiles *profiles, const Growth *growth, const ProfileShape *shape,
                             float *distance, double *width, Error *error) {
    const float longest = measure_distances(growth, distance);
    profiles->most = drain(growth, profiles->drained);
    rise(growth, profiles->drained, profiles->most, shape->concavity, profiles->altitude);
    for (int i = 0; i < growth->count; i++)
        width[i] = profile_width(shape, profiles->drained[i], profiles->most);
    const LoweringBounds bounds = { shape->steepest, shape->floodplain, width, distance };
    if (!lower_rivers(growth, &bounds, profiles->altitude, error))
        return STATUS_MEMORY;
    tilt(growth, profiles->altitude, distance, longest);
    return STATUS_OK;
}

Status profiles_create(Profiles *profiles, const Growth *growth, const ProfileShape *shape, Error *error) {
    const size_t count = (size_t)growth->count;
    *profiles = (Profiles){ 0 };
    if (!(profiles->drained = memory_new(count, sizeof *profiles->drained, error)) ||
        !(profiles->altitude = memory_new(count, sizeof *profiles->altitude, error)))
        return STATUS_MEMORY;
    float *distance = memory_new(count, sizeof *distance, error);
    double *width = distance ? memory_new(count, sizeof *width, error) : NULL;
    const Status status =
        width ? find_altitudes(profiles, growth, shape, distance, width, error) : STATUS_MEMORY;
    memory_free(width);
    memory_free(distance);
    return status;
}

void profiles_free(Profiles *profiles) {
    memory_free(profiles->drained);
    memory_free(profiles->altitude);
}
