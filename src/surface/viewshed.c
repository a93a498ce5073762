// What can be seen from a point (Franklin and Ray 1994, "Higher isn't necessarily better: visibility
// algorithms and experiments", section "XDraw"): ring by ring around the observer, the steepest line of sight
// that passes over a cell is interpolated from the two cells of the ring before that the line crosses. Slopes
// are rises per ring, not per distance: along a ring they are linear on a plane, which hides nothing of
// itself. That is fast, and inexact away from the eight main directions; the same authors' R3, which follows
// the line of sight to each cell, is exact.

#include "core/gaps.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/transpose.h"
#include "core/whole.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct Viewshed {
    double x, y, eye, object, curvature, radius;
    bool exact;
} Viewshed;

// What is above and below the eye, up to the diagonals, or what is beside it. Eight parts, two on each side,
// need nothing of each other but the line between two, which both compute.
enum { PARTS = 4 };

// Columns beside the eye are turned to rows, so many at a time.
enum { BAND = 16, PADDING = 20 }; // rows a power of two apart would drive each other out of the cache

typedef struct Sight {
    const Run *run;
    const Field *height;
    Field *hidden;
    float *blocked;     // two lines for each part: the slope from the eye below which ground behind is hidden
    float *turned;      // for each part BAND columns of ground, and as many of what is hidden
    size_t turned_row;  // cells from one of these to the next
    int x, y;           // of the eye
    double eye, object; // height of the eye; of the object above the ground
    bool exact;
} Sight;

// The cells of one ring on one side.
typedef struct Line {
    const float *ground, *before; // of the ring before: what is blocked; columns are counted from the eye's
    float *hidden, *blocked;
    double eye, object;
    int ring;
} Line;

KERNEL_INLINE void look_at(const Line *line, int dx, double least) {
    const double ground = (double)line->ground[dx], slope = (ground - line->eye) / line->ring;
    const double needed = line->eye + least * line->ring - (ground + line->object);
    line->hidden[dx] = (float)(needed > 0 ? needed : 0);
    line->blocked[dx] = (float)(slope > least ? slope : least);
}

// The columns from `first` on, which the lines of sight cross between those of the ring before that are
// `side` and `side` + 1 further.
KERNEL static void look_along_ring(const Line *line, int first, int end, int side) {
    const Line at = *line;
    const double shrink = (at.ring - 1.0) / at.ring;
    const float *restrict before = at.before + side;
    INDEPENDENT_PASSES
    for (int dx = first; dx < end; dx++) {
        const double share = dx * shrink - (dx + side);
        look_at(&at, dx, lerp_double((double)before[dx], (double)before[dx + 1], share));
    }
}

// The part of a ring from the eye's column to the diagonal, which is in sight past the diagonal's last cell.
static void look_at_part(const Line *line, int way, int columns) {
    const int ring = line->ring, count = min(ring, columns); // of cells before the diagonal
    float ignored;
    Line middle = *line;
    if (way < 0) // the other part has it
        middle.hidden = &ignored;
    if (ring == 1) { // nothing stands between
        look_at(&middle, 0, ((double)line->ground[0] - line->eye) / ring);
        if (columns > 1)
            look_at(line, way, ((double)line->ground[way] - line->eye) / ring);
        return;
    }
    look_at(&middle, 0, (double)line->before[0]);
    if (way > 0)
        look_along_ring(line, 1, count, -1);
    else
        look_along_ring(line, 1 - count, 0, 0);
    if (columns > ring)
        look_at(line, way * ring, (double)line->before[way * (ring - 1)]);
}

static void look_at_parts(void *context, int first, int end) {
    const Sight *sight = context;
    const int width = sight->height->width, height = sight->height->height;
    for (int part = first; part < end; part++) {
        const int up = part & 1 ? -1 : 1, way = part & 2 ? -1 : 1;
        const int rings = up > 0 ? height - 1 - sight->y : sight->y;
        const int columns = way > 0 ? width - sight->x : sight->x + 1; // from the eye's to the edge
        float *lines[2];
        for (int i = 0; i < 2; i++) // with a cell more on both sides, which is read but counts for nothing
            lines[i] = sight->blocked + (size_t)(2 * part + i) * ((size_t)width + 2) + 1 + sight->x;
        for (int ring = 1; ring <= rings && !run_stopped(sight->run); ring++) {
            const int y = sight->y + up * ring;
            const Line line = { .ground = field_row(sight->height, y) + sight->x,
                                .before = lines[ring & 1],
                                .hidden = field_row(sight->hidden, y) + sight->x,
                                .blocked = lines[~ring & 1],
                                .eye = sight->eye,
                                .object = sight->object,
                                .ring = ring };
            look_at_part(&line, way, columns);
        }
    }
}

