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
// distance in column q. Where edges meet, a row continues for half its length at both ends. Where rows differ
// on the ground, each takes its own width for the envelope.

enum { STRIP = 64, BLOCKS = 64 };

typedef struct Parabola {
    double start; // where it becomes the lowest
    int at;
    float along; // g, negative towards lower rows
} Parabola;

// g², in squares of a cell's width.
static inline float height_of(const Parabola *parabola, double down) {
    return (float)((double)(parabola->along * parabola->along) * down);
}

typedef struct Transform {
    const Field *mask;
    const CellShape *shapes; // of each row; NULL: all are alike
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

// Likewise on the way up, from the nearest ones below, whose distances become negative.
KERNEL static void distance_keep_below(float *restrict kept, const float *restrict nearest, int count) {
    for (int x = 0; x < count; x++)
        kept[x] = nearest[x] < kept[x] ? -nearest[x] : kept[x];
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
                    float *kept = field_row(transform->squared, y) + start;
                    if (up && transform->shapes)
                        distance_keep_below(kept, nearest, count);
                    else
                        distance_keep(kept, nearest, !up && turn == 0, count);
                }
        }
    }
}

// The square of a cell's height over its width.
static double down_of(const Transform *transform, int y) {
    if (!transform->shapes)
        return transform->down;
    const double tall = transform->shapes[y].down / transform->shapes[y].across;
    return tall * tall;
}

// The lower envelope of a row's parabolas; returns how many form it.
static int envelope(const Transform *transform, int y, Parabola *parabolas) {
    const float *row = field_row(transform->squared, y);
    const int width = transform->mask->width;
    const double down = down_of(transform, y);
    int count = 0;
    for (int at = -transform->margin; at < width + transform->margin; at++) {
        const float g = row[(at + width) % width];
        if (g >= transform->limit)
            continue;
        Parabola next = { -INFINITY, at, g };
        const double height = (double)height_of(&next, down);
        while (count > 0) { // where the two intersect
            const Parabola *last = &parabolas[count - 1];
            const double rise = height - (double)height_of(last, down);
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

// The squared distance of column x of row y from where a parabola's cell lies.
static float square_from(const Transform *transform, const Parabola *from, int x, int y) {
    const float off = (float)(x - from->at);
    if (!transform->shapes) {
        const float height = height_of(from, transform->down);
        return transform->to_border ? less_half(off * off, height, transform->down) : off * off + height;
    }
    const int other = whole_within((double)y - (double)from->along, 0, transform->mask->height - 1);
    const CellShape *upper = &transform->shapes[(y + other) / 2],
                    *lower = &transform->shapes[(y + other + 1) / 2];
    const double across = 0.5 * (upper->across + lower->across), down = 0.5 * (upper->down + lower->down);
    const double x_part = (double)off * across, y_part = (double)from->along * down;
    const double square = x_part * x_part + y_part * y_part;
    if (!transform->to_border || square == 0)
        return (float)square;
    const double half =
        0.5 * sqrt((across * across * x_part * x_part + down * down * y_part * y_part) / square);
    const double left = sqrt(square) - half;
    return (float)(left * left);
}

// From the k-th of the parabolas that form an envelope; where rows differ, from the nearest of it and the two
// beside it.
static float nearest_of(const Transform *transform, const Parabola *parabolas, int count, int k, int x,
                        int y) {
    float square = square_from(transform, &parabolas[k], x, y);
    for (int i = max(k - 1, 0); transform->shapes && i < min(k + 2, count); i++)
        square = min(square, square_from(transform, &parabolas[i], x, y));
    return square;
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
            const int count = envelope(transform, y, parabolas);
            for (int x = 0, k = 0; x < width; x++) {
                while (k + 1 < count && parabolas[k + 1].start < x)
                    k++;
                row[x] = count ? nearest_of(transform, parabolas, count, k, x, y)
                               : transform->nowhere * transform->nowhere;
            }
        }
    }
}

static Status transform_run(const Run *run, Transform *transform, Error *error) {
    const Field *mask = transform->mask;
    transform->limit = distance_limit(mask);
    transform->turns = transform->wraps ? 2 : 1;
    transform->margin = transform->wraps ? mask->width / 2 : 0;
    transform->rows = (mask->height + BLOCKS - 1) / BLOCKS;
    const int strips = (mask->width + STRIP - 1) / STRIP;
    const int blocks = (mask->height + transform->rows - 1) / transform->rows;
    const size_t places = (size_t)mask->width + 2 * (size_t)transform->margin;
    transform->parabolas = memory_new(memory_count(blocks, (int64_t)places), sizeof(Parabola), error);
    Status status = transform->parabolas ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK)
        status = parallel_rows(run, strips, mask->height * (STRIP * 0.6), down_columns, transform);
    if (status == STATUS_OK)
        status = parallel_rows(run, blocks, (double)transform->rows * mask->width * 6, along_rows, transform);
    memory_free(transform->parabolas);
    return status;
}

Status distance_transform(const Run *run, const Field *mask, double tall, float threshold, bool outside,
                          bool to_border, bool wraps, Field *squared, Error *error) {
    Transform transform = { .mask = mask,
                            .squared = squared,
                            .threshold = threshold,
                            .outside = outside,
                            .wraps = wraps,
                            .down = tall * tall,
                            .to_border = to_border,
                            .nowhere = (float)(mask->width + tall * mask->height) };
    return transform_run(run, &transform, error);
}

