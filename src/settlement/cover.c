// What covers the ground in a window of a zoomable map, and its natural colours.

#include "climate/cover.h"
#include "climate/farmland.h"

#include "core/elementary.h"
#include "core/memory.h"
#include "core/random.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/eroded/map_climate.h"
#include "rivermap/globe.h"
#include "settlement/farms.h"
#include "settlement/grid.h"
#include "settlement/oases.h"
#include "settlement/streets.h"

#include <math.h>
#include <string.h>

typedef struct CoverWindow {
    WINDOW_MEMBERS;
    int projection, face;
    Numbers rotation;
    double crops;
    bool towns;
} CoverWindow;

// --- noise -------------------------------------------------------------------------------------------------

// Octaves of noise at fixed places of the map, from 2^5 cells along its length to a pixel: a finer window
// adds octaves, and moves none. Each is weaker than the one before.
enum { FIRST_OCTAVE = 5, LAST_OCTAVE = 30, COVER_STREAM = 77 };
#define WEAKER 0.92f
#define STRENGTH 1.55f // of the first, so that their sum is about 1

typedef struct Lattice { // the cell of one coordinate
    uint32_t cell;
    float share; // of the next
} Lattice;

static Lattice lattice_at(double place, double cells, int octave) {
    const double at = place * cells + 0.37 * octave + 4096, whole = floor(at);
    const float share = (float)(at - whole);
    return (Lattice){ (uint32_t)whole_64(whole), share * share * (3 - 2 * share) };
}

// What all pixels of a row share of an octave, or one pixel of a planet: its lattice from top to bottom, and
// of a planet from front to back.
typedef struct Octave {
    RandomKey key;
    Lattice down, deep;
    bool planet;
} Octave;

static float level_at(const Octave *octave, uint32_t column, uint32_t level) {
    const uint32_t y = octave->down.cell + level * UINT32_C(0x9e3779b1);
    const float upper = random_signed(octave->key, column, y),
                lower = random_signed(octave->key, column, y + 1);
    return upper + (lower - upper) * octave->down.share;
}

// Between the lattice's points of a column.
static float column_at(const Octave *octave, uint32_t column) {
    if (!octave->planet)
        return level_at(octave, column, 0);
    const float near = level_at(octave, column, octave->deep.cell),
                far = level_at(octave, column, octave->deep.cell + 1);
    return near + (far - near) * octave->deep.share;
}

// Along a row. Most pixels lie between the same columns as the one before.
static void octave_row(const Octave *octave, const Vec3 *places, double cells, int number, int count,
                       float *noise) {
    uint32_t column = 0;
    float left = 0, right = 0;
    for (int i = 0; i < count; i++) {
        const Lattice across = lattice_at(places[i].x, cells, number);
        if (i == 0 || across.cell != column) {
            left = i > 0 && across.cell == column + 1 ? right : column_at(octave, across.cell);
            right = column_at(octave, across.cell + 1);
            column = across.cell;
        }
        noise[i] = left + (right - left) * across.share;
    }
}

// --- the window --------------------------------------------------------------------------------------------

enum { FARM_STREAM = 94 };
#define FARMLAND 1500.0 // metres: noise of farmland is no narrower
#define TOWARDS_PLACES 1.2f
#define BANK 500.0                         // metres: belts along rivers are no wider
#define BROOK 20.0                         // metres: nor are those without fields
#define HEDGE 2.0                          // metres on either side of a parcel's edge
#define PARCELS_SEEN (0.6 * PARCEL_METRES) // a wider pixel shows none

enum { MARGIN = 2 }; // pixels around the window that its own depend on

enum { RESULT_BIOMES = COVERS, RESULT_IMAGE };

// The ground by which parcels are tilled, on pixels as wide as they are; empty on planets and where none is
// seen.
typedef struct Plots {
    Grid ground;
    double steeper; // as that of Covering
} Plots;

typedef struct Covering {
    View view; // with the margin
    Field altitude, river, flow, wadi, salt;
    int left, top;     // of the window in the view
    int width, height; // of the window
    RandomKey key;
    int last_octave, farm_octave; // the last ones of all noise, and of that of farmland
    float farmed;                 // of what is fit for crops
    Farms farms;                  // around places
    Built built;                  // what they cover themselves
    Streets streets;              // and their streets
    Oases oases;                  // along rivers of dry land
    Plots plots;
    double length;      // of the map, metres
    float *wet, *fresh; // of the view's pixels, and the same as neighbours see it
    double *sides;      // of a row's pixels, across and down, metres
    double steeper;     // slopes within a pixel are so many times those from pixel to pixel
    Output *outputs;
} Covering;