// Columns `from` on beside the eye, `sign` of them to the right or left, and their cells from the eye's row
// on, `way` down or up, until `rows`: `ground` has a column in each of its rows, counted from the eye's.
static void turn_band(const Sight *sight, int from, int sign, int columns, int way, int rows, float *ground) {
    for (int r = 0; r < rows; r++) {
        const float *row = field_row(sight->height, sight->y + way * r) + sight->x + sign * from;
        float *to = ground + way * r;
        for (int k = 0; k < columns; k++)
            to[(size_t)k * sight->turned_row] = row[sign * k];
    }
}

// What is hidden of such columns, back into the field, up to the diagonal. The eye's row is the part's where
// `way` is down.
static void turn_band_back(const Sight *sight, int from, int sign, int columns, int way, int rows,
                           const float *hidden) {
    for (int r = way < 0; r < rows; r++) {
        float *row = field_row(sight->hidden, sight->y + way * r) + sight->x + sign * from;
        const float *out = hidden + way * r;
        for (int k = max(0, r - from); k < columns; k++)
            row[sign * k] = out[(size_t)k * sight->turned_row];
    }
}

static void look_beside_parts(void *context, int first, int end) {
    const Sight *sight = context;
    const int width = sight->height->width, height = sight->height->height;
    for (int part = first; part < end; part++) {
        const int sign = part & 1 ? -1 : 1, way = part & 2 ? -1 : 1;
        const int rings = sign > 0 ? width - 1 - sight->x : sight->x;
        const int reach = way > 0 ? height - sight->y : sight->y + 1; // from the eye's row to the edge
        float *lines[2], *turned = sight->turned + (size_t)part * 2 * BAND * sight->turned_row;
        for (int i = 0; i < 2; i++)
            lines[i] =
                sight->blocked + (size_t)(2 * part + i) * ((size_t)max(width, height) + 2) + 1 + sight->y;
        float *ground = turned + sight->y, *hidden = ground + BAND * sight->turned_row;
        for (int from = 1; from <= rings && !run_stopped(sight->run); from += BAND) {
            const int columns = min(BAND, rings + 1 - from), rows = min(from + columns, reach);
            turn_band(sight, from, sign, columns, way, rows, ground);
            for (int k = 0; k < columns; k++) {
                const int ring = from + k;
                const Line line = { .ground = ground + (size_t)k * sight->turned_row,
                                    .before = lines[ring & 1],
                                    .hidden = hidden + (size_t)k * sight->turned_row,
                                    .blocked = lines[~ring & 1],
                                    .eye = sight->eye,
                                    .object = sight->object,
                                    .ring = ring };
                look_at_part(&line, way, reach);
            }
            turn_band_back(sight, from, sign, columns, way, rows, hidden);
        }
    }
}

// Raises `least` of the columns from the eye's to the diagonal, on one side, to the slopes of the ground that
// their lines of sight cross in row `k`; those of ring `ring` are asked for.
static void raise_slopes(const Sight *sight, const float *ground, int k, int ring, int way, int count,
                         float *least) {
    const double part = 1.0 / ring, inverse = 1.0 / k;
    int whole = 0, rest = 0; // of the column times k / ring
    for (int column = 0; column < count; column++) {
        const double nearer = (double)ground[way * whole],
                     height = lerp_double(nearer, (double)ground[way * (whole + (rest > 0))], rest * part);
        const float slope = (float)((height - sight->eye) * inverse);
        least[way * column] = max(least[way * column], slope);
        rest += k;
        const int carry = rest >= ring;
        whole += carry;
        rest -= carry ? ring : 0;
    }
}

