// Distances to a mask or to the lines of a network.

#include "places/distance.h"

#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"
#include "places/overlay.h"
#include "places/points.h"
#include "rivers/line_coverage.h"

#include <float.h>
#include <math.h>

// --- the transform -----------------------------------------------------------------------------------------

// Felzenszwalb and Huttenlocher 2012, "Distance transforms of sampled functions", section 2: distances down
// the columns, then along each row the lower envelope of the parabolas (x - q)² + g(q)², where g(q) is the
// distance in column q. Where edges meet, a row continues for half its length at both ends.

enum { STRIP = 64, BLOCKS = 64 };

typedef struct Parabola {
    double start; // where it becomes the lowest
    int at;
    float height; // g²
} Parabola;

typedef struct Transform {
    const Field *mask;
    Field *squared;
    float threshold;
    bool outside, wraps;
    float limit;
    double down;         // the square of a cell's height over its width
    bool to_border;      // less half a cell
    float nowhere;       // the distance where nothing is marked
    int turns;           // how often a column is passed in each direction
    int margin, rows;    // continued columns at either end; rows of a block
    Parabola *parabolas; // for each block, as many as a row has places
} Transform;

KERNEL static void distance_step(const float *restrict mask, float threshold, bool outside, float limit,
                                 float *restrict nearest, int count) {
    for (int x = 0; x < count; x++) {
        const bool is_there = (mask[x] > threshold) != outside;
        nearest[x] = is_there ? 0 : min(nearest[x] + 1, limit);
    }
}

KERNEL static void distance_keep(float *restrict kept, const float *restrict nearest, bool first, int count) {
    for (int x = 0; x < count; x++)
        kept[x] = first ? nearest[x] : min(kept[x], nearest[x]);
}

// Down and up the columns of a strip; where edges meet, a second time with what has come across.
static void down_columns(void *context, int first, int end) {
    const Transform *transform = context;
    const int width = transform->mask->width, height = transform->mask->height;
    for (int strip = first; strip < end; strip++) {
        const int start = strip * STRIP, count = min(width - start, STRIP);
        for (int up = 0; up < 2; up++) {
            float nearest[STRIP];
            for (int x = 0; x < count; x++)
                nearest[x] = transform->limit;
            for (int turn = 0; turn < transform->turns; turn++)
                for (int i = 0; i < height; i++) {
                    const int y = up ? height - 1 - i : i;
                    distance_step(field_row(transform->mask, y) + start, transform->threshold,
                                  transform->outside, transform->limit, nearest, count);
                    distance_keep(field_row(transform->squared, y) + start, nearest, !up && turn == 0, count);
                }
        }
    }
}

// The lower envelope of a row's parabolas; returns how many form it.
static int envelope(const Transform *transform, const float *row, Parabola *parabolas) {
    const int width = transform->mask->width;
    int count = 0;
    for (int at = -transform->margin; at < width + transform->margin; at++) {
        const float g = row[(at + width) % width];
        if (g >= transform->limit)
            continue;
        Parabola next = { -INFINITY, at, (float)((double)(g * g) * transform->down) };
        while (count > 0) { // where the two intersect
            const Parabola *last = &parabolas[count - 1];
            const double rise = (double)next.height - (double)last->height;
            const double apart = at - last->at, middle = 0.5 * ((double)at + last->at);
            next.start = middle + 0.5 * rise / apart;
            if (next.start > last->start)
                break;
            count--;
            next.start = -INFINITY;
        }
        parabolas[count++] = next;
    }
    return count;
}

// A squared distance, of which these are the squares across and down, less half a cell along it: half its
// width along rows, half its height along columns.
static float less_half(float across, float down, double tall) {
    const double square = (double)across + (double)down;
    const double half = square > 0 ? 0.5 * sqrt(((double)across + tall * (double)down) / square) : 0;
    const double left = sqrt(square) - half;
    return (float)(left * left);
}

static void along_rows(void *context, int first, int end) {
    const Transform *transform = context;
    const int width = transform->mask->width, height = transform->mask->height;
    for (int block = first; block < end; block++) {
        const size_t places = (size_t)width + 2 * (size_t)transform->margin;
        Parabola *parabolas = transform->parabolas + (size_t)block * places;
        const int stop = min((block + 1) * transform->rows, height);
        for (int y = block * transform->rows; y < stop; y++) {
            float *row = field_row(transform->squared, y);
            const int count = envelope(transform, row, parabolas);
            for (int x = 0, k = 0; x < width; x++) {
                while (k + 1 < count && parabolas[k + 1].start < x)
                    k++;
                const float off = (float)(x - parabolas[k].at), square = off * off + parabolas[k].height;
                row[x] = !count                 ? transform->nowhere * transform->nowhere
                         : transform->to_border ? less_half(off * off, parabolas[k].height, transform->down)
                                                : square;
            }
        }
    }
}

