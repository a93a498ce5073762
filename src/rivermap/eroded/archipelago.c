// An archipelago: noise of several octaves, most of which lies below the sea, so that islands of all sizes
// stand out of it, and arcs along which more of them do.

#include "rivermap/eroded/archipelago.h"

#include "core/math.h"
#include "core/noise.h"
#include "core/random.h"

#include <math.h>

enum { OCTAVES = 6, NOISE_STREAM = 1 << 25, ROUGH_STREAM, ARC_STREAM };
#define WIDEST 0.13        // of the noise's lattice, in sides of the map
#define WIDEST_PLANET 0.32 // the same in radii
#define GAIN 0.58          // of an octave against the one before
#define SEA 0.46           // of the noise, what lies below the sea
#define HEIGHT 0.7         // altitude of a noise of 1 above that
#define BORDER 0.15        // share of a flat map's side along which its floor sinks towards the border
#define SUNK 1.5           // by so much noise
#define ARC 0.75           // what an arc adds along its middle
#define ARC_WIDTH 0.035    // half of it, in sides
#define ARC_PLANET 2.5     // how much larger arcs are, in radii

// --- noise -------------------------------------------------------------------------------------------------

// Octaves, each of which is turned by atan(3/4) against the one before.
static double plane_noise(RandomKey key, uint32_t layer, double x, double y, int octaves) {
    double sum = 0, strength = 1;
    for (int octave = 0; octave < octaves; octave++) {
        sum += strength * value_noise_double(key, (layer + (uint32_t)octave) << 16, 512 + x, 512 + y);
        const double turned = 2 * (0.8 * x - 0.6 * y);
        y = 2 * (0.6 * x + 0.8 * y);
        x = turned;
        strength *= GAIN;
    }
    return sum;
}

// On planets that of three planes: no axis is like another, and no edge shows.
static double noise_at(const Archipelago *islands, uint32_t stream, Vec3 at, double wide, int octaves) {
    const RandomKey key = random_key(islands->seed, stream);
    const double x = at.x / wide, y = at.y / wide, z = at.z / wide;
    if (!islands->planet)
        return plane_noise(key, 0, x, y, octaves);
    return 0.65 * (plane_noise(key, 0, x, y, octaves) + plane_noise(key, 8, y, z, octaves) +
                   plane_noise(key, 16, z, x, octaves));
}

// --- arcs --------------------------------------------------------------------------------------------------

static Vec3 scaled(Vec3 a, double factor) {
    return (Vec3){ factor * a.x, factor * a.y, factor * a.z };
}

static Vec3 unit(Vec3 a) {
    const double length = sqrt(vec3_dot(a, a));
    return length > 0 ? scaled(a, 1 / length) : (Vec3){ 1, 0, 0 };
}

static IslandArc arc_of(RandomKey key, uint32_t number, bool planet) {
    const Vec3 place = { random_signed(key, number, 0), random_signed(key, number, 1),
                         random_signed(key, number, 2) },
               way = { random_signed(key, number, 3), random_signed(key, number, 4),
                       planet ? random_signed(key, number, 5) : 0 };
    const double large = 0.5 + 0.5 * random_signed(key, number, 6), wide = random_signed(key, number, 7);
    IslandArc arc = { .radius = 0.15 + 0.25 * large, .ends = 0.5 + 0.3 * wide };
    if (planet) {
        arc.radius *= ARC_PLANET;
        arc.centre = unit(place);
        arc.middle = unit(vec3_minus(way, scaled(arc.centre, vec3_dot(way, arc.centre))));
    } else {
        arc.centre = (Vec3){ 0.5 + 0.4 * place.x, 0.5 + 0.4 * place.y, 0 };
        arc.middle = unit(way);
    }
    return arc;
}

// 1 along the middle of an arc, 0 beside it and beyond its ends. `astray`: how far its line bends there.
static double arc_at(const IslandArc *arc, Vec3 at, double astray, double width) {
    const Vec3 off = vec3_minus(at, arc->centre);
    const double away = sqrt(vec3_dot(off, off));
    const double aside = (away + astray - arc->radius) / width, near = max(1 - aside * aside, 0);
    const double along = away > 0 ? vec3_dot(off, arc->middle) / away : 0;
    return near * clamp((along - arc->ends) / (1 - arc->ends) * 3, 0, 1);
}

Archipelago archipelago_of(uint32_t seed, bool planet, double sea_level) {
    Archipelago islands = { .seed = seed, .planet = planet, .sea_level = sea_level };
    const RandomKey key = random_key(seed, ARC_STREAM);
    for (uint32_t i = 0; i < ISLAND_ARCS; i++)
        islands.arcs[i] = arc_of(key, i, planet);
    return islands;
}

// -----------------------------------------------------------------------------------------------------------

// What is taken away towards a flat map's border, which the land does not reach; `rough`: so that no coast
// follows it.
static double sunk_at(const Archipelago *islands, Vec3 at, double rough) {
    const double inward = min(min(at.x, 1 - at.x), min(at.y, 1 - at.y)),
                 share = max(1 - inward / (BORDER * (1 + 0.4 * rough)), 0);
    return islands->planet ? 0 : SUNK * share * share;
}

double archipelago_altitude(const Archipelago *islands, Vec3 at) {
    const double wide = islands->planet ? WIDEST_PLANET : WIDEST,
                 width = ARC_WIDTH * (islands->planet ? ARC_PLANET : 1);
    const double rough = clamp(noise_at(islands, ROUGH_STREAM, at, wide / 4, 2), -1, 1);
    double height = noise_at(islands, NOISE_STREAM, at, wide, OCTAVES) - SEA - sunk_at(islands, at, rough);
    for (int i = 0; i < ISLAND_ARCS; i++)
        height += ARC * (0.7 + 0.9 * rough) * arc_at(&islands->arcs[i], at, width * rough, width);
    return clamp(HEIGHT * height - islands->sea_level, -1, 1);
}
