// The eroded land of planets: level 0 comes from the tiling's altitudes.

#include "rivermap/eroded/ground.h"
#include "rivermap/eroded/ponds.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/random.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

enum { DEPTH = 9 }; // of level 0: 512 cells around the planet

// --- how the cube lies ------------------------------------------------------------------------------------

enum { TURNS = 20000, COARSE = 32 }; // cells along a face of a coarse planet

// Turned at random: by a unit quaternion.
static void random_axes(RandomKey key, uint32_t number, Vec3 axes[3]) {
    double q[4], length = 0;
    for (uint32_t i = 0; i < 4; i++) {
        q[i] = (double)random_signed(key, number, i);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(length > 0 ? length : 1);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    axes[0] = (Vec3){ 1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w) };
    axes[1] = (Vec3){ 2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w) };
    axes[2] = (Vec3){ 2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y) };
}

static const Vec3 upright[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

typedef double Coarse[CUBE_FACES][COARSE][COARSE];

static void measure_coarse(const RiverMap *map, Coarse altitudes) {
    for (int face = 0; face < CUBE_FACES; face++)
        for (int y = 0; y < COARSE; y++) {
            Vec3 places[COARSE];
            for (int x = 0; x < COARSE; x++)
                places[x] = place_on_planet(upright, COARSE, face, x + 0.5, y + 0.5);
            map->tiling->altitudes(map, PI / 2 / COARSE, places, COARSE, altitudes[face][y]);
        }
}

// The highest ground in the coarse cell of a place and, on its face, in those beside it.
static double highest_near(Coarse altitudes, Vec3 at) {
    const GridPlace place = grid_place(upright, COARSE, at);
    const int column = index_within(place.x, COARSE), row = index_within(place.y, COARSE);
    double highest = -INFINITY;
    for (int y = max(row - 1, 0); y <= min(row + 1, COARSE - 1); y++)
        for (int x = max(column - 1, 0); x <= min(column + 1, COARSE - 1); x++)
            highest = max(highest, altitudes[place.face][y][x]);
    return highest;
}

// The highest ground near a corner, or any that is not below `lowest`.
static double highest_corner(Coarse altitudes, const Vec3 axes[3], double lowest) {
    const double out = 0.57735026918962576; // 1/√3
    double highest = -INFINITY;
    for (int corner = 0; corner < 8 && highest < lowest; corner++) {
        const double x = corner & 1 ? out : -out, y = corner & 2 ? out : -out, z = corner & 4 ? out : -out;
        const Vec3 at = { x * axes[0].x + y * axes[1].x + z * axes[2].x,
                          x * axes[0].y + y * axes[1].y + z * axes[2].y,
                          x * axes[0].z + y * axes[1].z + z * axes[2].z };
        const double near = highest_near(altitudes, at);
        highest = max(highest, near);
    }
    return highest;
}

// Turns the cube so that its corners lie in the sea, where one can.
static void turn_cube(const RiverMap *map, Vec3 axes[3]) {
    const RandomKey key = random_key(map->seeds[0] ^ map->seeds[3], 9);
    Coarse altitudes;
    double lowest = INFINITY;
    measure_coarse(map, altitudes);
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        Vec3 turned[3];
        random_axes(key, turn, turned);
        const double highest = highest_corner(altitudes, turned, lowest);
        if (highest >= lowest)
            continue;
        lowest = highest;
        memcpy(axes, turned, sizeof turned);
    }
}

// --- level 0 ----------------------------------------------------------------------------------------------

enum { CELLS_MAX = 1 << 10, PARTS = 4 }; // of a row at a time; places in a cell

typedef struct Heights {
    const RiverMap *map;
    Field *field;
} Heights;

// The mean of a quarter each.
static void set_rows(void *context, int first, int end) {
    const Heights *heights = context;
    const int side = heights->field->width;
    const double scale = PLANET_SCALE * 4 * side;
    for (int row = first; row < end; row++) {
        Vec3 places[CELLS_MAX];
        double altitudes[CELLS_MAX];
        float *cells = field_row(heights->field, row);
        for (int part = 0; part < PARTS; part++) {
            const double right = part & 1 ? 0.75 : 0.25, down = part & 2 ? 0.75 : 0.25;
            for (int x = 0; x < side; x++)
                places[x] = place_on_planet(eroded_of(heights->map)->axes, side, row / side, x + right,
                                            row % side + down);
            heights->map->tiling->altitudes(heights->map, PI / 4 / side, places, side, altitudes);
            for (int x = 0; x < side; x++)
                cells[x] = (part == 0 ? 0 : cells[x]) + (float)(altitudes[x] * scale / PARTS);
        }
    }
}

// Level 0 before it is eroded, the faces one below the other, in cells, with the sea below 0.
static Status first_heights(const RiverMap *map, const Run *run, Field *field, Error *error) {
    Heights heights = { map, field };
    const Status status = parallel_rows(run, field->height, field->width * 4000.0, set_rows, &heights);
    return status == STATUS_OK ? fill_ponds(field, true, error) : status;
}

static Status begin(const RiverMap *map, const LandRules *rules, const Run *run, Land **land, Error *error) {
    const int side = 1 << (eroded_of(map)->depth - 2);
    LandRules of_planet = *rules;
    of_planet.planet = true;
    Field field;
    Status status = field_create(&field, side, CUBE_FACES * side, error);
    if (status != STATUS_OK)
        return status;
    status = first_heights(map, run, &field, error);
    if (status == STATUS_OK)
        status = land_create(land, &of_planet, &field, true, run, error);
    field_free(&field);
    return status;
}

static Status create(RiverMap *map, const LandRules *rules, Error *error) {
    const Status status = eroded_create(map, rules, DEPTH, begin, error);
    if (status == STATUS_OK)
        turn_cube(map, ((Eroded *)map->land_state)->axes);
    return status;
}

const LandMethods eroded_planet = {
    .max_pixels = ERODED_PIXELS_MAX,
    .wide = true,
    .flow = true,
    .create = create,
    .free = eroded_free,
    .render = eroded_render,
    .datum = eroded_datum,
    .top = eroded_top,
    .finds_datum = true,
    .add_rivers = eroded_add_rivers,
};