Status distance_transform(const Run *run, const Field *mask, double tall, float threshold, bool outside,
                          bool to_border, bool wraps, Field *squared, Error *error) {
    Transform transform = { .mask = mask,
                            .squared = squared,
                            .threshold = threshold,
                            .outside = outside,
                            .wraps = wraps,
                            .limit = distance_limit(mask),
                            .down = tall * tall,
                            .to_border = to_border,
                            .nowhere = (float)(mask->width + tall * mask->height),
                            .turns = wraps ? 2 : 1,
                            .margin = wraps ? mask->width / 2 : 0,
                            .rows = (mask->height + BLOCKS - 1) / BLOCKS };
    const int strips = (mask->width + STRIP - 1) / STRIP;
    const int blocks = (mask->height + transform.rows - 1) / transform.rows;
    const size_t places = (size_t)mask->width + 2 * (size_t)transform.margin;
    transform.parabolas = memory_new(memory_count(blocks, (int64_t)places), sizeof(Parabola), error);
    Status status = transform.parabolas ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, strips, mask->height * (STRIP * 0.6), down_columns, &transform);
    if (status == STATUS_OK)
        status = parallel_rows(run, blocks, (double)transform.rows * mask->width * 6, along_rows, &transform);
    memory_free(transform.parabolas);
    return status;
}

// --- the operation -----------------------------------------------------------------------------------------

typedef struct Distance {
    double threshold;
    bool signed_distance;
} Distance;

typedef struct Scaling {
    Field *result;
    const Field *inside; // of signed distances, those inside; NULL: none
    float cell;          // its width in the result
    float half;          // a cell; 0: the distances are to the border
} Scaling;

// A cell and its neighbour across the border of a mask are each half a cell from it.
KERNEL static void distance_rows(void *context, int first, int end) {
    const Scaling *scaling = context;
    Field *result = scaling->result;
    const Field *inside = scaling->inside;
    const float scale = scaling->cell, half = scaling->half;
    for (int y = first; y < end; y++) {
        float *restrict row = field_row(result, y);
        if (!inside) {
            for (int x = 0; x < result->width; x++)
                row[x] = sqrtf(row[x]) * scale;
            continue;
        }
        const float *restrict within = field_row(inside, y);
        for (int x = 0; x < result->width; x++) {
            const float out = sqrtf(row[x]) - half, in = half - sqrtf(within[x]);
            row[x] = (row[x] > 0 ? out : in) * scale;
        }
    }
}

// The lines of a network, at least a cell wide.
static Status draw_lines(const Call *call, const RiverNetwork *network, Field *mask, Error *error) {
    const Status status = field_create(mask, network->width, network->height, error);
    if (status != STATUS_OK)
        return status;
    mask->wraps = call->wraps;
    return stroke_network(call->run, mask, &(Strokes){ .network = network, .scale = 1, .least = 1 }, error);
}

static Status draw_place(const Call *call, Field *mask, Error *error) {
    const Input *input = &call->inputs[0];
    const Window window = { "their window", input->type->frame((void *)input->value),
                            (int)value_property(input->type, "width")->get(input->value),
                            (int)value_property(input->type, "height")->get(input->value) };
    const double reach = call->wraps ? HUGE_VAL : input_radius(input) + 1;
    const Status met = input_check_meeting(input, &window, reach, error);
    if (met != STATUS_OK)
        return met;
    RiverNetwork *dots;
    const RiverNetwork *lines = input_lines(input, &dots, error);
    const Status status = lines ? draw_lines(call, lines, mask, error) : STATUS_MEMORY;
    memory_free(dots);
    return status;
}

// A mask whose gaps have this height, with which they belong neither to it nor to what is outside.
static Status fill_gaps(const Field *mask, float height, Field *filled, Error *error) {
    const Status status = field_create(filled, mask->width, mask->height, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(mask); i++)
        field_cells(filled)[i] = field_has_data(mask, i) ? mask->cells[i] : height;
    return status;
}

static void doubt_rows(const Call *call, const Field *ground, double cell) {
    const CellShape first = field_row_shape(ground, 0), last = field_row_shape(ground, ground->height - 1);
    const double uneven = fabs(first.across - last.across) / (first.across + last.across), most = 0.005;
    if (uneven > most)
        tell(call->notice,
             "cells are %.6g m wide in the first row and %.6g m in the last, and distances are measured by "
             "those in the middle, up to %.2g %% wrong: project the map (gdalwarp -t_srs)",
             cell * first.across, cell * last.across, 100 * uneven);
}