// The same for what they cross between rows, at the columns between the eye's and theirs.
static void raise_slopes_between(const Sight *sight, int up, int ring, int way, int count, float *least) {
    const ptrdiff_t row = (ptrdiff_t)up * sight->height->width;
    const float *from = field_row(sight->height, sight->y) + sight->x;
    for (int column = 2; column < count; column++) {
        const int step = ring / column, part = ring % column; // rows for each column
        int whole = 0, rest = 0;
        float steepest = least[way * column];
        for (int k = 1; k < column; k++) {
            rest += part;
            whole += step + (rest >= column);
            rest -= rest >= column ? column : 0;
            const float *near = from + whole * row + way * k;
            const double share = (double)rest / column,
                         height = lerp_double((double)near[0], (double)near[rest > 0 ? row : 0], share);
            steepest = max(steepest, (float)((height - sight->eye) / (whole + share)));
        }
        least[way * column] = steepest;
    }
}

static void follow_lines(void *context, int first, int end) {
    const Sight *sight = context;
    const int right = sight->height->width - sight->x, left = sight->x + 1; // columns to the edges
    for (int y = first; y < end && !run_stopped(sight->run); y++) {
        const int ring = abs(y - sight->y), up = y < sight->y ? -1 : 1;
        if (ring == 0)
            continue;
        const int after = min(ring + 1, right), before = min(ring + 1, left);
        const float *ground = field_row(sight->height, y) + sight->x;
        float *hidden = field_row(sight->hidden, y) + sight->x; // slopes at first
        for (int dx = 1 - before; dx < after; dx++)
            hidden[dx] = -FLT_MAX;
        for (int k = 1; k < ring; k++) {
            const float *crossed = field_row(sight->height, sight->y + up * k) + sight->x;
            raise_slopes(sight, crossed, k, ring, 1, after, hidden);
            raise_slopes(sight, crossed, k, ring, -1, before, hidden);
        }
        raise_slopes_between(sight, up, ring, 1, after, hidden);
        raise_slopes_between(sight, up, ring, -1, before, hidden);
        for (int dx = 1 - before; dx < after; dx++) {
            const double line = sight->eye + (double)hidden[dx] * ring,
                         needed = line - ((double)ground[dx] + sight->object);
            hidden[dx] = (float)(ring > 1 && needed > 0 ? needed : 0);
        }
    }
}

static Status look(const Sight *sight) {
    const Field *height = sight->height;
    if (sight->exact)
        return parallel_rows(sight->run, height->height, (double)field_count(height), follow_lines,
                             (void *)sight);
    return parallel_rows(sight->run, PARTS, 0.5 * (double)field_count(height), look_at_parts, (void *)sight);
}

// What is beside the eye, in fields of their own, transposed and back.
static Status follow_beside(const Call *call, Sight *sight, Error *error) {
    const Field *height = sight->height;
    Field *hidden = sight->hidden, turned = { 0 }, turned_hidden = { 0 };
    Status status = field_create(&turned, call->height, call->width, error);
    if (status == STATUS_OK)
        status = field_create(&turned_hidden, call->height, call->width, error);
    if (status == STATUS_OK)
        status = field_transpose(call->run, height, &turned);
    if (status == STATUS_OK) {
        Sight beside = *sight;
        beside.height = &turned;
        beside.hidden = &turned_hidden;
        beside.x = sight->y;
        beside.y = sight->x;
        status = look(&beside);
    }
    if (status == STATUS_OK)
        status = field_transpose(call->run, &turned_hidden, hidden);
    field_free(&turned);
    field_free(&turned_hidden);
    return status;
}

static Status look_beside(const Call *call, Sight *sight, Error *error) {
    sight->turned_row = (size_t)call->height + PADDING;
    sight->turned = memory_new(2 * BAND * PARTS * sight->turned_row, sizeof(float), error);
    const Status status = sight->turned
                              ? parallel_rows(call->run, PARTS, 0.5 * (double)field_count(sight->height),
                                              look_beside_parts, sight)
                              : STATUS_MEMORY;
    memory_free(sight->turned);
    return status;
}

// What is beside the eye; then what is above and below it, and the diagonals once more.
static Status look_around(const Call *call, Sight *sight, Error *error) {
    Status status = sight->exact ? follow_beside(call, sight, error) : look_beside(call, sight, error);
    if (status == STATUS_OK)
        status = look(sight);
    return status == STATUS_OK && run_stopped(call->run) ? STATUS_STOPPED : status;
}

// --- the earth ---------------------------------------------------------------------------------------------

