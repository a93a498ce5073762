// Cuts out a rectangle. Cells beyond an edge come from the opposite side where edges meet; where they do
// not, they are an error.

#include "core/math.h"
#include "core/operation.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

typedef struct Crop {
    int x, y, width, height;
    Numbers box;
} Crop;

typedef struct Cut {
    const Field *from;
    Field *to;
    int left, top;
} Cut;

static void cut_rows(void *context, int first, int end) {
    const Cut *cut = context;
    const int width = cut->from->width;
    for (int y = first; y < end; y++) {
        const float *row = field_row(cut->from, (cut->top + y) % cut->from->height);
        float *out = field_row(cut->to, y);
        for (int x = 0, count; x < cut->to->width; x += count) { // from one edge of the field to the next
            const int start = (cut->left + x) % width, left = cut->to->width - x;
            count = min(width - start, left);
            memcpy(out + x, row + start, (size_t)count * sizeof *row);
        }
    }
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

// The cells that a rectangle of the map touches, by more than a hundredth of a cell.
static Status find_box(const Field *from, const Frame *frame, const Numbers *box, Crop *crop, Error *error) {
    if (!frame_is_upright(frame))
        return fail(error, STATUS_INVALID, "box: %s",
                    frame_is_set(frame) ? "the field is turned or mirrored: crop by columns and rows"
                                        : "the field has no place on a map: georeference gives it one");
    if (!(box->at[0] < box->at[2] && box->at[1] < box->at[3]))
        return fail(error, STATUS_INVALID,
                    "box must be { left, bottom, right, top }, left below right and bottom below top");
    const double least = 0.01;
    const double left = (box->at[0] - frame->x) / frame->right_x,
                 right = (box->at[2] - frame->x) / frame->right_x,
                 top = (box->at[3] - frame->y) / frame->down_y,
                 bottom = (box->at[1] - frame->y) / frame->down_y;
    const int first = whole_within(floor(left + least), 0, from->width),
              end = whole_within(ceil(right - least), 0, from->width),
              upper = whole_within(floor(top + least), 0, from->height),
              lower = whole_within(ceil(bottom - least), 0, from->height);
    if (first >= end || upper >= lower) {
        double low[2], high[2];
        frame_locate(frame, 0, from->height, low);
        frame_locate(frame, from->width, 0, high);
        return fail(error, STATUS_INVALID,
                    "box lies outside the field, which goes from %.9g, %.9g to %.9g, %.9g", low[0], low[1],
                    high[0], high[1]);
    }
    *crop = (Crop){ .x = first, .y = upper, .width = end - first, .height = lower - upper };
    return STATUS_OK;
}

static Status run(const Call *call, Error *error) {
    Crop boxed = { 0 };
    const Crop *crop = call->params;
    if (crop->box.count) {
        const Status found = find_box(call->inputs[0].field, &call->frame, &crop->box, &boxed, error);
        if (found != STATUS_OK)
            return found;
        crop = &boxed;
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
          .doc = "{ left, bottom, right, top } in coordinates of the field's map, instead: the cells that "
                 "this touches, "
                 "as far as the field goes"),
    { 0 },
};

const Operation op_crop = {
    .name = "crop",
    .gaps = GAPS_MOVED,
    .category = "filter",
    .keywords = "cut window shift offset translate roll subset",
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
    .example = "local corner = height:crop{ x = 10, y = 20, width = 32, height = 16 }",
    .picture = "return height:crop{ x = 32, y = 32, width = 64, height = 64 }",
    .see_also = "resize",
    .run = run,
};