// The mean of a pixel and those around it: a stream is seen on the pixels beside it, too.
static float around(const float *cells, int width, int height, int x, int y) {
    static const float parts[2 * MARGIN + 1] = { 1 / 16.0f, 4 / 16.0f, 6 / 16.0f, 4 / 16.0f, 1 / 16.0f };
    float sum = 0;
    for (int j = -MARGIN; j <= MARGIN; j++) {
        const float *row = cells + (size_t)clamp(y + j, 0, height - 1) * (size_t)width;
        float line = 0;
        for (int i = -MARGIN; i <= MARGIN; i++)
            line += parts[i + MARGIN] * row[clamp(x + i, 0, width - 1)];
        sum += parts[j + MARGIN] * line;
    }
    return sum;
}

static void wet_rows(void *context, int first, int end) {
    const Covering *covering = context;
    const int width = covering->view.width, height = covering->view.height;
    for (int y = first; y < end; y++)
        for (int x = 0; x < width; x++) {
            const size_t at = (size_t)(height + y) * (size_t)width + (size_t)x;
            covering->wet[at] = around(covering->wet, width, height, x, y);
            covering->fresh[at] = around(covering->fresh, width, height, x, y);
        }
}

// How much water gathers at a pixel, from its flow, and whether it has a river with water.
static void flow_rows(void *context, int first, int end) {
    const double most = 4000, all = logarithm(most); // pixels
    const float river = 0.3f;                        // the least share of a pixel that waters all of it
    const Covering *covering = context;
    for (int y = first; y < end; y++) {
        const float *flows = field_row(&covering->flow, y), *rivers = field_row(&covering->river, y);
        for (int x = 0; x < covering->view.width; x++) {
            const size_t at = (size_t)y * (size_t)covering->view.width + (size_t)x;
            covering->wet[at] = (float)(logarithm(1 + min((double)flows[x], most)) / all);
            covering->fresh[at] = rivers[x] > 0 ? min(rivers[x] / river, 1) : 0;
        }
    }
}

// Slopes to the right and down, per metre; the sea is level.
static void slopes_at(const Covering *covering, int x, int y, double *across, double *down) {
    const Field *altitude = &covering->altitude;
    const double *sides = covering->sides + 2 * (ptrdiff_t)y;
    const int left = max(x - 1, 0), right = min(x + 1, altitude->width - 1), up = max(y - 1, 0),
              low = min(y + 1, altitude->height - 1);
    const float *row = field_row(altitude, y);
    *across = ((double)max(row[right], 0) - (double)max(row[left], 0)) / (max(right - left, 1) * sides[0]);
    *down = ((double)max(field_row(altitude, low)[x], 0) - (double)max(field_row(altitude, up)[x], 0)) /
            (max(low - up, 1) * sides[1]);
}

// Noise of pixels in a row.
typedef struct Noises {
    float variety[AIRS_MAX], grain[AIRS_MAX];
    float farms[AIRS_MAX];   // of the octaves of farmland alone
    float patches[AIRS_MAX]; // where crops are, with places
} Noises;

static void find_noises(const Covering *covering, const Vec3 *places, int count, int last, Noises *noises) {
    float noise[AIRS_MAX], strength = STRENGTH;
    double cells = 1 << FIRST_OCTAVE;
    for (int i = 0; i < count; i++)
        noises->variety[i] = noises->grain[i] = noises->farms[i] = 0;
    for (int number = FIRST_OCTAVE; number <= last; number++, cells *= 2) {
        const uint32_t first = covering->key.first + (uint32_t)number * UINT32_C(0x85ebca6b);
        const Octave octave = { .key = { first, covering->key.second },
                                .down = lattice_at(places->y, cells, number),
                                .deep = lattice_at(places->z, cells, number),
                                .planet = covering->view.map->tiling->planet };
        octave_row(&octave, places, cells, number, count, noise);
        for (int i = 0; i < count; i++) {
            noises->variety[i] += 0.5f * strength * noise[i];
            noises->grain[i] = 0.7f * noises->grain[i] + noise[i]; // mostly that of the last octaves
            if (number <= covering->farm_octave)
                noises->farms[i] = noises->variety[i];
        }
        strength *= WEAKER;
    }
}

