// The lakes of a picture: their pixels show the water's level, and how deep it is. A bed falls with the
// distance from the shore, which is measured in cells of the picture's level near it, and farther out in
// those of coarser ones, so that the depth of a place hardly depends on the zoom.

#include "rivermap/eroded/lake_pixels.h"

#include "land/salt_lakes.h"
#include "rivermap/globe.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

enum {
    LAKE_WIDTH = 16, // of its pixels, as the river that covers them
    FINE = 8,        // bits of a place in a cell
    LEVELS_MAX = 40, // on which distances are measured,
    UNEVEN_BITS = 3, // cells of level 0, as a power of two, along the coarsest noise of dry beds
    UNEVEN_STREAM = 84,
    UNEVEN_OCTAVES = 24,
    LEVELS_APART = 3,        // from the second on every so many-th level of the land, the same at all zooms
    REACH = LAKE_MARGIN - 2, // cells up to which a distance is measured
    NEAR = REACH / 2,        // up to which it is not mixed with a coarser level's
};

// On a flat map of 3,000 km and a planet as large as the earth; metres and depths scale with maps.
#define BED_SLOPE 0.02f // at the shore
#define DEEPEST 1e-4    // far from it, against a flat map's side
#define DEEPEST_OF_RADIUS 5e-5
#define UNEVEN 0.3f // of the depth of dry beds
#define PAN_SALT 0.8f

// --- distances ---------------------------------------------------------------------------------------------

// On one level.
typedef struct Depths {
    Atlas atlas;
    float *along[CUBE_FACES];      // of each cell, from the shore along its column, in cells
    float *from_shore[CUBE_FACES]; // in any direction; 0: no lake; REACH: as far or farther
    float *longest;                // of each row
    bool farther;                  // whether a cell is as far
} Depths;

typedef struct Search {
    const LandWindow *land;
    float *along, *from_shore, *longest;
} Search;

static bool is_lake(const LandWindow *land, int x, int y) {
    return land->receiver[(size_t)y * (size_t)land->width + (size_t)x] == LAND_LAKE;
}

static void search_columns(void *context, int first, int end) {
    const Search *search = context;
    const LandWindow *land = search->land;
    for (int y = first; y < end; y++)
        for (int x = 0; x < land->width; x++) {
            int off = 0;
            while (off < REACH && is_lake(land, x, max(y - off, 0)) &&
                   is_lake(land, x, min(y + off, land->height - 1)))
                off++;
            search->along[(size_t)y * (size_t)land->width + (size_t)x] = (float)off;
        }
}

static void search_rows(void *context, int first, int end) {
    const Search *search = context;
    const int width = search->land->width;
    for (int y = first; y < end; y++) {
        const float *along = search->along + (size_t)y * (size_t)width;
        float *from_shore = search->from_shore + (size_t)y * (size_t)width, longest = 0;
        for (int x = 0; x < width; x++) {
            float least = along[x] * along[x];
            for (int off = 1; off < REACH && along[x] > 0; off++) {
                const float left = along[max(x - off, 0)], right = along[min(x + off, width - 1)],
                            nearer = min(left, right), square = nearer * nearer + (float)(off * off);
                least = min(least, square);
            }
            from_shore[x] = sqrtf(least);
            longest = max(longest, from_shore[x]);
        }
        search->longest[y] = longest;
    }
}

static Status measure_face(Depths *depths, int face, Error *error) {
    const LandWindow *land = &depths->atlas.land.on[face];
    const Run *run = depths->atlas.view->run;
    const size_t count = (size_t)land->width * (size_t)land->height;
    depths->along[face] = memory_new(count, sizeof(float), error);
    depths->from_shore[face] = memory_new(count, sizeof(float), error);
    float *longest = memory_new((size_t)land->height, sizeof *longest, error);
    Search search = { land, depths->along[face], depths->from_shore[face], longest };
    Status status = search.along && search.from_shore && longest ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, land->height, land->width * 1.0, search_columns, &search);
    if (status == STATUS_OK)
        status = parallel_rows(run, land->height, land->width * 2.0, search_rows, &search);
    for (int y = 0; y < land->height && status == STATUS_OK; y++)
        depths->farther |= longest[y] >= NEAR;
    memory_free(longest);
    return status;
}

static Status measure(Depths *depths, Error *error) {
    Status status = STATUS_OK;
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++)
        if (depths->atlas.land.on[face].altitude)
            status = measure_face(depths, face, error);
    return status;
}

