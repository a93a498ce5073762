#include "rivermap/eroded/map_climate.h"

#include "core/elementary.h"
#include "core/memory.h"
#include "land/salt_lakes.h"
#include "rivermap/eroded/atlas.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/eroded/lake_pixels.h"
#include "rivermap/globe.h"

#include <math.h>
#include <stdatomic.h>

// --- the whole map -----------------------------------------------------------------------------------------

enum { FLAT_SIDE = 128, PLANET_WIDTH = 192 };

static View whole_map(const RiverMap *map, const Run *run) {
    const Int128 one = (Int128)1 << PLACE_BITS;
    const bool planet = map->tiling->planet;
    const int width = planet ? PLANET_WIDTH : FLAT_SIDE;
    return (View){ .map = map,
                   .run = run,
                   .width = width,
                   .height = planet ? width / 2 : width,
                   .x = one / 2,
                   .y = one / 2,
                   .pixel = one / width,
                   .pixels = width,
                   .side = planet ? 0 : map->metres,
                   .radius = planet ? map->metres : 0,
                   .line_basin = INFINITY };
}

// The map is drawn as if it had no climate yet.
static Status find_climate(const RiverMap *map, const Run *run, Climate **climate, Error *error) {
    Field fields[3] = { 0 };
    RiverMap dry = *map;
    dry.watered = false;
    View view = whole_map(&dry, run);
    view.altitude = &fields[0];
    view.river = &fields[1];
    view.flow = &fields[2];
    Status status = view_draw(&view, error);
    if (status == STATUS_OK)
        status = view_raise(&view);
    const ClimateGround ground = { .width = view.width,
                                   .height = view.height,
                                   .heights = fields[0].cells,
                                   .cell = (view.side > 0 ? view.side : 2 * PI * view.radius) / view.width,
                                   .round = map->tiling->planet };
    if (status == STATUS_OK)
        *climate = climate_create(&ground, &map->climate, run, &status, error);
    for (int i = 0; i < 3; i++)
        field_free(&fields[i]);
    return status;
}

Status map_climate(const RiverMap *map, const Run *run, const Climate **climate, Error *error) {
    if (!map->land->create)
        return fail(error, STATUS_INVALID,
                    "climate needs land = \"eroded\", whose altitudes are metres; this map is raw");
    Eroded *eroded = map->land_state;
    Land *land;
    Status status = map->watered ? eroded_land(map, run, &land, error) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    Climate *found = atomic_load(&eroded->climate);
    if (!found)
        status = find_climate(map, run, &found, error);
    Climate *first = NULL;
    if (status == STATUS_OK && atomic_load(&eroded->climate) != found &&
        !atomic_compare_exchange_strong(&eroded->climate, &first, found)) {
        memory_free(found); // another thread was quicker, with the same climate
        found = first;
    }
    *climate = found;
    return status;
}

// --- runoff ------------------------------------------------------------------------------------------------

// The level from which it is found. Level 0 has one height for a range and its valleys.
enum { RUNOFF_LEVEL = 1 };

// How much higher the ground of finer levels is on average. A guide's heights are means.
#define WITH_RIDGES 1.03

typedef struct Runoff {
    const Atlas *atlas;
    const Climate *climate;
    float *cells;  // of the faces, one below the other
    float *ground; // the same without lakes
    double height; // metres of a map unit
} Runoff;

static Vec2 place_in_climate(const Atlas *atlas, AtlasCell cell) {
    const AtlasPlace place = middle_of(atlas, cell);
    if (!atlas->planet)
        return (Vec2){ ldexp((double)place.x, -PLACE_BITS), ldexp((double)place.y, -PLACE_BITS) };
    const Vec2 on_map = globe_on_map(atlas_on_planet(atlas, place));
    return (Vec2){ on_map.x, 2 * on_map.y - 0.5 };
}

// Whether there is only sea around a cell.
static bool is_open_sea(const Atlas *atlas, AtlasCell cell) {
    bool sea = height_of(atlas, cell) <= 0;
    for (int d = 0; d < NEIGHBOURS && sea; d++) {
        AtlasCell other;
        sea = beside(atlas, cell, d, &other) && height_of(atlas, other) <= 0;
    }
    return sea;
}

