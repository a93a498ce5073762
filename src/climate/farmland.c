#include "climate/farmland.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>

#define REGION_METRES 2000.0 // between the middles of two regions

enum { REGION_STREAM = 0x51ed27, TURN_STREAM = 0x2c1b3c, STRIP_STREAM = 0x297a2d, USE_STREAM = 0x9e3779 };

static RandomKey key_of(RandomKey key, uint32_t stream) {
    return (RandomKey){ key.first ^ stream * UINT32_C(0x85ebca6b), key.second };
}

typedef struct Region {
    Vec3 offset; // of the place from its middle
    Vec3 middle;
    RandomKey key;
    float edge; // metres to its nearest edge
} Region;

// A point of the lattice and its region; far-away coordinates wrap.
static Vec3 middle_of(RandomKey key, int64_t x, int64_t y, int64_t z) {
    const uint32_t row = (uint32_t)y + (uint32_t)z * UINT32_C(0x9e3779b1);
    const RandomKey down = key_of(key, 1), deep = key_of(key, 2);
    return (Vec3){ ((double)x + (double)random_unit(key, (uint32_t)x, row)) * REGION_METRES,
                   ((double)y + (double)random_unit(down, (uint32_t)x, row)) * REGION_METRES,
                   ((double)z + (double)random_unit(deep, (uint32_t)x, row)) * REGION_METRES };
}

// The region whose middle is the nearest: of a lattice with a point in each cell.
static Region region_at(RandomKey key, Vec3 at, bool planet) {
    const RandomKey own = key_of(key, REGION_STREAM);
    const int64_t x = whole_64(floor(at.x / REGION_METRES)), y = whole_64(floor(at.y / REGION_METRES)),
                  z = planet ? whole_64(floor(at.z / REGION_METRES)) : 0;
    double nearest = INFINITY, second = INFINITY;
    Region region = { { 0 }, { 0 }, own, 0 };
    Vec3 other = { 0, 0, 0 };
    for (int64_t k = z - planet; k <= z + planet; k++)
        for (int64_t j = y - 1; j <= y + 1; j++)
            for (int64_t i = x - 1; i <= x + 1; i++) {
                Vec3 middle = middle_of(own, i, j, k);
                if (!planet)
                    middle.z = 0;
                const Vec3 offset = vec3_minus(at, middle);
                const double distance = vec3_dot(offset, offset);
                if (distance < nearest) {
                    second = nearest;
                    other = region.middle;
                    nearest = distance;
                    const uint32_t row = (uint32_t)j + (uint32_t)k * UINT32_C(0x9e3779b1);
                    region =
                        (Region){ offset, middle, { random_bits(own, (uint32_t)i, row), own.second }, 0 };
                } else if (distance < second) {
                    second = distance;
                    other = middle;
                }
            }
    const Vec3 apart = vec3_minus(other, region.middle);
    region.edge = (float)((second - nearest) / (2 * sqrt(max(vec3_dot(apart, apart), 1))));
    return region;
}

static Vec3 of_length_one(Vec3 vector) {
    const double length = sqrt(max(vec3_dot(vector, vector), 1e-12));
    return (Vec3){ vector.x / length, vector.y / length, vector.z / length };
}

// The directions along and across the strips of a region.
typedef struct Strips {
    Vec3 ahead, side;
} Strips;

static Strips strips_of(const Region *region, bool planet) {
    const RandomKey key = key_of(region->key, TURN_STREAM);
    const Vec3 up = planet ? of_length_one(region->middle) : (Vec3){ 0, 0, 1 };
    const Vec3 any = { (double)random_signed(key, 0, 0), (double)random_signed(key, 1, 0),
                       planet ? (double)random_signed(key, 2, 0) : 0 };
    const Vec3 side = of_length_one(vec3_cross(up, any));
    return (Strips){ vec3_cross(side, up), side };
}

// The place so far from a region's middle along and across its strips.
static Vec3 place_in(const Region *region, const Strips *strips, double along, double across) {
    const Vec3 *middle = &region->middle, *ahead = &strips->ahead, *side = &strips->side;
    return (Vec3){ middle->x + along * ahead->x + across * side->x,
                   middle->y + along * ahead->y + across * side->y,
                   middle->z + along * ahead->z + across * side->z };
}

Parcel parcel_at(RandomKey key, Vec3 at, bool planet) {
    const float longer = 1.6f; // than wide
    const Region region = region_at(key, at, planet);
    const RandomKey strips = key_of(region.key, STRIP_STREAM);
    const double wide = PARCEL_METRES * (0.6 + 0.8 * (double)random_unit(strips, 0, 1));
    const Strips directions = strips_of(&region, planet);
    const double across = vec3_dot(region.offset, directions.side) / wide, strip = floor(across);
    const uint32_t row = (uint32_t)whole_64(strip);
    const double longest = 2 * (double)longer * wide, shift = (double)random_unit(strips, row, 2);
    const double along = vec3_dot(region.offset, directions.ahead) / longest + shift;
    const double pair = floor(along); // two parcels of unequal length
    const uint32_t column = (uint32_t)whole_64(pair);
    const float in_pair = (float)(along - pair), in_strip = (float)(across - strip),
                cut = 0.3f + 0.4f * random_unit(strips, column, row + 3);
    const bool second = in_pair >= cut;
    const float ahead = second ? min(in_pair - cut, 1 - in_pair) : min(in_pair, cut - in_pair);
    const float edge = min(2 * longer * ahead, min(in_strip, 1 - in_strip)) * (float)wide;
    const double middle = pair + 0.5 * (double)(second ? cut + 1 : cut) - shift;
    const RandomKey own = key_of(region.key, USE_STREAM);
    return (Parcel){ .chosen = random_unit(own, 2 * column + second, row),
                     .use = random_unit(key_of(own, 1), 2 * column + second, row),
                     .edge = min(edge, region.edge),
                     .along = vec3_dot(region.offset, directions.ahead),
                     .across = vec3_dot(region.offset, directions.side),
                     .middle = place_in(&region, &directions, middle * longest, (strip + 0.5) * wide) };
}
