// Cuts out a rectangle. Cells beyond an edge come from the opposite side where edges meet; where they do
// not, they are an error.

#include "core/math.h"
#include "core/operation.h"
#include "core/stream.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

typedef struct Crop {
    int x, y, width, height;
    Numbers box;
    int coordinates; // BoxCoordinates
} Crop;

typedef enum BoxCoordinates { BOX_OF_MAP, BOX_OF_DEGREES } BoxCoordinates;

typedef struct Cut {
    const Field *from;
    Field *to;
    int left, top;
} Cut;

static void cut_rows(void *context, int first, int end) {
    const Cut *cut = context;
    const int width = cut->from->width;
    const bool past = streams(cut->to);
    for (int y = first; y < end; y++) {
        const float *row = field_row(cut->from, (cut->top + y) % cut->from->height);
        float *out = field_row(cut->to, y);
        for (int x = 0, count; x < cut->to->width; x += count) { // from one edge of the field to the next
            const int start = (cut->left + x) % width, left = cut->to->width - x;
            count = min(width - start, left);
            if (past)
                stream_cells(out + x, row + start, count);
            else
                memcpy(out + x, row + start, (size_t)count * sizeof *row);
        }
    }
    stream_end();
}

typedef struct Side {
    int first, count;
    bool whole; // a terrain that tiles, once or several times
} Side;

// Resolves columns or rows `at` … `at + count - 1` of a field that has `all`; `count` 0: all from `at` on.
static Status find_side(const char *what, int all, int at, int count, bool wraps, Side *side, Error *error) {
    if (wraps) {
        count = count ? count : all;
        *side = (Side){ (at % all + all) % all, count, count % all == 0 };
        return STATUS_OK;
    }
    count = count ? count : all - at;
    if (at < 0 || count < 1 || at > all - count)
        return fail(error, STATUS_INVALID, "%s %d to %d exceed the field's 0 to %d, and it does not wrap",
                    what, at, at + count - 1, all - 1);
    *side = (Side){ at, count, false };
    return STATUS_OK;
}

// The least and the greatest column and row, in cells, of the sides of a rectangle, which bend where degrees
// are projected.
static Status find_extent(const Frame *frame, const Crop *crop, double least[2], double most[2],
                          Error *error) {
    enum { STEPS = 32 };
    const double *box = crop->box.at;
    for (int i = 0; i < 4 * STEPS; i++) {
        const double along = (i % STEPS) / (double)STEPS;
        const double x = box[0] + (box[2] - box[0]) * (i < STEPS       ? along
                                                       : i < 2 * STEPS ? 1
                                                       : i < 3 * STEPS ? 1 - along
                                                                       : 0);
        const double y = box[1] + (box[3] - box[1]) * (i < STEPS       ? 0
                                                       : i < 2 * STEPS ? along
                                                       : i < 3 * STEPS ? 1
                                                                       : 1 - along);
        double place[2] = { x, y }, cell[2];
        if (crop->coordinates == BOX_OF_DEGREES) {
            const Status status = frame_place_of_degrees(frame, x, y, place, error);
            if (status != STATUS_OK)
                return status;
        }
        if (!frame_cell_at(frame, place, cell))
            return fail(error, STATUS_INVALID, "box: the place is too far away");
        for (int k = 0; k < 2; k++) {
            least[k] = i > 0 ? min(least[k], cell[k]) : cell[k];
            most[k] = i > 0 ? max(most[k], cell[k]) : cell[k];
        }
    }
    return STATUS_OK;
}

