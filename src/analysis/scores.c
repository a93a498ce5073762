// The scores of terrain for games (Olsen 2004): from the slope map to the erosion score, and with the largest
// flat areas to playability.

#include "analysis/scores.h"

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/summary.h"

#include <float.h>
#include <math.h>
#include <string.h>

// --- the slope map -----------------------------------------------------------------------------------------

// The slope map (Olsen 2004, "Defining erosion"):
//
//     s(i, j) = max |h(i, j) - h(k, l)| over the four neighbours (k, l) = (i ± 1, j), (i, j ± 1)
//
// Where edges do not meet, a neighbour beyond one is left out: the nearest cell stands for it, which is the
// cell itself, and their difference of 0 is no maximum.

typedef struct Slopes {
    const Field *height;
    Field *slope;
    bool wraps;
} Slopes;

KERNEL_INLINE float steepest(float centre, float left, float right, float up, float down) {
    const float a = fabsf(centre - left), b = fabsf(centre - right);
    const float c = fabsf(centre - up), d = fabsf(centre - down);
    const float ab = max(a, b), cd = max(c, d);
    return max(ab, cd);
}

KERNEL static void slope_rows(void *context, int first, int end) {
    const Slopes *slopes = context;
    const int width = slopes->height->width, height = slopes->height->height;
    const bool wraps = slopes->wraps;
    for (int y = first; y < end; y++) {
        const float *restrict row = field_row(slopes->height, y);
        const float *restrict up = field_row(slopes->height, neighbour_at(y - 1, height, wraps));
        const float *restrict down = field_row(slopes->height, neighbour_at(y + 1, height, wraps));
        float *restrict out = field_row(slopes->slope, y);
        const int last = width - 1;
        out[0] = steepest(row[0], row[neighbour_at(-1, width, wraps)], row[neighbour_at(1, width, wraps)],
                          up[0], down[0]);
        for (int x = 1; x < last; x++)
            out[x] = steepest(row[x], row[x - 1], row[x + 1], up[x], down[x]);
        out[last] = steepest(row[last], row[neighbour_at(last - 1, width, wraps)],
                             row[neighbour_at(width, width, wraps)], up[last], down[last]);
    }
}

Status slope_map(const Run *run, const Field *height, bool wraps, Field *slope) {
    Slopes slopes = { height, slope, wraps };
    return parallel_rows(run, height->height, height->width * 0.3, slope_rows, &slopes);
}

static Status run_slope(const Call *call, Error *error) {
    (void)error;
    return slope_map(call->run, call->inputs[0].field, call->wraps, &call->outputs[0].field);
}

const Operation op_slope = {
    .name = "slope",
    .gaps = GAPS_KEPT,
    .reach = reach_beside,
    .category = "analysis",
    .keywords = "gradient steepness derivative inclination sobel",
    .summary = "Gives the largest height difference between each cell and its four neighbours",
    .description = "Not an angle: for degrees see gradient_angle. Edge cells of a field that does not wrap "
                   "have three neighbours, its corners two. A "
                   "slope of 16/N is 45 degrees where height 1 is N/16 cells.",
    .source = "Olsen 2004, Defining erosion",
    .inputs = { { "height", "heights" } },
    .outputs = { { "slope", "height differences, 0 or more", .dimension = DIMENSION_HEIGHT } },
    .example = "local steepness = height:slope()",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "local shades = { { 0, \"#000000\" }, { 1, \"#ffffff\" } }\n"
               "return height:slope():relief{ palette = shades, contrast = 0, high = 0.06 }",
    .see_also = "erosion_score playability",
    .run = run_slope,
};

// --- the erosion score -------------------------------------------------------------------------------------

// The erosion score (Olsen 2004, "Defining erosion"): eroded terrain has wide flats between steep slopes, so
// the slope map's mean is low and its standard deviation high:
//
//     ε = σ_s / mean_s

// ε of a slope map; 0 where there is no slope at all.
static Status erosion_score(const Run *run, const Field *slope, double *score, Error *error) {
    Summary summary;
    const Status status = field_summarise(run, slope, &summary, error);
    if (status == STATUS_OK)
        *score = summary.mean > 0 ? summary.stddev / summary.mean : 0;
    return status;
}