Status distance_by_rows(const Run *run, const Field *mask, const CellShape *rows, float threshold,
                        bool outside, bool to_border, Field *squared, Error *error) {
    const CellShape *middle = &rows[mask->height / 2];
    Transform transform = { .mask = mask,
                            .shapes = rows,
                            .squared = squared,
                            .threshold = threshold,
                            .outside = outside,
                            .to_border = to_border,
                            .nowhere = (float)(middle->across * mask->width + middle->down * mask->height) };
    return transform_run(run, &transform, error);
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

// How cells measure distances.
typedef struct Measure {
    CellShape sides; // in the result's unit: of a cell in the middle of the field
    CellShape *rows; // likewise of each row, where they differ; else NULL
} Measure;

// Edges that meet do so on no globe.
static void doubt_rows(const Call *call, const CellShape *first, const CellShape *last) {
    const double uneven = fabs(first->across - last->across) / (first->across + last->across), most = 0.005;
    if (uneven > most)
        tell(call->notice,
             "cells are %.6g m wide in the first row and %.6g m in the last, and where edges meet, distances "
             "are measured by those in the middle, up to %.2g %% wrong: give wrap = false",
             first->across, last->across, 100 * uneven);
}

static Status measure_rows(const Call *call, const Field *ground, double cell, Measure *measure,
                           Error *error) {
    bool differ = false;
    measure->rows = memory_new((size_t)ground->height, sizeof *measure->rows, error);
    if (!measure->rows)
        return STATUS_MEMORY;
    for (int y = 0; y < ground->height; y++) {
        const CellShape shape = field_row_shape(ground, y);
        measure->rows[y] = (CellShape){ cell * shape.across, cell * shape.down };
        differ = differ || measure->rows[y].across != measure->rows[0].across;
    }
    if (differ && call->wraps)
        doubt_rows(call, measure->rows, &measure->rows[ground->height - 1]);
    if (!differ || call->wraps) {
        memory_free(measure->rows);
        measure->rows = NULL;
    }
    return STATUS_OK;
}

// In metres where the ground is known, elsewhere in N.
static Status find_measure(const Call *call, const Field *mask, Measure *measure, Error *error) {
    const Field ground = { .width = call->frame_width, .height = call->frame_height, .frame = call->frame };
    const double cell = frame_is_set(&call->frame) ? field_cell_metres(&ground) : 0;
    const CellShape shape = field_cell_shape(&ground);
    const double unit = 1 / (double)field_side(mask);
    measure->sides =
        cell > 0 ? (CellShape){ cell * shape.across, cell * shape.down } : (CellShape){ unit, unit };
    return cell > 0 ? measure_rows(call, &ground, cell, measure, error) : STATUS_OK;
}

// For each cell the squared distance to the mask, or `outside` to what is not in it: in widths of a cell, or
// where rows differ in metres.
static Status find_squares(const Call *call, const Field *mask, const Measure *measure, bool outside,
                           Field *squared, Error *error) {
    const Distance *distance = call->params;
    const float threshold = call->inputs[0].field ? (float)distance->threshold : 0.499f;
    const double tall = measure->sides.down / measure->sides.across;
    const bool to_border = distance->signed_distance && (tall != 1 || measure->rows);
    const Status status = field_create(squared, mask->width, mask->height, error);
    if (status != STATUS_OK)
        return status;
    return measure->rows ? distance_by_rows(call->run, mask, measure->rows, threshold, outside, to_border,
                                            squared, error)
                         : distance_transform(call->run, mask, tall, threshold, outside, to_border,
                                              call->wraps, squared, error);
}

static Status run(const Call *call, Error *error) {
    const Distance *distance = call->params;
    const Field *given = call->inputs[0].field;
    Field lines = { 0 }, inside = { 0 }, without = { 0 }, within = { 0 }, *result = &call->outputs[0].field;
    Measure measure = { 0 };
    Status status = given ? STATUS_OK : draw_place(call, &lines, error);
    const Field *mask = given ? given : &lines, *ground = mask;
    if (status == STATUS_OK && mask->gaps) {
        status = fill_gaps(mask, -FLT_MAX, &without, error);
        if (status == STATUS_OK)
            status = fill_gaps(mask, FLT_MAX, &within, error);
        mask = &without;
        ground = &within;
    }
    if (status == STATUS_OK)
        status = find_measure(call, mask, &measure, error);
    if (status == STATUS_OK)
        status = find_squares(call, mask, &measure, false, result, error);
    if (status == STATUS_OK && distance->signed_distance)
        status = find_squares(call, ground, &measure, true, &inside, error);
    if (status == STATUS_OK) {
        const bool halved = measure.rows || measure.sides.down != measure.sides.across;
        result->wraps = call->wraps;
        Scaling scaling = { result, inside.cells ? &inside : NULL,
                            measure.rows ? 1 : (float)measure.sides.across, halved ? 0 : 0.5f };
        status = parallel_rows(call->run, mask->height, mask->width * 1.0, distance_rows, &scaling);
    }
    memory_free(measure.rows);
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
        "With a frame distances are in metres; without one in units of N, the longer side of the field. They "
        "are Euclidean and exact, between the centres of cells. In degrees and Mercator each is measured by "
        "the row between the two cells, and the nearest cell found by the sides of one's own row; "
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