static float plot_height(const Grid *ground, double x, double y) {
    const GridBox *box = &ground->box;
    const double across = clamp(x - 0.5 - box->x, 0, box->width - 1),
                 down = clamp(y - 0.5 - box->y, 0, box->height - 1);
    const int column = index_within(across, max(box->width - 1, 1)),
              row = index_within(down, max(box->height - 1, 1));
    const float u = (float)(across - column), v = (float)(down - row);
    const float *upper = field_row(&ground->altitude, row) + column,
                *lower = field_row(&ground->altitude, min(row + 1, box->height - 1)) + column;
    const int next = column + 1 < box->width;
    return max(upper[0] + (upper[next] - upper[0]) * u, 0) * (1 - v) +
           max(lower[0] + (lower[next] - lower[0]) * u, 0) * v;
}

static float plot_slope(const Plots *plots, Vec3 middle) {
    const Grid *ground = &plots->ground;
    const double x = middle.x * ldexp(1, ground->bits), y = middle.y * ldexp(1, ground->bits);
    const double across = (double)(plot_height(ground, x + 0.5, y) - plot_height(ground, x - 0.5, y)),
                 down = (double)(plot_height(ground, x, y + 0.5) - plot_height(ground, x, y - 0.5));
    return (float)(sqrt(across * across + down * down) / ground->metres * plots->steeper);
}

// What decides whether a parcel is tilled is that of its middle.
typedef struct Tillage {
    Vec3 middle; // in lengths of the map
    float patches, slope;
} Tillage;

static void find_tillage(const Covering *covering, Vec3 middle, Tillage *tillage) {
    Noises noises;
    float near;
    find_noises(covering, &middle, 1, covering->farm_octave, &noises);
    farms_near(&covering->farms, &middle, 1, &near);
    *tillage =
        (Tillage){ .middle = middle,
                   .patches = noises.farms[0] + TOWARDS_PLACES * (near - covering->farms.mean),
                   .slope =
                       covering->plots.ground.altitude.cells ? plot_slope(&covering->plots, middle) : 0 };
}

// Parcels of which several lie in a pixel are not told apart. `tillage`: of the pixel before.
static Farming farming_at(const Covering *covering, Vec3 place, float patches, float slope, int y,
                          Tillage *tillage) {
    Farming farming = { .share = covering->farmed, .patches = patches, .slope = slope };
    const double pixel = covering->sides[2 * (ptrdiff_t)y + 1], length = covering->length;
    if (!(farming.share > 0) || pixel >= PARCELS_SEEN)
        return farming;
    const Parcel parcel = parcel_at(random_key(eroded_of(covering->view.map)->rules.seed, FARM_STREAM),
                                    (Vec3){ place.x * length, place.y * length, place.z * length },
                                    covering->view.map->tiling->planet);
    const Vec3 middle = { parcel.middle.x / length, parcel.middle.y / length, parcel.middle.z / length };
    if (middle.x != tillage->middle.x || middle.y != tillage->middle.y || middle.z != tillage->middle.z)
        find_tillage(covering, middle, tillage);
    farming.parted = (float)clamp(1.5 - 2.5 * pixel / PARCEL_METRES, 0, 1);
    farming.patches += (tillage->patches - patches) * farming.parted;
    if (covering->plots.ground.altitude.cells)
        farming.slope += (tillage->slope - slope) * farming.parted;
    farming.chosen = parcel.chosen;
    farming.use = parcel.use;
    farming.hedge =
        (float)clamp((HEDGE + pixel / 2 - (double)parcel.edge) / pixel, 0, min(2 * HEDGE / pixel, 1));
    return farming;
}

