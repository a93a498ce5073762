// Drainage basins: the cells whose water leaves at the same place, or reaches the same stretch of a river.

#include "core/memory.h"
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

static uint8_t wave(double turn) { // 0 … 1 … 0 over a turn, as a colour component
    const double at = turn - floor(turn), up = at < 0.5 ? 2 * at : 2 - 2 * at;
    return (uint8_t)whole_within(105 + 125 * up, 0, 255);
}

// Successive labels differ by the golden ratio of a turn in hue, which keeps any few of them apart.
static Pixel colour_of(float label) {
    const double hue = (double)label * 0.61803398874989485;
    if (label == 0)
        return (Pixel){ 0xdd, 0xe6, 0xec, 255 };
    return (Pixel){ wave(hue), wave(hue + 1.0 / 3), wave(hue + 2.0 / 3), 255 };
}

static void colour_rows(void *context, int first, int end) {
    const Labelling *labelling = context;
    for (int y = first; y < end; y++) {
        const float *labels = field_row(labelling->labels, y);
        Pixel *pixels = image_row(labelling->image, y);
        for (int x = 0; x < labelling->labels->width; x++)
            pixels[x] = x > 0 && labels[x] == labels[x - 1] ? pixels[x - 1] : colour_of(labels[x]);
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
    if (status == STATUS_OK)
        status = parallel_rows(run, rows, width * 3, colour_rows, labelling);
    return status;
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
    streams_free(streams);
    return status;
}

static const Param params[] = {
    PARAM(Basins, threshold, .initial = 0, .min = 0, .max = 1,
          .doc = "0: a basin is what leaves at one place; above: what reaches one stretch of a river "
                 "between confluences, where rivers begin with this share of all cells"),
    PARAM(Basins, sea_level, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "ground below this is sea, into which water drains"),
    { 0 },
};

const Operation op_basins = {
    .name = "basins",
    .category = "rivers",
    .keywords = "watershed catchment drainage divide label segment",
    .summary = "Divides a terrain into drainage basins, and draws them",
    .description = "Labels are whole numbers from 1, in the order in which rows meet the basins' last cells. "
                   "The sea has 0; so has, with a threshold, ground whose water meets no river. Water "
                   "flows as in flow_accumulation with method \"d8\".",
    .source = "D8: O'Callaghan and Mark 1984",
    .inputs = { { "height", "heights" } },
    .outputs = { { "basins", "labels" }, { "image", "one colour a basin", &type_image } },
    .params = params,
    .params_size = sizeof(Basins),
    .example = "local basins, image = height:basins{}",
    .wrapping = WRAPPING_LOST, // water leaves over the edges
    .always_finite = "labels are whole numbers up to 2^24",
    .picture = "local _, all = height:basins{}\nlocal _, stretches = height:basins{ threshold = 0.01 }\n"
               "return all, stretches",
    .see_also = "flow_direction rivers_from_flow height_above_river",
    .run = run,
};
