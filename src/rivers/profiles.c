#include "rivers/profiles.h"

#include "core/elementary.h"
#include "core/memory.h"
#include "rivers/cell_queue.h"

#include <math.h>

static const float highest = 0.8f; // of a river; the rest of the range is for the land (Speirs 2020, 5.3)

// Every river falls by this share of its length, whatever else holds it level.
static const double least_fall = 1.0 / 1024;

static int drain(const Growth *growth, int *drained) {
    int most = 1;
    for (int i = 0; i < growth->count; i++)
        drained[i] = growth->tributaries[i].reached;
    for (int i = growth->count - 1; i > 0; i--) // children have larger numbers
        if (growth->tributaries[i].parent >= 0)
            drained[growth->tributaries[i].parent] += drained[i];
    for (int i = 0; i < growth->count; i++)
        most = drained[i] > most ? drained[i] : most;
    return most;
}

static double length_of(const Growth *growth, int tributary) {
    const Tributary *at = &growth->tributaries[tributary];
    return at->parent >= 0 ? spot_distance(at->at, growth->tributaries[at->parent].at) : 0;
}

static void rise(const Growth *growth, const int *drained, int most, double concavity, float *altitude) {
    float top = 0;
    for (int i = 0; i < growth->count; i++) {
        const int parent = growth->tributaries[i].parent;
        const double area = drained[i] > 0 ? (double)drained[i] / most : 0.5 / most;
        altitude[i] = parent < 0 ? 0
                                 : altitude[parent] + (float)(length_of(growth, i) *
                                                              (concavity > 0 ? power(area, -concavity) : 1));
        top = altitude[i] > top ? altitude[i] : top;
    }
    for (int i = 0; i < growth->count; i++)
        altitude[i] *= top > 0 ? highest / top : 0;
}

// --- neighbours --------------------------------------------------------------------------------------------

// Where a small river passes close to a large one of another valley, it cannot lie far above it: the land
// between them would be too steep, and water would not stay in its bed. Each river bounds those around it as
// if it had a valley of the terrain's shape (valleys.h), but flatter. The highest altitudes that are nowhere
// above those given, keep all bounds, and never rise downstream: a shortest-path problem, the lowest first.
typedef struct Lowering {
    const Growth *growth;
    const ProfileShape *shape;
    const int *drained;
    const float *distance; // to the mouth
    float *altitude;
    double most; // drained by a river
    Queue heap;
} Lowering;

double profile_width(const ProfileShape *shape, double drained, double most) {
    return shape->width * sqrt((drained > 0 ? drained : 0.5) / most);
}

static bool lower(Lowering *lowering, int tributary, float altitude, Error *error) {
    if (!(altitude < lowering->altitude[tributary]))
        return true;
    lowering->altitude[tributary] = altitude;
    return heap_add(&lowering->heap, waiting_cell(altitude, tributary & 0xffff, tributary >> 16), error);
}

static int clamp_index(double at, int count) {
    return at < 0 ? 0 : at < count ? (int)at : count - 1;
}

// Whether a tributary is the first beyond a multiple of `spacing` along its river: wide rivers bound what is
// far away from some of their places only, or the cost would grow with their width.
static bool is_post(const Lowering *lowering, int tributary, double spacing) {
    const int parent = lowering->growth->tributaries[tributary].parent;
    return parent < 0 || floor((double)lowering->distance[tributary] / spacing) !=
                             floor((double)lowering->distance[parent] / spacing);
}