static Status run_erosion_score(const Call *call, Error *error) {
    const Field *height = call->inputs[0].field;
    Field slope;
    Status status = field_create(&slope, height->width, height->height, error);
    if (status != STATUS_OK)
        return status;
    status = slope_map(call->run, height, call->wraps, &slope);
    if (status == STATUS_OK)
        status = erosion_score(call->run, &slope, &call->outputs[0].number, error);
    field_free(&slope);
    return status;
}

const Operation op_erosion_score = {
    .name = "erosion_score",
    .category = "analysis",
    .keywords = "measure metric quality",
    .summary = "Measures how eroded a terrain is: the slope map's standard deviation divided by its "
               "mean",
    .description = "Plain noise scores about 0.4, well-eroded terrain 2 and more. The score of a flat "
                   "terrain is undefined and given as 0.",
    .source = "Olsen 2004, Defining erosion",
    .inputs = { { "height", "heights" } },
    .outputs = { { "score", "0 or more", &type_number } },
    .example = "local score = height:erosion_score()",
    .wrapping = WRAPPING_CHOSEN,
    .see_also = "slope playability",
    .run = run_erosion_score,
};

// --- squares -----------------------------------------------------------------------------------------------

// A square is a run of `side` ones in each of `side` consecutive rows. Along a row, a counter holds the
// length of the run of ones that begins here; down the columns there is one counter per column.

Status bit_map_create(BitMap *map, int width, int height, bool wraps, Error *error) {
    *map = (BitMap){ width, height, wraps, NULL };
    map->cells = memory_new_cells(width, height, 1, error);
    return map->cells ? STATUS_OK : STATUS_MEMORY;
}

void bit_map_free(BitMap *map) {
    memory_free(map->cells);
    *map = (BitMap){ 0 };
}

typedef struct Squares {
    const BitMap *map;
    int side;
    bool cover;
    int *counters; // one a column, for the loops down the columns
} Squares;

static uint8_t *row_of(const BitMap *map, int y) {
    return map->cells + (size_t)y * (size_t)map->width;
}

// Both directions along a line follow one rule: count the cells since the last zero (find) or one (cover).
static int advance(int counter, uint8_t cell, bool cover) {
    return (cell != 0) != cover ? counter + 1 : 0;
}

// Squares extend to the right of their corners, so finding goes from right to left and covering from left
// to right. Where edges meet, a line starts side - 1 cells early, to count what wraps around; those cells
// are read before they are written.
static int early(const Squares *squares) {
    return squares->map->wraps ? 1 - squares->side : 0;
}

static void along_rows(void *context, int first, int end) {
    const Squares *squares = context;
    const int width = squares->map->width, side = squares->side;
    for (int y = first; y < end; y++) {
        uint8_t *row = row_of(squares->map, y);
        int counter = squares->cover ? side : 0;
        for (int i = early(squares); i < 0; i++)
            counter = advance(counter, row[squares->cover ? width + i : -1 - i], squares->cover);
        for (int i = 0; i < width; i++) {
            uint8_t *cell = &row[squares->cover ? i : width - 1 - i];
            counter = advance(counter, *cell, squares->cover);
            *cell = squares->cover ? counter < side : counter >= side;
        }
    }
}

enum { COLUMNS = 256 }; // that go down together, row by row

static void down_columns(void *context, int first, int end) {
    const Squares *squares = context;
    const int width = squares->map->width, height = squares->map->height, side = squares->side;
    const int from = first * COLUMNS, to = min(end * COLUMNS, width);
    const bool cover = squares->cover;
    int *counters = squares->counters;
    for (int x = from; x < to; x++)
        counters[x] = cover ? side : 0;
    for (int i = early(squares); i < 0; i++) {
        const uint8_t *row = row_of(squares->map, cover ? height + i : -1 - i);
        for (int x = from; x < to; x++)
            counters[x] = advance(counters[x], row[x], cover);
    }
    for (int i = 0; i < height; i++) {
        uint8_t *row = row_of(squares->map, cover ? i : height - 1 - i);
        for (int x = from; x < to; x++) {
            counters[x] = advance(counters[x], row[x], cover);
            row[x] = cover ? counters[x] < side : counters[x] >= side;
        }
    }
}