// The cells that a rectangle of the map touches, by more than a hundredth of a cell.
static Status find_box(const Field *from, const Frame *frame, const Crop *given, Crop *crop, Error *error) {
    const double *box = given->box.at, slack = 0.01;
    if (!frame_is_set(frame))
        return fail(error, STATUS_INVALID, "box: the field has no place on a map: georeference gives it one");
    if (!(box[0] < box[2] && box[1] < box[3]))
        return fail(error, STATUS_INVALID,
                    "box must be { left, bottom, right, top }, left below right and bottom below top");
    double least[2] = { 0 }, most[2] = { 0 };
    const Status status = find_extent(frame, given, least, most, error);
    if (status != STATUS_OK)
        return status;
    const int first = whole_within(floor(least[0] + slack), 0, from->width),
              end = whole_within(ceil(most[0] - slack), 0, from->width),
              upper = whole_within(floor(least[1] + slack), 0, from->height),
              lower = whole_within(ceil(most[1] - slack), 0, from->height);
    if (first >= end || upper >= lower) {
        char where[160];
        frame_describe(frame, where, sizeof where);
        return fail(error, STATUS_INVALID, "box lies outside the field: %d × %d cells, %s%s", from->width,
                    from->height, where,
                    given->coordinates == BOX_OF_MAP ? "; coordinates = \"degrees\" takes longitude and "
                                                       "latitude"
                                                     : "");
    }
    *crop = (Crop){ .x = first, .y = upper, .width = end - first, .height = lower - upper };
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    Crop boxed = { 0 };
    const Crop *crop = call->params;
    if (crop->box.count) {
        const Status found = find_box(call->inputs[0].field, &call->frame, crop, &boxed, error);
        if (found != STATUS_OK)
            return found;
        crop = &boxed;
    } else if (crop->coordinates == BOX_OF_DEGREES) {
        return fail(error, STATUS_INVALID,
                    "coordinates are those of box, { left, bottom, right, top }, which is not given; x, y, "
                    "width and height count cells");
    }
    const Field *from = call->inputs[0].field;
    Field *to = &call->outputs[0].field;
    Side columns = { 0 }, rows = { 0 };
    Status status = find_side("columns", from->width, crop->x, crop->width, call->wraps, &columns, error);
    if (status == STATUS_OK)
        status = find_side("rows", from->height, crop->y, crop->height, call->wraps, &rows, error);
    if (status == STATUS_OK)
        status = field_create(&call->outputs[0].field, columns.count, rows.count, error);
    if (status != STATUS_OK)
        return status;
    call->outputs[0].field.wraps = columns.whole && rows.whole;
    const Frame part = { .x = crop->x, .y = crop->y, .right_x = 1, .down_y = 1 };
    to->frame = frame_of_part(&from->frame, &part);
    Cut cut = { from, to, columns.first, rows.first };
    return parallel_rows(call->run, to->height, to->width * 0.3, cut_rows, &cut);
}

static const Param params[] = {
    PARAM(Crop, x, .initial = 0, .min = -SIDE_MAX, .max = SIDE_MAX, .unit = UNIT_CELLS, .doc = "left column"),
    PARAM(Crop, y, .initial = 0, .min = -SIDE_MAX, .max = SIDE_MAX, .unit = UNIT_CELLS, .doc = "top row"),
    PARAM(Crop, width, .initial = 0, .min = 0, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "columns; 0: all, or up to the edge if edges do not meet"),
    PARAM(Crop, height, .initial = 0, .min = 0, .max = SIDE_MAX, .unit = UNIT_CELLS,
          .doc = "rows; 0: all, or up to the edge if edges do not meet"),
    PARAM(Crop, box, .rows_min = 4, .rows_max = 4, .min = -1e15, .max = 1e15, .optional = true,
          .doc = "{ left, bottom, right, top } on the map, instead: the cells that this touches, as far as "
                 "the field goes"),
    PARAM(Crop, coordinates, .choices = CHOICES("map", "degrees"),
          .doc = "what box is given in: the coordinates of the field's frame, or longitude and latitude"),
    { 0 },
};

const Operation op_crop = {
    .name = "crop",
    .gaps = GAPS_MOVED,
    .category = "filter",
    .keywords = "cut window shift offset translate roll subset region slice split subarray",
    .summary = "Cuts out a rectangle, or shifts a terrain that tiles",
    .description = "Where edges meet, crop{ x = 100 } shifts the whole field by 100 columns, and a "
                   "rectangle larger than the field repeats it; both results wrap. Smaller rectangles "
                   "do not wrap. Where edges do not meet, the rectangle must be inside the field.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "the rectangle", .heights = true } },
    .params = params,
    .params_size = sizeof(Crop),
    .always_finite = "copies cells",
    .wrapping = WRAPPING_CHOSEN,
    .framing = FRAMING_SET,
    .shapes_outputs = true,
    .example = "local corner = height:crop{ x = 10, y = 20, width = 32, height = 16 }\n"
               "local placed = height:georeference{ x = 500000, y = 4000000, cell = 30, unit = \"m\" }\n"
               "local part = placed:crop{ box = { 500300, 3999000, 500900, 3999700 } }",
    .picture = "return height:crop{ x = 32, y = 32, width = 64, height = 64 }",
    .see_also = "resize",
    .run = run,
};
