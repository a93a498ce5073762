// Drainage basins: the cells whose water leaves at the same place, or reaches the same stretch of a river.

#include "core/kernel.h"
#include "core/memory.h"
#include "core/random.h"
#include "water/flow.h"
#include "water/outlet_routes.h"

#include <math.h>
#include <stdatomic.h>

typedef struct Basins {
    BEGINNING_MEMBERS;
    double sea_level;
} Basins;

enum { LABELS_MAX = 1 << 24 }; // whole numbers that a cell holds

typedef struct Labelling {
    Streams streams;
    bool stretches;
    Field *labels;
    Image *image;
    uint32_t *end;
    int *before; // of each row: basins that end above it
    int count;
    struct Choice *choices; // of colours, by label
} Labelling;

// --- where basins end ------------------------------------------------------------------------------------

static bool is_river(const Labelling *labelling, size_t cell) {
    return labelling->stretches && is_stream(&labelling->streams, cell);
}

// Whether several streams flow into a cell.
static bool is_confluence(const Labelling *labelling, size_t cell) {
    const Streams *streams = &labelling->streams;
    const Field *height = streams->drainage.height;
    const int x = (int)(cell % (size_t)height->width), y = (int)(cell / (size_t)height->width);
    int streams_in = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        if (!within_field(height, x + neighbour_x[i], y + neighbour_y[i]))
            continue;
        const size_t from = neighbour_of(height, cell, i);
        const bool in = streams->drainage.direction[from] == (i + NEIGHBOURS / 2) % NEIGHBOURS;
        streams_in += in && is_river(labelling, from);
    }
    return streams_in > 1;
}

// Water ends at the last cell of land, and, with stretches, at the last before a confluence.
static bool ends_basin(const Labelling *labelling, size_t cell) {
    const size_t to = receiver_cell(&labelling->streams, cell);
    return to == cell || is_sea(&labelling->streams, to) ||
           (is_river(labelling, cell) && is_confluence(labelling, to));
}

// Cells marked in labels, since directions must stay as they are meanwhile.
static void find_ends_rows(void *context, int first, int end) {
    const Labelling *labelling = context;
    const size_t width = (size_t)labelling->labels->width;
    float *labels = field_cells(labelling->labels);
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++)
        labels[i] = ends_basin(labelling, i);
}

// --- labels ----------------------------------------------------------------------------------------------

// Whether the water that ends here is that of a basin. Sea, and, with stretches, water that meets none, are
// 0.
static bool is_basin(const Labelling *labelling, size_t end) {
    return labelling->stretches ? is_river(labelling, end) : !is_sea(&labelling->streams, end);
}

// Counts the basins that end in each row.
static void count_rows(void *context, int first, int end) {
    const Labelling *labelling = context;
    for (int y = first; y < end; y++) {
        const float *labels = field_row(labelling->labels, y);
        const size_t row = (size_t)y * (size_t)labelling->labels->width;
        int count = 0;
        for (int x = 0; x < labelling->labels->width; x++)
            count += labels[x] != 0 && is_basin(labelling, row + (size_t)x);
        labelling->before[y] = count;
    }
}

static void number_rows(void *context, int first, int end) {
    const Labelling *labelling = context;
    for (int y = first; y < end; y++) {
        float *labels = field_row(labelling->labels, y);
        const size_t row = (size_t)y * (size_t)labelling->labels->width;
        int count = labelling->before[y];
        for (int x = 0; x < labelling->labels->width; x++) {
            const size_t cell = row + (size_t)x;
            if (labels[x] == 0)
                continue;
            labelling->streams.drainage.direction[cell] = DRAINS_OFF;
            labels[x] = is_basin(labelling, cell) ? (float)++count : 0;
        }
    }
}

// Numbers the ends in the order of rows.
static Status number_ends(const Run *run, Labelling *labelling, Error *error) {
    const int rows = labelling->labels->height;
    const double width = labelling->labels->width;
    labelling->before = memory_new((size_t)rows, sizeof *labelling->before, error);
    if (!labelling->before)
        return STATUS_MEMORY;
    Status status = parallel_rows(run, rows, width * 0.5, count_rows, labelling);
    int64_t count = 0;
    for (int y = 0; y < rows; y++) {
        const int here = labelling->before[y];
        labelling->before[y] = (int)min(count, LABELS_MAX);
        count += here;
    }
    labelling->count = (int)min(count, LABELS_MAX);
    if (status == STATUS_OK && count > LABELS_MAX)
        status = fail(error, STATUS_INVALID, "more than %d basins", LABELS_MAX);
    if (status == STATUS_OK)
        status = parallel_rows(run, rows, width * 0.5, number_rows, labelling);
    memory_free(labelling->before);
    return status;
}

static void label_rows(void *context, int first, int end) {
    const Labelling *labelling = context;
    const size_t width = (size_t)labelling->labels->width;
    float *labels = field_cells(labelling->labels);
    for (size_t i = (size_t)first * width; i < (size_t)end * width; i++)
        if (labelling->end[i] != i)
            labels[i] = labels[labelling->end[i]];
}