static Status go_over(const Run *run, const BitMap *map, int side, bool cover, Error *error) {
    if (side == 1)
        return STATUS_OK;
    if (side > map->width || side > map->height) {
        memset(map->cells, 0, (size_t)map->width * (size_t)map->height);
        return STATUS_OK;
    }
    Squares squares = { map, side, cover, memory_new((size_t)map->width, sizeof(int), error) };
    if (!squares.counters)
        return STATUS_MEMORY;
    Status status = parallel_rows(run, map->height, map->width * 1.5, along_rows, &squares);
    if (status == STATUS_OK)
        status = parallel_rows(run, (map->width + COLUMNS - 1) / COLUMNS, map->height * (double)COLUMNS * 0.5,
                               down_columns, &squares);
    memory_free(squares.counters);
    return status;
}

Status find_squares(const Run *run, const BitMap *map, int side, Error *error) {
    return go_over(run, map, side, false, error);
}

Status cover_squares(const Run *run, const BitMap *map, int side, Error *error) {
    return go_over(run, map, side, true, error);
}

// --- the largest area --------------------------------------------------------------------------------------

// Areas are joined run by run (a run: adjacent ones in a row) with union-find: linear in the number of
// cells, times a factor of at most four. The root of an area is its first run, in whatever order runs are
// joined.

typedef struct Span { // one run, and its node in the forest
    int start, end;   // columns start … end - 1
    uint32_t parent;
    uint32_t cells; // of the whole area, at its root; a map has less than 2^32 cells of one
} Span;

typedef struct Areas {
    const BitMap *map;
    Span *spans;
    uint32_t *first; // of each row, and one more
    uint32_t largest;
} Areas;

enum { BAND = 64 }; // rows that one thread joins; their borders are joined afterwards

// The next run from column `at` on: its start, or -1 where there is none.
static int next_run(const uint8_t *row, int width, int at, int *end) {
    const uint8_t *start = memchr(row + at, 1, (size_t)(width - at));
    if (!start)
        return -1;
    const uint8_t *after = memchr(start, 0, (size_t)(row + width - start));
    *end = after ? (int)(after - row) : width;
    return (int)(start - row);
}

static void count_runs(void *context, int first, int last) {
    const Areas *areas = context;
    const int width = areas->map->width;
    for (int y = first; y < last; y++) {
        const uint8_t *row = row_of(areas->map, y);
        uint32_t count = 0;
        for (int end = 0; end < width && next_run(row, width, end, &end) >= 0;)
            count++;
        areas->first[y + 1] = count;
    }
}

static void store_runs(void *context, int first, int last) {
    const Areas *areas = context;
    const int width = areas->map->width;
    for (int y = first; y < last; y++) {
        const uint8_t *row = row_of(areas->map, y);
        int end = 0;
        for (uint32_t i = areas->first[y]; i < areas->first[y + 1]; i++) {
            const int start = next_run(row, width, end, &end);
            areas->spans[i] = (Span){ start, end, i, (uint32_t)(end - start) };
        }
    }
}

static uint32_t root_of(Span *spans, uint32_t node) {
    while (spans[node].parent != node) {
        spans[node].parent = spans[spans[node].parent].parent; // path halving
        node = spans[node].parent;
    }
    return node;
}

static void join(Span *spans, uint32_t a, uint32_t b) {
    a = root_of(spans, a);
    b = root_of(spans, b);
    if (a == b)
        return;
    const uint32_t root = min(a, b), child = max(b, a);
    spans[child].parent = root;
    spans[root].cells += spans[child].cells;
}

static void join_rows(const Areas *areas, int y, int below) {
    uint32_t i = areas->first[y], j = areas->first[below];
    while (i < areas->first[y + 1] && j < areas->first[below + 1]) {
        const Span *upper = &areas->spans[i], *lower = &areas->spans[j];
        if (upper->start < lower->end && lower->start < upper->end)
            join(areas->spans, i, j);
        if (upper->end < lower->end)
            i++;
        else
            j++;
    }
}