static bool lower_neighbours(Lowering *lowering, int tributary, Error *error) {
    const Growth *growth = lowering->growth;
    const ProfileShape *shape = lowering->shape;
    const Spot at = growth->tributaries[tributary].at;
    const float altitude = lowering->altitude[tributary];
    const double width = profile_width(shape, lowering->drained[tributary], lowering->most);
    const double plain = shape->floodplain * width;
    const double steepest = shape->steepest * (0.5 + (double)(altitude / highest));
    const double near = 3 * growth->step, wide = 2 * plain + width;
    const double far = wide > near && is_post(lowering, tributary, plain / 4) ? wide : near;
    const int left = clamp_index((at.x - far) / growth->cell, growth->columns);
    const int right = clamp_index((at.x + far) / growth->cell, growth->columns);
    const int top = clamp_index((at.y - far) / growth->cell, growth->rows);
    const int bottom = clamp_index((at.y + far) / growth->cell, growth->rows);
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            int i = growth->grid[(size_t)y * (size_t)growth->columns + (size_t)x];
            for (; i >= 0; i = growth->tributaries[i].next) {
                const double away = spot_distance(at, growth->tributaries[i].at) - 0.5 * width;
                const double beyond = away > 0 ? away : 0;
                const double side = steepest * (sqrt(beyond * beyond + plain * plain) - plain);
                if (away <= far && !lower(lowering, i, altitude + (float)side, error))
                    return false;
            }
        }
    const int parent = growth->tributaries[tributary].parent;
    return parent < 0 || lower(lowering, parent, altitude, error);
}

static bool lower_all(Lowering *lowering, Error *error) {
    const Boundary *boundary = lowering->growth->boundary;
    for (int i = 0; i < lowering->growth->count && boundary->coast; i++) {
        const double inland = boundary_distance(boundary, lowering->growth->tributaries[i].at);
        const double side = sqrt(inland * inland + BEACH * BEACH) - BEACH;
        const float most = inland > 0 ? (float)(0.5 * lowering->shape->steepest * side) : 0;
        lowering->altitude[i] = most < lowering->altitude[i] ? most : lowering->altitude[i];
    }
    for (int i = 0; i < lowering->growth->count; i++)
        if (!heap_add(&lowering->heap, waiting_cell(lowering->altitude[i], i & 0xffff, i >> 16), error))
            return false;
    while (lowering->heap.count) {
        const Waiting next = heap_take(&lowering->heap);
        const int tributary = waiting_x(next) | waiting_y(next) << 16;
        const bool current = ordered_bits(lowering->altitude[tributary]) == (uint32_t)(next >> 32);
        if (current && !lower_neighbours(lowering, tributary, error))
            return false;
    }
    return true;
}

// --- both --------------------------------------------------------------------------------------------------

static float measure_distances(const Growth *growth, float *distance) {
    float longest = 0;
    for (int i = 0; i < growth->count; i++) {
        const int parent = growth->tributaries[i].parent;
        distance[i] = parent < 0 ? 0 : distance[parent] + (float)length_of(growth, i);
        longest = distance[i] > longest ? distance[i] : longest;
    }
    return longest;
}

// Lowered altitudes may stay level for a while: a small share of the distance makes every river fall.
static void tilt(const Growth *growth, float *altitude, const float *distance, float longest) {
    for (int i = 0; i < growth->count && longest > 0; i++) {
        const float tilted =
            (float)(1 - least_fall) * altitude[i] + (float)least_fall * highest * (distance[i] / longest);
        altitude[i] = tilted < highest ? tilted : highest; // rounding
    }
}

Status profiles_create(Profiles *profiles, const Growth *growth, const ProfileShape *shape, Error *error) {
    const size_t count = (size_t)growth->count;
    *profiles = (Profiles){ 0 };
    if (!(profiles->drained = memory_new(count, sizeof *profiles->drained, error)) ||
        !(profiles->altitude = memory_new(count, sizeof *profiles->altitude, error)))
        return STATUS_MEMORY;
    float *distance = memory_new(count, sizeof *distance, error);
    if (!distance)
        return STATUS_MEMORY;
    const float longest = measure_distances(growth, distance);
    profiles->most = drain(growth, profiles->drained);
    rise(growth, profiles->drained, profiles->most, shape->concavity, profiles->altitude);
    Lowering lowering = { .growth = growth,
                          .shape = shape,
                          .drained = profiles->drained,
                          .distance = distance,
                          .altitude = profiles->altitude,
                          .most = profiles->most };
    const bool lowered = lower_all(&lowering, error);
    if (lowered)
        tilt(growth, profiles->altitude, distance, longest);
    memory_free(lowering.heap.at);
    memory_free(distance);
    return lowered ? STATUS_OK : STATUS_MEMORY;
}

void profiles_free(Profiles *profiles) {
    memory_free(profiles->drained);
    memory_free(profiles->altitude);
}