static void find_runoff(void *context, int first, int end) {
    const Runoff *runoff = context;
    const Atlas *atlas = runoff->atlas;
    const int side = (int)atlas->side;
    for (int row = first; row < end; row++)
        for (int x = 0; x < side; x++) {
            const AtlasCell cell = { .face = row / side, .x = x, .y = row % side };
            float *here = &runoff->cells[(size_t)row * (size_t)side + (size_t)x];
            float *ground = &runoff->ground[(size_t)row * (size_t)side + (size_t)x];
            const Vec2 place = place_in_climate(atlas, cell);
            // Ground that edits raise from the open sea has the water of low land there.
            const double altitude = is_open_sea(atlas, cell) ? 0 : altitude_of(atlas, cell);
            const float height = (float)(altitude * runoff->height);
            const Air air = climate_at(runoff->climate, place.x, place.y, height);
            const bool lake = receiver_of(atlas, cell) == LAND_LAKE; // evaporates all that can
            *ground = air.rain - air.evaporation;
            *here = air.rain - (lake ? air.potential : air.evaporation);
        }
}

// `map`: one whose land is there.
static Status set_runoff(const RiverMap *map, const Climate *climate, const Run *run, Land *land,
                         Error *error) {
    const View view = whole_map(map, run);
    Atlas atlas;
    const int depth = eroded_of(map)->depth + RUNOFF_LEVEL;
    Status status = atlas_open(&atlas, &view, depth, 1 << depth, error);
    const int side = (int)atlas.side, rows = (map->tiling->planet ? CUBE_FACES : 1) * side;
    Runoff runoff = { &atlas, climate, NULL, NULL,
                      view_height(&view) * (map->guide.width > 0 ? 1 : WITH_RIDGES) };
    if (status == STATUS_OK)
        runoff.cells = memory_new_cells(side, 2 * rows, sizeof *runoff.cells, error);
    if (runoff.cells)
        runoff.ground = runoff.cells + (size_t)rows * (size_t)side;
    if (status == STATUS_OK)
        status = runoff.cells ? parallel_rows(run, rows, side * 100.0, find_runoff, &runoff) : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = land_set_runoff(land, runoff.cells, runoff.ground, error);
    memory_free(runoff.cells);
    atlas_close(&atlas);
    return status;
}

static Status lower_lakes(const RiverMap *map, const Run *run, Land *land, Error *error) {
    if (!land_has_salt_lakes(land))
        return STATUS_OK;
    const View view = whole_map(map, run);
    Atlas atlas;
    const int depth = eroded_of(map)->depth;
    Status status = atlas_open(&atlas, &view, depth, 1 << depth, error);
    LakePicture *beds = status == STATUS_OK ? lake_beds_new(&atlas, error) : NULL;
    if (beds)
        status = land_lower_lakes(land, lake_bed_depth, beds, error);
    else if (status == STATUS_OK)
        status = STATUS_MEMORY;
    lake_beds_free(beds);
    atlas_close(&atlas);
    return status;
}

// The map is drawn by a copy with the same land.
Status map_climate_begin(const RiverMap *map, const Run *run, Land *land, Error *error) {
    RiverMap dry = *map;
    dry.watered = false;
    Status status = eroded_copy(map, &dry, error);
    Climate *climate = NULL;
    if (status == STATUS_OK) {
        Eroded *eroded = dry.land_state;
        atomic_store(&eroded->land, land);
        status = find_climate(&dry, run, &climate, error);
        if (status == STATUS_OK)
            status = set_runoff(&dry, climate, run, land, error);
        if (status == STATUS_OK)
            status = lower_lakes(&dry, run, land, error);
        atomic_store(&eroded->land, NULL);
    }
    eroded_free(dry.land_state);
    if (status == STATUS_OK)
        atomic_store(&((Eroded *)map->land_state)->climate, climate);
    else
        memory_free(climate);
    return status;
}

// --- windows -----------------------------------------------------------------------------------------------