// --- a place -----------------------------------------------------------------------------------------------

// In 2^-FINE of a cell of the picture's level.
typedef struct Spot {
    int face;
    Int128 x, y;
} Spot;

struct LakePicture {
    const Atlas *atlas;
    int levels;
    Depths on[LEVELS_MAX];   // the picture's level and coarser ones; the first one's atlas is not its own
    int coarser[LEVELS_MAX]; // how many levels
    const Land *land;
    float cell, deepest; // of the picture's level, and that depth, in map units
    Depths beds;         // level 0, by which water finds the beds of lakes that it does not fill
    int beds_coarser;
};

// The distance from the shore in cells of a level, between the middles of cells; REACH: as far or farther.
static float from_shore_at(const Depths *depths, const Spot *spot, int levels) {
    const LandWindow *land = &depths->atlas.land.on[spot->face];
    const Int128 half = (Int128)1 << (FINE - 1);
    const Int128 across = (spot->x >> levels) - half - (land->x << FINE),
                 down = (spot->y >> levels) - half - (land->y << FINE);
    const float right = (float)(int)(across & ((1 << FINE) - 1)) / (1 << FINE),
                lower = (float)(int)(down & ((1 << FINE) - 1)) / (1 << FINE);
    float rows[2];
    for (int i = 0; i < 2; i++) {
        const int x = (int)(across >> FINE), y = clamp((int)(down >> FINE) + i, 0, land->height - 1);
        const float *row = depths->from_shore[spot->face] + (size_t)y * (size_t)land->width;
        rows[i] = lerp(row[clamp(x, 0, land->width - 1)], row[clamp(x + 1, 0, land->width - 1)], right);
    }
    return lerp(rows[0], rows[1], lower);
}

// In cells of the picture's level. Far from the shore a coarser level's counts, if it knows the lake at all:
// it is at least as far as a finer one measures.
static float way_to_shore(const LakePicture *picture, const Spot *spot) {
    float ways[LEVELS_MAX] = { 0 }, shares[LEVELS_MAX] = { 0 }, share = 1;
    int count = 0;
    for (; count < picture->levels && share > 0; count++) {
        const float own = from_shore_at(&picture->on[count], spot, picture->coarser[count]);
        share = clamp((own - NEAR) / (REACH - NEAR), 0.0f, 1.0f);
        ways[count] = own * ldexpf(1, picture->coarser[count]);
        shares[count] = share;
    }
    float way = ways[max(count - 1, 0)];
    for (int i = count - 2; i >= 0; i--)
        way = lerp(ways[i], max(ways[i], way), shares[i]);
    return max(way, 0.25f);
}

// In units of the picture's level, before a coarse level's altitudes rise (atlas.c): as finer ones have it.
static double lake_level(const Atlas *atlas, const LandWindow *land, int cell) {
    const Int128 one = 1 << 16, shown = land->base + land->altitude[cell];
    Int128 level = shown > 0 ? shown * one / (one + atlas->rise) : shown;
    while (shown > 0 && level + (level * atlas->rise >> 16) < shown)
        level++;
    return (double)level;
}

// --- dry beds ----------------------------------------------------------------------------------------------

// Between two points of a lattice.
typedef struct Lattice {
    uint32_t cell;
    float share; // of the next
} Lattice;

// `at`: in parts of a lattice's cell.
static Lattice lattice_at(Int128 at, int bits) {
    const float share = (float)ldexp((double)(at & (((Int128)1 << bits) - 1)), -bits);
    return (Lattice){ (uint32_t)(at >> bits), share * share * (3 - 2 * share) };
}

static float level_noise(RandomKey key, Lattice across, Lattice down, uint32_t depth) {
    const uint32_t x = across.cell, y = down.cell + depth * UINT32_C(0x9e3779b1);
    return lerp(lerp(random_signed(key, x, y), random_signed(key, x + 1, y), across.share),
                lerp(random_signed(key, x, y + 1), random_signed(key, x + 1, y + 1), across.share),
                down.share);
}

// A place on a planet, from its middle: like that of a spot, and positive.
static void spot_in_space(const LakePicture *picture, const Spot *spot, Int128 at[3]) {
    const double side = (double)picture->atlas->side;
    const Vec3 place =
        cube_direction(side, spot->face, ldexp((double)spot->x, -FINE), ldexp((double)spot->y, -FINE));
    const double places[3] = { place.x, place.y, place.z };
    for (int i = 0; i < 3; i++)
        at[i] = whole_128(ldexp((2 + places[i]) * side, FINE));
}