static void join_ends(const Areas *areas, int y) {
    const uint32_t first = areas->first[y], last = areas->first[y + 1];
    if (first < last && areas->spans[first].start == 0 && areas->spans[last - 1].end == areas->map->width)
        join(areas->spans, first, last - 1);
}

static int band_end(const Areas *areas, int band) {
    const int end = (band + 1) * BAND, height = areas->map->height;
    return min(end, height);
}

static void join_bands(void *context, int first, int last) {
    const Areas *areas = context;
    for (int band = first; band < last; band++)
        for (int y = band * BAND; y < band_end(areas, band); y++) {
            if (areas->map->wraps)
                join_ends(areas, y);
            if (y + 1 < band_end(areas, band))
                join_rows(areas, y, y + 1);
        }
}

// The parent of every span becomes its root, which reading threads may then look up.
static void find_roots(Areas *areas, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) { // parents come before their children
        areas->spans[i].parent = areas->spans[areas->spans[i].parent].parent;
        if (areas->spans[i].parent == i && areas->spans[i].cells > areas->spans[areas->largest].cells)
            areas->largest = i;
    }
}

static void clear_others(void *context, int first, int last) {
    const Areas *areas = context;
    for (int y = first; y < last; y++)
        for (uint32_t i = areas->first[y]; i < areas->first[y + 1]; i++) {
            const Span *span = &areas->spans[i];
            if (span->parent != areas->largest)
                memset(row_of(areas->map, y) + span->start, 0, (size_t)(span->end - span->start));
        }
}

static Status join_all(const Run *run, Areas *areas) {
    const int height = areas->map->height, bands = (height + BAND - 1) / BAND;
    Status status = parallel_rows(run, height, areas->map->width * 0.2, store_runs, areas);
    if (status == STATUS_OK)
        status = parallel_rows(run, bands, areas->map->width * (double)BAND, join_bands, areas);
    const int seams = areas->map->wraps ? bands : bands - 1; // the last one: from the bottom to the top
    for (int band = 0; status == STATUS_OK && band < seams; band++)
        join_rows(areas, band_end(areas, band) - 1, wrap(band_end(areas, band), height));
    return status;
}

Status keep_largest_area(const Run *run, const BitMap *map, Error *error) {
    const int height = map->height;
    Areas areas = { .map = map };
    areas.first = memory_new((size_t)height + 1, sizeof *areas.first, error);
    if (!areas.first)
        return STATUS_MEMORY;
    Status status = parallel_rows(run, height, map->width * 0.2, count_runs, &areas);
    areas.first[0] = 0;
    for (int y = 0; status == STATUS_OK && y < height; y++)
        areas.first[y + 1] += areas.first[y];
    const uint32_t count = status == STATUS_OK ? areas.first[height] : 0;
    if (count > 0) {
        areas.spans = memory_new(count, sizeof *areas.spans, error);
        status = areas.spans ? join_all(run, &areas) : STATUS_MEMORY;
    }
    if (status == STATUS_OK && count > 0) {
        find_roots(&areas, count);
        status = parallel_rows(run, height, map->width * 0.2, clear_others, &areas);
    }
    memory_free(areas.first);
    memory_free(areas.spans);
    return status;
}

// --- playability -------------------------------------------------------------------------------------------

// Playability (Olsen 2004, "Playability issues"): can units get around, and is there room for buildings?
//
//     A  accessible: slope < T_u, and covered by a square of N_u × N_u accessible cells
//     U  the largest connected area of A: connected for the squares, since units of N_u × N_u cells must fit
//     F  flat: slope < T_b
//     B  U × F, covered by squares of N_b × N_b such cells
//     υ, β  the shares of U and B in all cells,   γ = ε υ β, the suitability

typedef struct Playability {
    double unit_slope, building_slope, sea_level; // T_u, T_b
    int unit_size, building_size;                 // N_u, N_b
    const Field *rivers;
} Playability;

enum { EROSION, UNIT, BUILDING, SUITABILITY, ACCESSIBLE, UNITS, FLAT, BUILDINGS };

typedef struct Threshold {
    const Field *slope;
    const BitMap *within, *map; // within: NULL for everywhere
    float most;
} Threshold;