static Cover cover_at(const Covering *covering, const Air *air, const Noises *noises, Vec3 place,
                      const BuiltPixel *built, const NearArtery *artery, float green, int i, int x, int y,
                      Tillage *tillage) {
    double across, down;
    slopes_at(covering, x, y, &across, &down);
    const double slope = sqrt(across * across + down * down) * covering->steeper;
    const size_t at = (size_t)(covering->view.height + y) * (size_t)covering->view.width + (size_t)x;
    const float bank = clamp((covering->fresh[at] - 0.08f) / 0.28f, 0, 1);
    const double pixel = covering->sides[2 * (ptrdiff_t)y + 1];
    const CoverGround ground = {
        .sea = field_row(&covering->altitude, y)[x] < 0,
        .slope = (float)slope,
        .south =
            (float)(-down * covering->steeper / sqrt(1 + slope * slope)) * (air->northern ? 1.0f : -1.0f),
        .wet = covering->wet[at],
        .fresh = max(bank * (float)min(BANK / pixel, 1), green),
        .brook = clamp((covering->fresh[at] - 0.25f) / 0.4f, 0, 1) * (float)min(BROOK / pixel, 1),
        .salt = covering->salt.cells ? max(field_row(&covering->salt, y)[x], 0) : 0,
        .bed = covering->wadi.cells ? field_row(&covering->wadi, y)[x] : 0,
        .farming = farming_at(covering, place, noises->patches[i], (float)slope, y, tillage),
        .town = streets_town(&covering->streets, place, built, artery, noises->variety[i] - noises->farms[i],
                             pixel),
        .variety = noises->variety[i],
        .grain = noises->grain[i],
        .soil = 2 * noises->farms[i] - noises->variety[i],
    };
    return cover_of(air, &ground);
}

static void cover_pixels(void *context, const Air *airs, const Vec3 *places, int left, int y, int count) {
    const Covering *covering = context;
    const int row = y - covering->top, first = max(left, covering->left),
              end = min(left + count, covering->left + covering->width);
    if (row < 0 || row >= covering->height || first >= end)
        return;
    Noises noises;
    float near[AIRS_MAX];
    find_noises(covering, places, count, covering->last_octave, &noises);
    farms_near(&covering->farms, places, count, near);
    for (int i = 0; i < count; i++)
        noises.patches[i] = noises.farms[i] + TOWARDS_PLACES * (near[i] - covering->farms.mean);
    BuiltPixel built[AIRS_MAX];
    float green[AIRS_MAX];
    NearArtery arteries[AIRS_MAX];
    built_row(&covering->built, places, count, built);
    streets_row(&covering->streets, places, count, arteries);
    oases_row(&covering->oases, places, count, green);
    float *outputs[RESULT_BIOMES + 1];
    for (int i = 0; i <= RESULT_BIOMES; i++)
        outputs[i] = field_row(&covering->outputs[i].field, row);
    Pixel *image = image_row(&covering->outputs[RESULT_IMAGE].image, row);
    Tillage tillage = { { NAN, 0, 0 }, 0, 0 };
    for (int x = first; x < end; x++) {
        const Cover cover = cover_at(covering, &airs[x - left], &noises, places[x - left], &built[x - left],
                                     &arteries[x - left], green[x - left], x - left, x, y, &tillage);
        for (int i = 0; i <= RESULT_BIOMES; i++)
            outputs[i][x - covering->left] = i < COVERS ? cover.shares[i] : (float)cover.biome;
        image[x - covering->left] = cover.colour;
    }
}

static Status create_outputs(const View *view, Output *outputs, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; i <= RESULT_BIOMES && status == STATUS_OK; i++)
        status = view_field(&outputs[i].field, view, error); // 0 outside a globe
    Image *image = &outputs[RESULT_IMAGE].image;
    if (status == STATUS_OK)
        status = image_create(image, view->width, view->height, error);
    if (status == STATUS_OK)
        memset(image_row(image, 0), 0, (size_t)image->width * (size_t)image->height * sizeof(Pixel));
    return status;
}

static void set_frames(const View *view, Output *outputs) {
    for (int i = 0; i <= RESULT_BIOMES; i++) {
        outputs[i].field.frame = view_frame(view);
        frame_drop_heights(&outputs[i].field.frame);
    }
    outputs[RESULT_IMAGE].image.frame = outputs[0].field.frame;
}

// Needs the altitude's frame.
static void set_sides(Covering *covering) {
    const Field *altitude = &covering->altitude;
    const View *view = &covering->view;
    const double known = field_cell_metres(altitude),
                 cell = known > 0 ? known
                                  : globe_pixel(view) * view->map->metres; // turned planets have no frame
    for (int y = 0; y < altitude->height; y++) {
        const CellShape shape = field_row_shape(altitude, y);
        covering->sides[2 * (ptrdiff_t)y] = shape.across * cell;
        covering->sides[2 * (ptrdiff_t)y + 1] = shape.down * cell;
    }
    covering->steeper = eroded_steepening(covering->view.map, cell);
}