// Noise of about 1 at fixed places of the map, from 2^UNEVEN_BITS cells of level 0 to a cell `finer` levels
// below the picture's: without it the water on a dry bed would have the corners of coarse cells.
static float unevenness(const LakePicture *picture, const Spot *spot, int finer) {
    const Eroded *eroded = eroded_of(picture->atlas->view->map);
    const int level = picture->atlas->depth - eroded->depth, last = level + UNEVEN_BITS + finer;
    const RandomKey key = random_key(eroded->rules.seed, UNEVEN_STREAM);
    Int128 at[3] = { spot->x, spot->y, 0 };
    if (picture->atlas->planet)
        spot_in_space(picture, spot, at);
    float sum = 0, strength = 0.5f;
    for (int octave = 0; octave <= min(last, (int)UNEVEN_OCTAVES); octave++, strength *= 0.5f) {
        const int bits = FINE + level + UNEVEN_BITS - octave;
        const Lattice down = lattice_at(at[1], bits), deep = lattice_at(at[2], bits);
        Lattice across = lattice_at(at[0], bits);
        across.cell += (uint32_t)octave << 24;
        float noise = level_noise(key, across, down, deep.cell);
        if (picture->atlas->planet)
            noise = lerp(noise, level_noise(key, across, down, deep.cell + 1), deep.share);
        sum += strength * noise;
    }
    return sum;
}

static float depth_of_way(const LakePicture *picture, float way) {
    const float fall = BED_SLOPE * picture->cell * way;
    return fall / (1 + fall / picture->deepest);
}

// The distance from the shore on level 0, in its cells: a spline, so that equal ones lie on smooth lines.
static float way_on_beds(const LakePicture *picture, const Spot *spot) {
    const Depths *beds = &picture->beds;
    const LandWindow *land = &beds->atlas.land.on[spot->face];
    const Int128 one = (Int128)1 << (FINE + picture->beds_coarser);
    const int column = (int)((spot->x / one) - land->x), row = (int)((spot->y / one) - land->y);
    const float across = (float)ldexp((double)(spot->x & (one - 1)), -FINE - picture->beds_coarser),
                down = (float)ldexp((double)(spot->y & (one - 1)), -FINE - picture->beds_coarser);
    const float right[3] = { 0.5f * (1 - across) * (1 - across), 0.5f + across * (1 - across),
                             0.5f * across * across },
                low[3] = { 0.5f * (1 - down) * (1 - down), 0.5f + down * (1 - down), 0.5f * down * down };
    float way = 0;
    for (int i = 0; i < 3; i++) {
        const int y = clamp(row + i - 1, 0, land->height - 1);
        const float *from_shore = beds->from_shore[spot->face] + (size_t)y * (size_t)land->width;
        for (int j = 0; j < 3; j++)
            way += low[i] * right[j] * from_shore[clamp(column + j - 1, 0, land->width - 1)];
    }
    return way;
}

// How deep a bed is where the water does not fill the lake: at all zooms the same, so that as much of it is
// wet.
static float bed_depth(const LakePicture *picture, const Spot *spot, int finer) {
    const float way = ldexpf(way_on_beds(picture, spot), picture->beds_coarser);
    return depth_of_way(picture, way) * (1 + UNEVEN * unevenness(picture, spot, finer));
}

float lake_bed_depth(const void *beds, int face, int x, int y) {
    enum { FINER = 2 };
    const int part = 1 << (FINE - LAKE_SPOT_BITS);
    const Spot spot = { face, (Int128)x * part, (Int128)y * part };
    return bed_depth(beds, &spot, FINER);
}

// A lake at a spot.
typedef struct Drawn {
    double full, level;  // its altitude when it is full: drawn, and that of all zooms above the sea
    float depth, fallen; // of its bed, and of its water
    float shore;         // how deep the bed is by its distance from the shore at this zoom
} Drawn;

// Beds stay above the sea, or they would be sea.
static void raise_bed(const LakePicture *picture, Drawn *drawn) {
    const float deepest = (1 + UNEVEN) * picture->deepest,
                most = clamp((float)drawn->level / deepest, 0.0f, 1.0f);
    drawn->depth *= most;
    drawn->shore *= most;
    drawn->fallen *= drawn->fallen < INFINITY ? most : 1;
}