KERNEL static void threshold_rows(void *context, int first, int end) {
    const Threshold *threshold = context;
    const size_t width = (size_t)threshold->slope->width;
    const float most = threshold->most;
    for (int y = first; y < end; y++) {
        const float *restrict slope = field_row(threshold->slope, y);
        uint8_t *restrict map = threshold->map->cells + (size_t)y * width;
        for (size_t x = 0; x < width; x++)
            map[x] = slope[x] < most;
        const uint8_t *restrict within =
            threshold->within ? threshold->within->cells + (size_t)y * width : NULL;
        for (size_t x = 0; within && x < width; x++)
            map[x] &= within[x];
    }
}

static Status below(const Call *call, const Field *slope, double most, const BitMap *within,
                    const BitMap *map) {
    Threshold threshold = { .slope = slope, .within = within, .map = map, .most = (float)most };
    return parallel_rows(call->run, slope->height, slope->width * 0.3, threshold_rows, &threshold);
}

typedef struct Copy {
    const BitMap *map;
    Field *field;
} Copy;

KERNEL static void copy_rows(void *context, int first, int end) {
    const Copy *copy = context;
    const int width = copy->map->width;
    for (int y = first; y < end; y++) {
        const uint8_t *restrict map = copy->map->cells + (size_t)y * (size_t)width;
        float *restrict out = field_row(copy->field, y);
        for (int x = 0; x < width; x++)
            out[x] = (float)map[x];
    }
}

static Status copy_out(const Call *call, const BitMap *map, int output) {
    Copy copy = { map, &call->outputs[output].field };
    return parallel_rows(call->run, map->height, map->width * 0.3, copy_rows, &copy);
}

// The share of ones in the map that was copied to `output`.
static Status score(const Call *call, int output, int number, Error *error) {
    Field *map = &call->outputs[output].field;
    Summary summary;
    const Status status = field_summarise(call->run, map, &summary, error);
    if (status == STATUS_OK)
        call->outputs[number].number = summary.sum / (double)field_count(map);
    return status;
}

// A and U; `map` holds U in the end. `scratch` is of its size.
static Status map_units(const Call *call, const Field *slope, const BitMap *map, const BitMap *scratch,
                        Error *error) {
    const Playability *playability = call->params;
    const int side = playability->unit_size;
    Status status = below(call, slope, playability->unit_slope, NULL, map);
    if (status == STATUS_OK)
        status = find_squares(call->run, map, side, error);
    memcpy(scratch->cells, map->cells, (size_t)map->width * (size_t)map->height);
    if (status == STATUS_OK)
        status = cover_squares(call->run, scratch, side, error);
    if (status == STATUS_OK)
        status = copy_out(call, scratch, ACCESSIBLE);
    if (status == STATUS_OK)
        status = keep_largest_area(call->run, map, error);
    if (status == STATUS_OK)
        status = cover_squares(call->run, map, side, error);
    if (status == STATUS_OK)
        status = copy_out(call, map, UNITS);
    return status == STATUS_OK ? score(call, UNITS, UNIT, error) : status;
}

// F and B; `units` is U.
static Status map_buildings(const Call *call, const Field *slope, const BitMap *units, const BitMap *map,
                            Error *error) {
    const Playability *playability = call->params;
    const int side = playability->building_size;
    Status status = below(call, slope, playability->building_slope, NULL, map);
    if (status == STATUS_OK)
        status = copy_out(call, map, FLAT);
    if (status == STATUS_OK)
        status = below(call, slope, playability->building_slope, units, map);
    if (status == STATUS_OK)
        status = find_squares(call->run, map, side, error);
    if (status == STATUS_OK)
        status = cover_squares(call->run, map, side, error);
    if (status == STATUS_OK)
        status = copy_out(call, map, BUILDINGS);
    return status == STATUS_OK ? score(call, BUILDINGS, BUILDING, error) : status;
}

typedef struct Barrier {
    const Field *height, *rivers;
    Field *slope;
    double sea;
} Barrier;