// Metres of a cell's sides where the ground is known, as in the middle of the field; elsewhere in N.
static CellShape cell_sides(const Call *call, const Field *mask) {
    const Field ground = { .width = call->frame_width, .height = call->frame_height, .frame = call->frame };
    const double cell = frame_is_set(&call->frame) ? field_cell_metres(&ground) : 0;
    const CellShape shape = field_cell_shape(&ground);
    if (cell > 0)
        doubt_rows(call, &ground, cell);
    const double unit = 1 / (double)field_side(mask);
    return cell > 0 ? (CellShape){ cell * shape.across, cell * shape.down } : (CellShape){ unit, unit };
}

static Status run(const Call *call, Error *error) {
    const Distance *distance = call->params;
    const Field *given = call->inputs[0].field;
    Field lines = { 0 }, inside = { 0 }, without = { 0 }, within = { 0 }, *result = &call->outputs[0].field;
    Status status = given ? STATUS_OK : draw_place(call, &lines, error);
    const Field *mask = given ? given : &lines, *ground = mask;
    if (status == STATUS_OK && mask->gaps) {
        status = fill_gaps(mask, -FLT_MAX, &without, error);
        if (status == STATUS_OK)
            status = fill_gaps(mask, FLT_MAX, &within, error);
        mask = &without;
        ground = &within;
    }
    const float threshold = given ? (float)distance->threshold : 0.499f;
    const CellShape sides = status == STATUS_OK ? cell_sides(call, mask) : (CellShape){ 1, 1 };
    const double tall = sides.down / sides.across;
    const bool to_border = distance->signed_distance && tall != 1;
    if (status == STATUS_OK)
        status = field_create(&call->outputs[0].field, mask->width, mask->height, error);
    if (status == STATUS_OK)
        status = distance_transform(call->run, mask, tall, threshold, false, to_border, call->wraps, result,
                                    error);
    if (status == STATUS_OK && distance->signed_distance) {
        status = field_create(&inside, mask->width, mask->height, error);
        if (status == STATUS_OK)
            status = distance_transform(call->run, ground, tall, threshold, true, to_border, call->wraps,
                                        &inside, error);
    }
    if (status == STATUS_OK) {
        result->wraps = call->wraps;
        Scaling scaling = { result, inside.cells ? &inside : NULL, (float)sides.across,
                            to_border ? 0 : 0.5f };
        status = parallel_rows(call->run, mask->height, mask->width * 1.0, distance_rows, &scaling);
    }
    field_free(&lines);
    field_free(&inside);
    field_free(&without);
    field_free(&within);
    return status;
}

static const Param params[] = {
    PARAM(Distance, threshold, .initial = 0.5, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "cells above this belong to the mask"),
    { .name = "signed",
      .kind = PARAM_BOOLEAN,
      .offset = offsetof(Distance, signed_distance),
      .doc = "gives the distance to the mask's border, negative inside: that of centres less half a cell, "
             "which is exact along rows and columns and up to 0.21 cells too long off corners; otherwise "
             "inside is 0" },
    { 0 },
};

const Operation op_distance = {
    .name = "distance",
    .gaps = GAPS_KEPT, // which belong to no mask
    .measures = MEASURES_CELLS,
    .category = "places",
    .summary = "Gives each cell's distance to a mask, or to the lines of a network",
    .description =
        "With a frame distances are in metres, by the cells in the middle of the field; without one in units "
        "of N, the longer side of the field. They are Euclidean and exact, between the centres of cells; "
        "where edges meet, the shortest one across them counts. A network's lines have their width or one "
        "cell, points are disks of their radius, also across edges that meet. If no cell belongs to the "
        "mask, all distances are the sum of width and height.",
    .source = "Felzenszwalb and Huttenlocher 2012, Distance transforms of sampled functions",
    .inputs = { { "mask",
                  "a mask, or heights and a threshold; a network; or points",
                  { &type_field, &type_network, &type_points, &type_lines, &type_polygons } } },
    .outputs = { { "distance", "distances", .dimension = DIMENSION_LENGTH } },
    .params = params,
    .params_size = sizeof(Distance),
    .wrapping = WRAPPING_CHOSEN,
    .shapes_outputs = true,
    .example = "local coast = (height - 0.4):distance{ threshold = 0, signed = true }",
    .picture = "local away = height:distance{ threshold = 0.6 }\n"
               "return height, away:normalize{}:relief{ contrast = 0 }",
    .keywords = "euclidean transform edt sdf proximity buffer coast near",
    .see_also = "flatten morphology remap",
    .run = run,
};