// The ground as it stands against lines of sight: lower by curvature * d² / (2 R) at a distance d, R the
// semi-major axis of the system's ellipsoid. The earth curves away; refraction bends light after it, so that
// about 6/7 of that remain, as in gdal_viewshed's -cc (Wang, Robinson and White 2000, "Generating viewsheds
// without using sightlines").
typedef struct Bending {
    const Field *height;
    Field *bent;
    double x, y;    // of the eye
    double fall;    // heights by which ground of a metre's distance is lower, and as its square
    double radius2; // square metres; beyond, nothing is looked at
    unsigned char *far;
} Bending;

static void bend_rows(void *context, int first, int end) {
    const Bending *bending = context;
    const Field *height = bending->height;
    const double cell = field_cell_metres(height);
    const CellShape eye = field_row_shape(height, index_within(bending->y, height->height));
    for (int y = first; y < end; y++) {
        const CellShape shape = field_row_shape(height, y);
        const double across = 0.5 * (shape.across + eye.across) * cell,
                     down = (y - bending->y) * 0.5 * (shape.down + eye.down) * cell;
        const float *row = field_row(height, y);
        float *bent = bending->bent->cells ? field_row(bending->bent, y) : NULL;
        for (int x = 0; x < height->width; x++) {
            const double aside = (x - bending->x) * across, distance2 = aside * aside + down * down;
            if (bent)
                bent[x] = (float)((double)row[x] - bending->fall * distance2);
            if (bending->far)
                bending->far[(size_t)y * (size_t)height->width + (size_t)x] =
                    distance2 > bending->radius2 ||
                    !field_has_data(height, (size_t)y * (size_t)height->width + (size_t)x);
        }
    }
}

// `bent` stays empty where the earth is taken for flat, `far` NULL without a radius.
static Status bend(const Call *call, Sight *sight, Field *bent, Gaps **far, Error *error) {
    const Viewshed *params = call->params;
    const Field *height = sight->height;
    const Frame *frame = &height->frame;
    const double cell = field_cell_metres(height), unit = frame_height_metres(frame);
    const double usual = 6 / 7.0, axis = ground_of_system(frame->system)->axis;
    const bool on_earth = frame->system && cell > 0 && unit > 0;
    const double curvature = isnan(params->curvature) ? (on_earth ? usual : 0) : params->curvature;
    if ((!isnan(params->radius) || curvature != 0) && !(cell > 0 && (unit > 0 || curvature == 0)))
        return fail(error, STATUS_INVALID,
                    "%s: the field has no frame in which lengths are known: set one with georeference",
                    isnan(params->radius) ? "curvature" : "radius");
    double uneven;
    if (curvature != 0 && frame_check_ground(frame, call->width, call->height, &uneven, error) != STATUS_OK)
        return STATUS_INVALID;
    Status status = curvature != 0 ? field_create(bent, height->width, height->height, error) : STATUS_OK;
    if (status == STATUS_OK && !isnan(params->radius) && !(*far = gaps_new(field_count(height), error)))
        status = STATUS_MEMORY;
    Bending bending = { .height = height,
                        .bent = bent,
                        .x = sight->x,
                        .y = sight->y,
                        .fall = curvature != 0 ? curvature / (2 * axis * unit) : 0,
                        .radius2 = params->radius * params->radius,
                        .far = *far ? (*far)->at : NULL };
    if (status == STATUS_OK && (bent->cells || *far))
        status = parallel_rows(call->run, height->height, height->width * 2.0, bend_rows, &bending);
    if (status == STATUS_OK && bent->cells)
        sight->height = bent;
    return status;
}

// In metres as high as a person's, elsewhere a fiftieth of heights of 0 to 1.
static double eye_height(const Field *height, double eye) {
    const double unit = frame_is_of_map(&height->frame) ? 0 : frame_height_metres(&height->frame);
    return !isnan(eye) ? eye : unit > 0 ? 1.75 / unit : 0.02;
}

// -----------------------------------------------------------------------------------------------------------

