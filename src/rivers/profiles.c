#include "rivers/profiles.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "rivers/lower_neighbours.h"
#include "rivers/network.h"

#include <math.h>

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
