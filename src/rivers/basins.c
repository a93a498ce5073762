// Drainage basins: the cells whose water leaves at the same place, or reaches the same stretch of a river.

#include "core/memory.h"
#include "core/random.h"
#include "rivers/routes.h"
#include "rivers/streams.h"

typedef struct Basins {
    double threshold, sea_level;
} Basins;

enum { LABELS_MAX = 1 << 24 }; // whole numbers that a cell holds

typedef struct Labelling {
    Streams streams;
    bool stretches;
    Field *labels;
    Image *image;
    uint32_t *end;
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

// Numbers the ends in the order of rows. Those of no basin are 0: sea, and, with stretches, water that meets
// none.
static Status number_ends(Labelling *labelling, Error *error) {
    float *labels = field_cells(labelling->labels);
    int count = 0;
    for (size_t i = 0; i < field_count(labelling->labels); i++) {
        if (labels[i] == 0)
            continue;
        labelling->streams.drainage.direction[i] = DRAINS_OFF;
        const bool basin = labelling->stretches ? is_river(labelling, i) : !is_sea(&labelling->streams, i);
        if (basin && ++count > LABELS_MAX)
            return fail(error, STATUS_INVALID, "more than %d basins", LABELS_MAX);
        labels[i] = basin ? (float)count : 0;
    }
    labelling->count = count;
    return STATUS_OK;
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
    uint8_t colour;  // or NO_COLOUR
    uint8_t waiting; // for a neighbour of lower rank
    uint16_t used;   // a bit for each colour of a neighbour
} Choice;

// Two labels that meet.
static void meet(Choice *choices, float one, float other) {
    const size_t a = (size_t)whole_int((double)one), b = (size_t)whole_int((double)other);
    if (choices[a].colour == NO_COLOUR && choices[b].colour == NO_COLOUR)
        choices[rank_of(a) < rank_of(b) ? b : a].waiting = 1;
    else if (choices[a].colour == NO_COLOUR)
        choices[a].used |= (uint16_t)(1 << choices[b].colour);
    else if (choices[b].colour == NO_COLOUR)
        choices[b].used |= (uint16_t)(1 << choices[a].colour);
}

static bool differ(float one, float other) {
    return one != other && one > 0 && other > 0;
}

// At sides and corners of cells.
static void meet_all(const Field *labels, Choice *choices) {
    for (int y = 0; y < labels->height; y++) {
        const float *row = field_row(labels, y);
        const float *below = field_row(labels, min(y + 1, labels->height - 1));
        for (int x = 0; x < labels->width; x++) {
            const int next = min(x + 1, labels->width - 1);
            if (differ(row[x], row[next]))
                meet(choices, row[x], row[next]);
            if (differ(row[x], below[x]))
                meet(choices, row[x], below[x]);
            if (differ(row[x], below[next]))
                meet(choices, row[x], below[next]);
            if (differ(row[next], below[x]))
                meet(choices, row[next], below[x]);
        }
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
static Status choose_colours(const Run *run, const Field *labels, int count, Choice *choices) {
    for (int left = count; left > 0;) {
        if (run_stopped(run))
            return STATUS_STOPPED;
        meet_all(labels, choices);
        for (size_t i = 1; i <= (size_t)count; i++) {
            if (choices[i].colour == NO_COLOUR && !choices[i].waiting) {
                choices[i].colour = free_colour(i, choices[i].used);
                left--;
            }
            choices[i].waiting = 0;
        }
    }
    return STATUS_OK;
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
        status = number_ends(labelling, error);
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
    const Status status = choose_colours(run, labelling->labels, labelling->count, labelling->choices);
    return status == STATUS_OK ? parallel_rows(run, labelling->labels->height, labelling->labels->width * 3.0,
                                               colour_rows, labelling)
                               : status;
}

static Status run(const Call *call, Error *error) {
    const Basins *params = call->params;
    Labelling labelling = { .streams = { .drainage = { .height = call->inputs[0].field,
                                                       .filled = call->outputs[0].field,
                                                       .sea_level = params->sea_level } },
                            .stretches = params->threshold > 0,
                            .labels = &call->outputs[0].field,
                            .image = &call->outputs[1].image };
    Streams *streams = &labelling.streams;
    streams->sea = (float)params->sea_level;
    Status status = labelling.stretches ? streams_find(call->run, streams, params->threshold, error)
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
    PARAM(Basins, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "ground below this is sea, into which water drains"),
    { 0 },
};

const Operation op_basins = {
    .name = "basins",
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
        "local light = (height:hillshade() * 1.3):colorize{ palette = \"grey\", low = 0, high = 1 }\n"
        "local _, all = height:basins{}\nlocal _, stretches = height:basins{ threshold = 0.01 }\n"
        "return all:blend(light, { mode = \"multiply\" }), stretches:blend(light, { mode = \"multiply\" })",
    .see_also = "blend flow_direction rivers_from_flow height_above_river",
    .run = run,
};