static void draw_wet_bed(const LakePicture *picture, const Drawn *drawn, int x, int y) {
    const View *view = picture->atlas->view;
    field_row(view->altitude, y)[x] = (float)(drawn->full - (double)drawn->fallen);
    field_row(view->river, y)[x] = LAKE_WIDTH;
    if (view->salt && drawn->fallen > 0)
        field_row(view->salt, y)[x] = -1;
    if (view->lake_level)
        field_row(view->lake_level, y)[x] = (float)(drawn->level - (double)drawn->fallen);
    if (view->water)
        field_row(view->water, y)[x] = drawn->depth - drawn->fallen;
}

// Whiter towards the water, or in the middle.
static void draw_dry_bed(const LakePicture *picture, const Drawn *drawn, int x, int y) {
    const View *view = picture->atlas->view;
    const float depth = min(drawn->depth, 2 * drawn->shore);
    field_row(view->altitude, y)[x] = (float)(drawn->full - (double)depth);
    if (view->salt)
        field_row(view->salt, y)[x] =
            min(0.3f + 0.7f * depth / min(drawn->fallen, 0.5f * picture->deepest), 1);
}

// Whether a lake of a finer level is dry: where rivers are wadis.
static bool is_pan(const Land *land, int level, int face, Int128 x, Int128 y) {
    return level > 0 && land_local_runoff(land, level, face, x, y) < WADI_RUNOFF &&
           !land_lake_is_made(land, level, face, x, y);
}

// A small lake without water: level ground.
static void draw_pan(const LakePicture *picture, const Drawn *drawn, int x, int y) {
    const View *view = picture->atlas->view;
    field_row(view->altitude, y)[x] = (float)drawn->full;
    if (view->salt)
        field_row(view->salt, y)[x] = PAN_SALT;
}

static void draw_spot(const LakePicture *picture, const Spot *spot, int x, int y) {
    const Atlas *atlas = picture->atlas;
    const LandWindow *land = &atlas->land.on[spot->face];
    const int column = (int)((spot->x >> FINE) - land->x), row = (int)((spot->y >> FINE) - land->y);
    if (!land->altitude || column < 0 || row < 0 || column >= land->width || row >= land->height ||
        !is_lake(land, column, row))
        return;
    const Int128 land_x = land->x + column, land_y = land->y + row;
    const int level = atlas->depth - eroded_of(atlas->view->map)->depth;
    Drawn drawn = { .full = altitude_in(atlas, land, row * land->width + column),
                    .level = lake_level(atlas, land, row * land->width + column) * atlas->unit,
                    .fallen = land_lake_fall(picture->land, level, spot->face, land_x, land_y) };
    if (drawn.fallen < 0 && is_pan(picture->land, level, spot->face, land_x, land_y)) {
        draw_pan(picture, &drawn, x, y);
        return;
    }
    drawn.fallen = max(drawn.fallen, 0);
    if (picture->levels > 0)
        drawn.shore = depth_of_way(picture, way_to_shore(picture, spot));
    drawn.depth = drawn.fallen > 0 ? bed_depth(picture, spot, 0) : drawn.shore;
    const bool dry = drawn.fallen >= drawn.depth && drawn.fallen > 0;
    if (drawn.fallen > 0)
        raise_bed(picture, &drawn);
    if (dry)
        draw_dry_bed(picture, &drawn, x, y);
    else
        draw_wet_bed(picture, &drawn, x, y);
}

static void draw_flat_rows(void *context, int first, int end) {
    const LakePicture *picture = context;
    const View *view = picture->atlas->view;
    const int shift = PLACE_BITS - picture->atlas->depth - FINE;
    const Int128 middle = view->pixel / 2 + view_nudge(view);
    for (int y = first; y < end; y++)
        for (int x = 0; x < view->width; x++) {
            const Spot spot = { 0, (view_left(view) + view->pixel * x + middle) >> shift,
                                (view_top(view) + view->pixel * y + middle) >> shift };
            draw_spot(picture, &spot, x, y);
        }
}

static void draw_planet_pixel(void *context, Vec3 at, int x, int y) {
    const LakePicture *picture = context;
    const Atlas *atlas = picture->atlas;
    const GridPlace place = grid_place(eroded_of(atlas->view->map)->axes, (double)atlas->side, at);
    const double last = (double)atlas->side - 1;
    const Spot spot = { place.face, whole_128(ldexp(clamp(place.x, 0, last), FINE)),
                        whole_128(ldexp(clamp(place.y, 0, last), FINE)) };
    draw_spot(picture, &spot, x, y);
}