static Status run(const Call *call, Error *error) {
    const Viewshed *params = call->params;
    const Field *height = call->inputs[0].field;
    Field bent = { 0 };
    Gaps *far = NULL;
    const size_t side = (size_t)max(call->width, call->height);
    Sight sight = { .run = call->run,
                    .height = height,
                    .hidden = &call->outputs[0].field,
                    .blocked = memory_new_zeroed(2 * PARTS * (side + 2), sizeof(float), error),
                    .x = index_within(params->x * call->width, call->width),
                    .y = index_within(params->y * call->height, call->height),
                    .object = params->object,
                    .exact = params->exact };
    if (!sight.blocked)
        return STATUS_MEMORY;
    if (!field_has_data(height, (size_t)sight.y * (size_t)height->width + (size_t)sight.x)) {
        memory_free(sight.blocked);
        return fail(error, STATUS_INVALID, "x and y: the cell %d, %d of the eye has no data", sight.x,
                    sight.y);
    }
    sight.eye = (double)field_row(height, sight.y)[sight.x] + eye_height(height, params->eye);
    Status status = bend(call, &sight, &bent, &far, error);
    if (status == STATUS_OK)
        status = look_around(call, &sight, error);
    field_row(sight.hidden, sight.y)[sight.x] = 0;
    if (status == STATUS_OK && far)
        field_set_gaps(sight.hidden, far);
    else
        gaps_release(far);
    field_free(&bent);
    memory_free(sight.blocked);
    return status;
}

static const Param params[] = {
    PARAM(Viewshed, x, .initial = 0.5, .min = 0, .max = 1, .unit = UNIT_PLACE,
          .doc = "position of the eye: by default as a share of the width"),
    PARAM(Viewshed, y, .initial = 0.5, .min = 0, .max = 1, .unit = UNIT_PLACE,
          .doc = "position of the eye: by default from the top, as a share of the height"),
    PARAM(Viewshed, eye, .optional = true, .min = 0, .max = HEIGHT_MAX, .unit = UNIT_HEIGHTS,
          .doc = "height of the eye above the ground; by default 1.75 m, or 0.02 without a frame"),
    PARAM(Viewshed, object, .initial = 0, .min = 0, .max = HEIGHT_MAX, .unit = UNIT_HEIGHTS,
          .doc = "height of the object that is looked at, above the ground"),
    PARAM(Viewshed, curvature, .optional = true, .min = -10, .max = 10,
          .doc = "share of the earth's curvature that counts, as in gdal_viewshed -cc; 6/7: light is "
                 "refracted; 0: "
                 "the earth is flat; by default 6/7 in a coordinate system, elsewhere 0"),
    PARAM(Viewshed, radius, .optional = true, .min = 1e-6, .max = 1e9, .unit = UNIT_METRES,
          .doc =
              "how far one looks; ground farther away is a gap in the result; by default as far as the field "
              "goes"),
    PARAM(Viewshed, exact,
          .doc = "follow the line of sight to each cell (R3 of the source): exact, and some hundred times "
                 "slower; otherwise lines are interpolated from ring to ring (XDraw)"),
    { 0 },
};

const Operation op_viewshed = {
    .name = "viewshed",
    .gaps = GAPS_KEPT,
    .category = "surface",
    .keywords = "visible visibility sight line hidden observer lookout ray raycast",
    .summary = "Computes what is visible from a point: 0 for visible ground, else how far it is below the "
               "line of sight",
    .description =
        "A tower as high as the result would just be visible. Without exact this holds along rows, "
        "columns and diagonals; elsewhere up to one cell in a hundred is taken for visible or hidden "
        "wrongly. For a mask of the visible ground: hidden:select{ height = { 0, 0 } }.",
    .source = "Franklin and Ray 1994, Higher isn't necessarily better: visibility algorithms and experiments",
    .inputs = { { "height", "heights" } },
    .outputs = { { "hidden", "height between the ground and the line of sight, 0 or more",
                   .dimension = DIMENSION_HEIGHT } },
    .params = params,
    .params_size = sizeof(Viewshed),
    .example = "local hidden = height:viewshed{ x = 0.3, y = 0.6, eye = 0.01 }",
    .wrapping = WRAPPING_LOST,
    .picture = "local hidden = height:viewshed{ x = 0.4, y = 0.55 }\n"
               "local eye = esker.points{ size = height.width, list = { { 0.4 * height.width, 0.55 * "
               "height.width } } }\n"
               "return height:relief{}:paint(hidden:remap{ from = { 0, 0.02 } }, { colour = \"#141a2c\", "
               "opacity = 0.7 }):paint(eye, { line = 6 })",
    .see_also = "sky_view hillshade openness",
    .run = run,
};