static Status cover_window(Covering *covering, const View *shown, const Climate *climate, Error *error) {
    View *view = &covering->view;
    view->altitude = &covering->altitude;
    view->river = &covering->river;
    view->flow = &covering->flow;
    view->wadi = &covering->wadi;
    view->salt = &covering->salt;
    Status status = view_draw(view, error);
    if (status == STATUS_OK)
        status = view_raise(view);
    if (status == STATUS_OK)
        covering->wet = memory_new_cells(view->width, 2 * view->height, sizeof *covering->wet, error);
    if (covering->wet)
        covering->fresh = memory_new_cells(view->width, 2 * view->height, sizeof *covering->fresh, error);
    if (covering->fresh)
        covering->sides = memory_new_cells(2, view->height, sizeof *covering->sides, error);
    if (status == STATUS_OK && !covering->sides)
        status = STATUS_MEMORY;
    if (status == STATUS_OK)
        status = create_outputs(shown, covering->outputs, error);
    if (status == STATUS_OK) {
        covering->altitude.frame = view_frame(view);
        set_sides(covering);
        status = parallel_rows(view->run, view->height, view->width * 30.0, flow_rows, covering);
    }
    if (status == STATUS_OK)
        status = parallel_rows(view->run, view->height, view->width * 30.0, wet_rows, covering);
    if (status == STATUS_OK)
        status = view_airs(view, climate, cover_pixels, covering, error);
    if (status == STATUS_OK)
        set_frames(shown, covering->outputs);
    memory_free(covering->wet);
    memory_free(covering->fresh);
    memory_free(covering->sides);
    field_free(&covering->altitude);
    field_free(&covering->river);
    field_free(&covering->flow);
    field_free(&covering->wadi);
    field_free(&covering->salt);
    return status;
}

static Status find_plots(Plots *plots, const RiverMap *map, const Int128 corners[4], const Run *run,
                         Error *error) {
    enum { BESIDE = 6 }; // pixels to the middle of a parcel
    const int bits = clamp(log2_above(map->metres / PARCEL_METRES), 0, 30);
    plots->steeper = eroded_steepening(map, ldexp(map->metres, -bits));
    return grid_draw(&plots->ground, map, bits, grid_box(bits, corners, BESIDE), run, error);
}

static Status run(const Call *call, Error *error) {
    const CoverWindow *window = call->params;
    const RiverMap *map = call->inputs[0].value;
    const Climate *climate;
    View shown = { 0 };
    Covering covering = { .outputs = call->outputs };
    WindowRequest asked = { WINDOW_ASKED(window) };
    Status status = map_climate(map, call->run, &climate, error);
    if (status == STATUS_OK)
        status = view_project(&shown, map, window->projection, window->face, &window->rotation, error);
    covering.view = shown;
    if (status == STATUS_OK)
        status = view_set(&shown, call, &asked, error);
    asked.border += MARGIN;
    if (status == STATUS_OK)
        status = view_set(&covering.view, call, &asked, error);
    if (status != STATUS_OK)
        return status;
    covering.view.rimmed = true;
    covering.farmed = (float)window->crops;
    covering.width = shown.width;
    covering.height = shown.height;
    covering.left = (int)((view_left(&shown) - view_left(&covering.view) + shown.pixel / 2) / shown.pixel);
    covering.top = (int)((view_top(&shown) - view_top(&covering.view) + shown.pixel / 2) / shown.pixel);
    covering.key = random_key(eroded_of(map)->rules.seed, COVER_STREAM);
    covering.last_octave = clamp(log2_below(shown.pixels), FIRST_OCTAVE, LAST_OCTAVE);
    covering.length = map->metres * (map->tiling->planet ? 2 * PI : 1);
    covering.farm_octave = max(log2_below(covering.length / FARMLAND), FIRST_OCTAVE);
    const Int128 corners[] = { view_left(&shown), view_top(&shown),
                               view_left(&shown) + shown.pixel * shown.width,
                               view_top(&shown) + shown.pixel * shown.height };
    if (window->towns)
        status = streets_find_arteries(&covering.streets, map, corners, shown.pixels, call->run, error);
    if (status == STATUS_OK)
        status =
            farms_find(window->crops > 0 ? &covering.farms : NULL, window->towns ? &covering.built : NULL,
                       map, corners, shown.pixels, call->run, error);
    if (status == STATUS_OK)
        status =
            streets_find(&covering.streets, map, &covering.built, corners, shown.pixels, call->run, error);
    if (status == STATUS_OK)
        status = oases_find(&covering.oases, map, climate, corners, shown.pixels, call->run, error);
    const bool flat = !map->tiling->planet;
    if (status == STATUS_OK && window->crops > 0 && flat && map->metres / shown.pixels < PARCELS_SEEN)
        status = find_plots(&covering.plots, map, corners, call->run, error);
    if (status == STATUS_OK)
        status = cover_window(&covering, &shown, climate, error);
    farms_free(&covering.farms);
    built_free(&covering.built);
    streets_free(&covering.streets);
    oases_free(&covering.oases);
    grid_free(&covering.plots.ground);
    return status;
}