// -----------------------------------------------------------------------------------------------------------

bool atlas_has_lakes(const Atlas *atlas) {
    bool any = false;
    for (int face = 0; face < CUBE_FACES && !any; face++) {
        const LandWindow *land = &atlas->land.on[face];
        any = land->altitude && memchr(land->receiver, LAND_LAKE, (size_t)land->width * (size_t)land->height);
    }
    return any;
}

static Status measure_levels(LakePicture *picture, Error *error) {
    const Atlas *atlas = picture->atlas;
    const int least = eroded_of(atlas->view->map)->depth;
    picture->on[0].atlas = *atlas;
    picture->levels = 1;
    Status status = measure(&picture->on[0], error);
    int depth = atlas->depth;
    while (status == STATUS_OK && picture->on[picture->levels - 1].farther && picture->levels < LEVELS_MAX) {
        depth = least + (depth - least - 1) / LEVELS_APART * LEVELS_APART;
        if (atlas->depth == least || picture->coarser[picture->levels - 1] == atlas->depth - depth)
            break;
        picture->coarser[picture->levels] = atlas->depth - depth;
        Depths *depths = &picture->on[picture->levels++];
        status = atlas_open_coarser(&depths->atlas, atlas, depth, LAKE_MARGIN, error);
        if (status == STATUS_OK)
            status = measure(depths, error);
    }
    return status;
}

static Status measure_beds(LakePicture *picture, Error *error) {
    const int least = eroded_of(picture->atlas->view->map)->depth;
    picture->beds_coarser = picture->atlas->depth - least;
    const Status status = atlas_open_coarser(&picture->beds.atlas, picture->atlas, least, LAKE_MARGIN, error);
    return status == STATUS_OK ? measure(&picture->beds, error) : status;
}

static void free_depths(Depths *depths) {
    for (int face = 0; face < CUBE_FACES; face++) {
        memory_free(depths->along[face]);
        memory_free(depths->from_shore[face]);
    }
}

static LakePicture *new_picture(const Atlas *atlas, const Land *land, Error *error) {
    LakePicture *picture = memory_new_zeroed(1, sizeof *picture, error);
    if (!picture)
        return NULL;
    picture->atlas = atlas;
    picture->land = land;
    picture->cell = (float)(ldexp(atlas->unit, atlas->height_depth - atlas->depth) *
                            ldexp(1, eroded_of(atlas->view->map)->rules.unit_bits));
    picture->deepest = (float)((atlas->planet ? DEEPEST_OF_RADIUS : DEEPEST) / VERTICAL_SCALE);
    return picture;
}

LakePicture *lake_beds_new(const Atlas *atlas, Error *error) {
    LakePicture *beds = new_picture(atlas, NULL, error);
    if (beds && measure_beds(beds, error) != STATUS_OK) {
        lake_beds_free(beds);
        return NULL;
    }
    return beds;
}

void lake_beds_free(LakePicture *beds) {
    if (!beds)
        return;
    for (int i = 0; i < beds->levels; i++) {
        free_depths(&beds->on[i]);
        if (i > 0)
            atlas_close(&beds->on[i].atlas);
    }
    free_depths(&beds->beds);
    atlas_close(&beds->beds.atlas);
    memory_free(beds);
}

Status draw_lake_pixels(const Atlas *atlas, Error *error) {
    const View *view = atlas->view;
    if (view->water)
        memset(field_cells(view->water), 0, field_count(view->water) * sizeof(float));
    if (!atlas_has_lakes(atlas))
        return STATUS_OK;
    Land *land;
    Status status = eroded_land(view->map, view->run, &land, error);
    LakePicture *picture = status == STATUS_OK ? new_picture(atlas, land, error) : NULL;
    if (!picture)
        return status == STATUS_OK ? STATUS_MEMORY : status;
    if (view->water || land_has_salt_lakes(land))
        status = measure_levels(picture, error);
    if (status == STATUS_OK && land_has_salt_lakes(land))
        status = measure_beds(picture, error);
    if (status == STATUS_OK)
        status = atlas->planet
                     ? globe_draw(view, draw_planet_pixel, picture, error)
                     : parallel_rows(view->run, view->height, view->width * 4.0, draw_flat_rows, picture);
    lake_beds_free(picture);
    return status;
}