typedef struct Airs {
    const View *view;
    double parts; // of the map's length, to which places are rounded
    const Climate *climate;
    AirPainter *painter;
    void *context;
} Airs;

// The last digits of a place depend on the window. A little more than whole parts, so that no pixel's middle
// lies between two of them.
static double rounded(const Airs *airs, double place) {
    return floor(place * airs->parts + 0.3819660112501051) / airs->parts;
}

static void give_rows(void *context, int first, int end) {
    const Airs *airs = context;
    const View *view = airs->view;
    for (int y = first; y < end; y++) {
        const double down = pixel_centre(view->y, view->pixel, view->height, y), at = rounded(airs, down);
        const float *heights = field_row(view->altitude, y);
        for (int left = 0; left < view->width; left += AIRS_MAX) {
            Air air[AIRS_MAX];
            Vec3 places[AIRS_MAX];
            const int count = min(view->width - left, AIRS_MAX);
            for (int i = 0; i < count; i++) {
                const double across = pixel_centre(view->x, view->pixel, view->width, left + i);
                places[i] = (Vec3){ rounded(airs, across), at, 0 };
                air[i] = climate_at(airs->climate, across, down, heights[left + i]);
            }
            airs->painter(airs->context, air, places, left, y, count);
        }
    }
}

static void give_place(void *context, Vec3 at, int x, int y) {
    const Airs *airs = context;
    const Vec2 on_map = globe_on_map(at);
    const double round = 1 / (2 * PI);
    const Vec3 place = { rounded(airs, at.x * round), rounded(airs, at.y * round),
                         rounded(airs, at.z * round) };
    const Air air =
        climate_at(airs->climate, on_map.x, 2 * on_map.y - 0.5, field_row(airs->view->altitude, y)[x]);
    airs->painter(airs->context, &air, &place, x, y, 1);
}

Status view_airs(const View *view, const Climate *climate, AirPainter *painter, void *context, Error *error) {
    enum { FINER = 14 }; // than a pixel
    Airs airs = { view, ldexp(1, min(log2_below(view->pixels), 38) + FINER), climate, painter, context };
    return view->map->tiling->planet
               ? globe_draw(view, give_place, &airs, error)
               : parallel_rows(view->run, view->height, view->width * 100.0, give_rows, &airs);
}

// --- ice ---------------------------------------------------------------------------------------------------

typedef struct Freezing {
    const View *view;
    const Climate *climate;
    float sea;
} Freezing;

// `across`, `down`: the pixel's place in the climate.
static void freeze_pixel(const Freezing *freezing, double across, double down, int x, int y) {
    const View *view = freezing->view;
    const float altitude = field_row(view->altitude, y)[x] - freezing->sea;
    float *river = field_row(view->river, y) + x;
    const Air air =
        climate_at(freezing->climate, across, down, (float)((double)altitude * view_height(view)));
    *river *= 1 - snow_share(air.temperature + air.half_range);
}

static void freeze_rows(void *context, int first, int end) {
    const Freezing *freezing = context;
    const View *view = freezing->view;
    for (int y = first; y < end; y++) {
        const double down = pixel_centre(view->y, view->pixel, view->height, y);
        const float *rivers = field_row(view->river, y);
        for (int x = 0; x < view->width; x++)
            if (rivers[x] > 0)
                freeze_pixel(freezing, pixel_centre(view->x, view->pixel, view->width, x), down, x, y);
    }
}

static void freeze_place(void *context, Vec3 at, int x, int y) {
    const Freezing *freezing = context;
    if (!(field_row(freezing->view->river, y)[x] > 0))
        return;
    const Vec2 on_map = globe_on_map(at);
    freeze_pixel(freezing, on_map.x, 2 * on_map.y - 0.5, x, y);
}

Status view_freeze(const View *view, float sea, Error *error) {
    Freezing freezing = { .view = view, .sea = sea };
    const Status status = map_climate(view->map, view->run, &freezing.climate, error);
    if (status != STATUS_OK)
        return status;
    return view->map->tiling->planet
               ? globe_draw(view, freeze_place, &freezing, error)
               : parallel_rows(view->run, view->height, view->width * 2.0, freeze_rows, &freezing);
}