// --- colours ---------------------------------------------------------------------------------------------

// Any two are at least 32 apart in CIELAB (CIE 1976, ΔE).
static const Pixel colours[] = {
    { 0x62, 0xc4, 0x8a, 255 }, { 0xf0, 0xea, 0xb0, 255 }, { 0xe5, 0x8f, 0xc0, 255 },
    { 0x6a, 0xa6, 0xea, 255 }, { 0xe2, 0xd3, 0xfa, 255 }, { 0xcf, 0xa2, 0x4e, 255 },
    { 0x8f, 0xe0, 0xe8, 255 }, { 0xf0, 0x8a, 0x74, 255 },
};
enum { COLOURS = 8, SHADES = 2, NO_COLOUR = 255 }; // and darker ones, for basins with many neighbours

static uint64_t rank_of(size_t label) {
    return mix64(label);
}

typedef struct Choice {
    uint8_t colour;         // or NO_COLOUR
    atomic_uchar waiting;   // for a neighbour of lower rank
    _Atomic(uint16_t) used; // a bit for each colour of a neighbour
} Choice;

static void use(Choice *choice, uint8_t colour) {
    const unsigned bit = 1U << colour;
    if (!(atomic_load_explicit(&choice->used, memory_order_relaxed) & bit))
        atomic_fetch_or_explicit(&choice->used, (uint16_t)bit, memory_order_relaxed);
}

// Two labels that meet, on any thread.
static void meet(Choice *choices, float one, float other) {
    const size_t a = (size_t)whole_int((double)one), b = (size_t)whole_int((double)other);
    if (choices[a].colour == NO_COLOUR && choices[b].colour == NO_COLOUR)
        atomic_store_explicit(&choices[rank_of(a) < rank_of(b) ? b : a].waiting, 1, memory_order_relaxed);
    else if (choices[a].colour == NO_COLOUR)
        use(&choices[a], choices[b].colour);
    else if (choices[b].colour == NO_COLOUR)
        use(&choices[b], choices[a].colour);
}

static bool differ(float one, float other) {
    return one != other && one > 0 && other > 0;
}

enum { PIECE = 1024 };

// Whether four cells have not all the same label, as most have.
KERNEL static void find_borders(const float *restrict row, const float *restrict below,
                                uint8_t *restrict border, int count) {
    for (int x = 0; x < count; x++)
        border[x] = (uint8_t)((row[x] != row[x + 1]) | (row[x] != below[x]) | (row[x] != below[x + 1]));
}

static void meet_if_apart(Choice *choices, float one, float other) {
    if (differ(one, other))
        meet(choices, one, other);
}

// At sides and corners of cells.
static void meet_rows(void *context, int from, int end) {
    const Labelling *labelling = context;
    const Field *labels = labelling->labels;
    Choice *choices = labelling->choices;
    uint8_t border[PIECE];
    const int last = labels->width - 1;
    for (int y = from; y < end; y++) {
        const float *row = field_row(labels, y);
        const float *below = field_row(labels, min(y + 1, labels->height - 1));
        for (int first = 0; first < last; first += PIECE) {
            const int count = min(last - first, PIECE);
            find_borders(row + first, below + first, border, count);
            for (int i = 0; i < count; i++) {
                if (!border[i])
                    continue;
                const int x = first + i;
                meet_if_apart(choices, row[x], row[x + 1]);
                meet_if_apart(choices, row[x], below[x]);
                meet_if_apart(choices, row[x], below[x + 1]);
                meet_if_apart(choices, row[x + 1], below[x]);
            }
        }
        meet_if_apart(choices, row[last], below[last]);
    }
}

// The first colour from `label`'s own on that no neighbour has.
static uint8_t free_colour(size_t label, unsigned used) {
    const unsigned first = (unsigned)(rank_of(label) % COLOURS);
    for (unsigned k = 0; k < COLOURS * SHADES; k++) {
        const unsigned colour = k / COLOURS * COLOURS + (first + k) % COLOURS;
        if (!(used >> colour & 1))
            return (uint8_t)colour;
    }
    return (uint8_t)first;
}

// Jones and Plassmann 1993, "A parallel graph coloring heuristic": in each round, basins without a colour
// whose rank is the lowest among their neighbours without one take one that no neighbour has.
static Status choose_colours(const Run *run, const Labelling *labelling) {
    Choice *choices = labelling->choices;
    Status status = STATUS_OK;
    for (int left = labelling->count; left > 0 && status == STATUS_OK;) {
        status = parallel_rows(run, labelling->labels->height, labelling->labels->width * 1.0, meet_rows,
                               (void *)labelling);
        for (size_t i = 1; i <= (size_t)labelling->count; i++) {
            if (choices[i].colour == NO_COLOUR && !choices[i].waiting) {
                choices[i].colour = free_colour(i, choices[i].used);
                left--;
            }
            choices[i].waiting = 0;
        }
    }
    return status;
}