// The sea, and a cell that is more than half water, count as walls for units and buildings.
static void raise_walls(void *context, int first, int end) {
    const Barrier *barrier = context;
    for (int y = first; y < end; y++) {
        const float *height = field_row(barrier->height, y);
        const float *rivers = barrier->rivers ? field_row(barrier->rivers, y) : NULL;
        float *slope = field_row(barrier->slope, y);
        for (int x = 0; x < barrier->slope->width; x++)
            slope[x] = (double)height[x] < barrier->sea || (rivers && rivers[x] >= 0.5f) ? FLT_MAX : slope[x];
    }
}

static Status run_playability(const Call *call, Error *error) {
    const Playability *playability = call->params;
    Field slope = { 0 };
    BitMap units = { 0 }, buildings = { 0 };
    Output *outputs = call->outputs;
    Status status = field_create(&slope, call->width, call->height, error);
    if (status == STATUS_OK)
        status = bit_map_create(&units, call->width, call->height, call->wraps, error);
    if (status == STATUS_OK)
        status = bit_map_create(&buildings, call->width, call->height, call->wraps, error);
    if (status == STATUS_OK)
        status = slope_map(call->run, call->inputs[0].field, call->wraps, &slope);
    if (status == STATUS_OK)
        status = erosion_score(call->run, &slope, &outputs[EROSION].number, error);
    Barrier barrier = { call->inputs[0].field, playability->rivers, &slope, playability->sea_level };
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 0.5, raise_walls, &barrier);
    if (status == STATUS_OK)
        status = map_units(call, &slope, &units, &buildings, error);
    if (status == STATUS_OK)
        status = map_buildings(call, &slope, &units, &buildings, error);
    outputs[SUITABILITY].number = outputs[EROSION].number * outputs[UNIT].number * outputs[BUILDING].number;
    field_free(&slope);
    bit_map_free(&units);
    bit_map_free(&buildings);
    return status;
}

static const Param playability_params[] = {
    PARAM(Playability, unit_slope, .initial = 8, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "slope below which units can move"),
    PARAM(Playability, building_slope, .initial = 2, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "slope below which buildings can stand"),
    PARAM(Playability, unit_size, .initial = 1, .min = 1, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "side of the square that a unit occupies"),
    PARAM(Playability, building_size, .initial = 9, .min = 1, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "side of the square that a building occupies"),
    PARAM(Playability, rivers,
          .doc = "barriers, such as render's river: no units or buildings where this is at least 0.5; "
                 "set a cell to 0 for a ford"),
    PARAM(Playability, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea: a barrier, too"),
    { 0 },
};

const Operation op_playability = {
    .name = "playability",
    .measures = MEASURES_SQUARES,
    .category = "analysis",
    .keywords = "game score units buildings accessible rts",
    .summary = "Scores a terrain for strategy games: room to move, room to build, and both together",
    .description =
        "The time does not depend on the sizes of units and buildings. If two connected areas have equal "
        "size, the first one, row by row, counts. Squares larger than the field fit nowhere.",
    .source = "Olsen 2004, Playability issues",
    .inputs = { { "height", "heights, 0 to 1" } },
    .outputs = { { "erosion", "the erosion score", &type_number },
                 { "unit", "share of cells that units can reach", &type_number },
                 { "building", "share of cells that buildings can cover", &type_number },
                 { "suitability", "erosion × unit × building", &type_number },
                 { "accessible", "1 where units can stand" },
                 { "units", "1 in the largest connected area" },
                 { "flat", "1 where the slope allows buildings" },
                 { "buildings", "1 where buildings can stand" } },
    .params = playability_params,
    .params_size = sizeof(Playability),
    .record = true,
    .wrapping = WRAPPING_CHOSEN,
    .example = "local play = height:playability{ unit_size = 3 }\nprint(play.suitability)",
    .picture = "local land = height:resize{ size = 128 }:olsen_erosion{ talus = 6 }\n"
               "local play = land:playability{ building_size = 5 }\n"
               "local shades = { { 0, \"#3a3f4a\" }, { 1, \"#f2efe6\" } }\n"
               "return land, play.units:relief{ palette = shades, contrast = 0 }, play.buildings:relief{ "
               "palette = shades, contrast = 0 }",
    .see_also = "slope erosion_score olsen_erosion",
    .run = run_playability,
};