static const Param params[] = {
    WINDOW_PARAMS(CoverWindow),
    PROJECTION_PARAMS(CoverWindow),
    PARAM(CoverWindow, crops, .initial = 0, .min = 0, .max = 1,
          .doc = "share of the ground fit for crops that has them, in place of trees and grass; more around "
                 "places"),
    PARAM(CoverWindow, towns,
          .doc =
              "whether places of flat maps cover ground, which is built then, along roads and in quarters, "
              "with streets on pixels below 50 m"),
    { 0 },
};

const Operation op_cover = {
    .name = "cover",
    .category = "zoomable maps",
    .keywords = "biome vegetation forest trees grass crops farmland desert sand rock snow ice marsh salt "
                "built city splat "
                "mask natural colours landcover satellite",
    .summary = "Gives what covers the ground in a window of a zoomable map, and its natural colours",
    .description = "It follows from the climate, from the slope and how it faces the midday sun, from the "
                   "water that gathers, and from noise at fixed places. Slopes are converted to those that "
                   "the ground has within a pixel, so that rock and snow keep their share at every zoom. The "
                   "shares add up to 1 on land; in the sea there is only ice.\n\n"
                   "Biomes are those of Whittaker: 0 the sea, 1 ice, 2 tundra, 3 taiga, 4 temperate rain "
                   "forest, 5 temperate forest, 6 woodland. 7 is steppe, 8 cold desert, 9 hot desert, 10 "
                   "savanna, 11 tropical forest, 12 tropical rain forest.\n\n"
                   "The image is for relief and perspective (drape). It has no light in it. Warm seas are "
                   "transparent, cold ones grey and less so, ice is opaque.",
    .source = "Whittaker 1975, Communities and Ecosystems",
    .inputs = { { "map", "a map with eroded land", { &type_map } } },
    .outputs = { { "trees", "their share of the ground, 0 to 1" },
                 { "grass", "grass, shrubs and bare soil, the same" },
                 { "crops", "the same" },
                 { "sand", "the same" },
                 { "rock", "the same" },
                 { "snow", "the same" },
                 { "ice", "the same" },
                 { "marsh", "the same" },
                 { "salt", "the same" },
                 { "built", "houses and streets of towns, the same; 0 without towns" },
                 { "biomes", "classes, whole numbers" },
                 { "image", "natural colours", &type_image } },
    .record = true,
    .params = params,
    .params_size = sizeof(CoverWindow),
    .sized = true,
    .shapes_outputs = true,
    .example = "local map = esker.river_map{ seed = 7, latitudes = { 15, 45 } }\n"
               "local window = { zoom = 4, size = 64 }\n"
               "local altitude, river = map:render(window)\n"
               "local picture = altitude:relief{ rivers = river, drape = map:cover(window).image }",
    .picture = "local pictures, window = {}, { size = 192 }\n"
               "for i, south in ipairs{ -10, 15, 45 } do\n"
               "    local map = esker.river_map{ seed = 7, latitudes = { south, south + 30 } }\n"
               "    local altitude, river = map:render(window)\n"
               "    pictures[i] = altitude:relief{ rivers = river, drape = map:cover(window).image }\n"
               "end\n"
               "return table.unpack(pictures)",
    .see_also = "climate render relief perspective scatter",
    .run = run,
};