static Pixel colour_of(const Labelling *labelling, float label) {
    if (label == 0)
        return (Pixel){ 0xdd, 0xe6, 0xec, 255 };
    const int choice = labelling->choices[whole_int((double)label)].colour;
    Pixel colour = colours[choice % COLOURS];
    for (int shade = choice / COLOURS; shade > 0; shade--)
        colour = (Pixel){ colour.red / 4 * 3, colour.green / 4 * 3, colour.blue / 4 * 3, 255 };
    return colour;
}

static void colour_rows(void *context, int first, int end) {
    const Labelling *labelling = context;
    for (int y = first; y < end; y++) {
        const float *labels = field_row(labelling->labels, y);
        Pixel *pixels = image_row(labelling->image, y);
        for (int x = 0; x < labelling->labels->width; x++)
            pixels[x] = x > 0 && labels[x] == labels[x - 1] ? pixels[x - 1] : colour_of(labelling, labels[x]);
    }
}

// --- all -------------------------------------------------------------------------------------------------

static Status label(const Run *run, Labelling *labelling, Error *error) {
    const int rows = labelling->labels->height;
    const double width = labelling->labels->width;
    Status status = parallel_rows(run, rows, width * 3, find_ends_rows, labelling);
    if (status == STATUS_OK)
        status = number_ends(run, labelling, error);
    field_free(&labelling->streams.drained);
    labelling->end = memory_new(field_count(labelling->labels), sizeof *labelling->end, error);
    if (!labelling->end)
        return STATUS_MEMORY;
    const Routes routes = { .end = labelling->end };
    const uint8_t *direction = labelling->streams.drainage.direction;
    if (status == STATUS_OK)
        status = routes_follow(run, labelling->labels, direction, &routes, error);
    if (status == STATUS_OK)
        status = parallel_rows(run, rows, width * 2, label_rows, labelling);
    return status;
}

static Status draw(const Run *run, Labelling *labelling, Error *error) {
    const size_t count = (size_t)labelling->count + 1;
    labelling->choices = memory_new_zeroed(count, sizeof *labelling->choices, error);
    if (!labelling->choices)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        labelling->choices[i].colour = NO_COLOUR;
    const Status status = choose_colours(run, labelling);
    return status == STATUS_OK ? parallel_rows(run, labelling->labels->height, labelling->labels->width * 3.0,
                                               colour_rows, labelling)
                               : status;
}

static Status run(const Call *call, Error *error) {
    const Basins *params = call->params;
    Labelling labelling = { .streams = { .drainage = { .height = call->inputs[0].field,
                                                       .filled = call->outputs[0].field,
                                                       .sea_level = params->sea_level } },
                            .stretches =
                                params->threshold > 0 || !isnan(params->area) || !isnan(params->cells),
                            .labels = &call->outputs[0].field,
                            .image = &call->outputs[1].image };
    Streams *streams = &labelling.streams;
    streams->sea = (float)params->sea_level;
    Status status = labelling.stretches ? streams_find(call->run, streams, STREAM_BEGINNING(params), error)
                                        : drainage_find(call->run, &streams->drainage, error);
    if (status == STATUS_OK)
        status = label(call->run, &labelling, error);
    memory_free(labelling.end);
    if (status == STATUS_OK)
        status = draw(call->run, &labelling, error);
    memory_free(labelling.choices);
    streams_free(streams);
    return status;
}

static const Param params[] = {
    PARAM(Basins, threshold, .initial = 0, .min = 0, .max = 1,
          .doc = "0: one basin for each outlet; above 0: one for each river reach between confluences, where "
                 "rivers begin with this share of all cells"),
    BEGINNING_PLACES(Basins),
    PARAM(Basins, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea, into which water drains"),
    { 0 },
};

const Operation op_basins = {
    .name = "basins",
    .measures = MEASURES_SHAPES,
    .category = "rivers",
    .keywords = "watershed catchment drainage divide label segment",
    .summary = "Divides a terrain into drainage basins, and draws them",
    .description = "Labels are whole numbers from 1, in row order of the basins' outlets. The sea is 0, and "
                   "with a threshold so is ground that drains into no river. Water flows as in "
                   "flow_accumulation with method \"d8\".",
    .source = "D8: O'Callaghan and Mark 1984",
    .gaps = GAPS_SEA,
    .inputs = { { "height", "heights" } },
    .outputs = { { "basins", "labels" },
                 { "image", "the basins in colours that differ between neighbours", &type_image } },
    .params = params,
    .params_size = sizeof(Basins),
    .example = "local basins, image = height:basins{}",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .always_finite = "labels are whole numbers up to 2^24",
    .picture =
        "local light = (height:hillshade() * 1.3):colorize{ palette = \"heights\", low = 0, high = 1 }\n"
        "local _, all = height:basins{}\nlocal _, stretches = height:basins{ threshold = 0.01 }\n"
        "return all:blend(light, { mode = \"multiply\" }), stretches:blend(light, { mode = \"multiply\" })",
    .see_also = "blend flow_direction rivers_from_flow height_above_river",
    .run = run,
};
