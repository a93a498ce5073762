// A field at 2, 4 or 8 times its resolution, with eroded detail.
//
// The engine of eroded land (land/land.h) takes the field as its coarsest level, without eroding it, and
// inherits its streams into the finer ones, which it erodes. Its altitudes drift; so only the detail of each
// octave is taken, whose means over the field's cells are 0.

#include "core/error.h"
#include "core/field.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/parallel.h"
#include "core/summary.h"
#include "erosion/octaves.h"
#include "land/land.h"

#include <float.h>
#include <math.h>

// --- dry land ----------------------------------------------------------------------------------------------

// Detail of finer land makes no ponds inland.
// Children of inland cells that lie below the sea are raised to it. The means that are too high then are put
// right by a smooth refinement (octaves.h) of what is too much, which lowers the ground beside them as well:
// so it falls gently to what has become level. A few rounds leave little; for that, the children of a cell
// move towards their mean, which alone would leave a level square with steep sides.

enum { ROUNDS = 5, DRY_REACH = 6 }; // reach: of the refinement, in cells of the field
static const float HASTE = 1.8f;    // how much of what is too much a round takes away; the last: all

// Rows of the field, which may begin beyond its edges.
typedef struct Strip {
    int top, height;
} Strip;

typedef struct Drying {
    const Field *field;
    Field *finer, *excess; // excess: by how much the mean of a cell's children is too high
    int side;              // how many children lie along a cell's side
    float sea;
    Strip strip; // what may be below it
} Drying;

static int row_of(const Field *field, int y, bool wraps) { // -1: none
    return wraps ? wrap(y, field->height) : y >= 0 && y < field->height ? y : -1;
}

// Whether neither the cell nor one of the eight around it is sea.
static bool is_inland(const Drying *drying, int x, int y) {
    const Field *field = drying->field;
    float least = field_row(field, y)[x];
    for (int v = y - 1; v <= y + 1; v++) {
        const float *row = field_row(field, neighbour_at(v, field->height, drying->finer->wraps));
        for (int u = x - 1; u <= x + 1; u++)
            least = min(least, row[neighbour_at(u, field->width, drying->finer->wraps)]);
    }
    return least >= drying->sea;
}

// The children of a cell in one row.
static float *children(const Drying *drying, int x, int row) {
    return field_row(drying->finer, row) + (ptrdiff_t)x * drying->side;
}

static float least_child(const Drying *drying, int x, int y) {
    float least = FLT_MAX;
    for (int v = y * drying->side; v < (y + 1) * drying->side; v++)
        for (int u = 0; u < drying->side; u++)
            least = min(least, children(drying, x, v)[u]);
    return least;
}

// Raises the children of a cell to the sea; by how much their mean is too high then.
static float raise_children(const Drying *drying, int x, int y) {
    double sum = 0;
    for (int v = y * drying->side; v < (y + 1) * drying->side; v++)
        for (int u = 0; u < drying->side; u++) {
            float *child = children(drying, x, v) + u;
            *child = max(*child, drying->sea);
            sum += (double)*child;
        }
    return (float)(sum / (drying->side * drying->side) - (double)field_row(drying->field, y)[x]);
}

static void raise_rows(void *context, int first, int end) {
    const Drying *drying = context;
    for (int i = first; i < end; i++) {
        const int y = row_of(drying->field, drying->strip.top + i, drying->finer->wraps);
        for (int x = 0; y >= 0 && x < drying->field->width; x++) {
            float *excess = &field_row(drying->excess, y)[x];
            const bool wet = is_inland(drying, x, y) && least_child(drying, x, y) < drying->sea;
            *excess = wet || *excess != 0 ? raise_children(drying, x, y) : 0;
        }
    }
}

// The children of a cell move towards its height until none is below the sea.
static void shrink_children(const Drying *drying, int x, int y) {
    const float mean = field_row(drying->field, y)[x], sea = drying->sea, least = least_child(drying, x, y);
    if (!(least < sea))
        return;
    const float share = (mean - sea) / (mean - least);
    for (int v = y * drying->side; v < (y + 1) * drying->side; v++)
        for (int u = 0; u < drying->side; u++) {
            float *child = children(drying, x, v) + u;
            *child = max(mean + share * (*child - mean), sea);
        }
}

static void shrink_rows(void *context, int first, int end) {
    const Drying *drying = context;
    for (int i = first; i < end; i++) {
        const int y = row_of(drying->field, drying->strip.top + i, drying->finer->wraps);
        for (int x = 0; y >= 0 && x < drying->field->width; x++)
            if (is_inland(drying, x, y))
                shrink_children(drying, x, y);
    }
}

// --- rounds ------------------------------------------------------------------------------------------------

static bool any_excess(const Field *excess, int y) {
    bool any = false;
    for (int x = 0; x < excess->width; x++)
        any = any || field_row(excess, y)[x] != 0;
    return any;
}

// The rows with an excess and those around that their refinement reaches; none: of height 0.
static Strip strip_of(const Field *excess) {
    int top = excess->height, bottom = 0;
    for (int y = 0; y < excess->height; y++)
        if (any_excess(excess, y)) {
            top = min(top, y);
            bottom = y + 1;
        }
    if (top >= bottom)
        return (Strip){ 0 };
    const Strip strip = { top - DRY_REACH, bottom - top + 2 * DRY_REACH };
    return strip.height < excess->height ? strip : (Strip){ 0, excess->height };
}

static Status excess_of_strip(const Drying *drying, float haste, Field *taken, Error *error) {
    const Field *excess = drying->excess;
    const Status status = field_create(taken, excess->width, drying->strip.height, error);
    taken->wraps = drying->finer->wraps;
    for (int y = 0; y < taken->height && status == STATUS_OK; y++) {
        const int row = row_of(excess, drying->strip.top + y, taken->wraps);
        for (int x = 0; x < excess->width; x++)
            field_row(taken, y)[x] = row < 0 ? 0 : haste * field_row(excess, row)[x];
    }
    return status;
}

typedef struct Taking {
    const Field *taken;
    Field *finer;
    int top; // the row of `finer` that is the first of `taken`
} Taking;

static void take_rows(void *context, int first, int end) {
    const Taking *taking = context;
    for (int y = first; y < end; y++) {
        const int row = row_of(taking->finer, taking->top + y, taking->finer->wraps);
        for (int x = 0; row >= 0 && x < taking->finer->width; x++)
            field_row(taking->finer, row)[x] -= field_row(taking->taken, y)[x];
    }
}

static Status take_excess(const Run *run, const Drying *drying, int levels, float haste, Error *error) {
    Field taken = { 0 };
    Status status = excess_of_strip(drying, haste, &taken, error);
    for (int l = 0; l < levels && status == STATUS_OK; l++) {
        Field finer = { 0 };
        status = twice_as_fine(run, &taken, &finer, error);
        field_free(&taken);
        taken = finer;
    }
    Taking taking = { &taken, drying->finer, drying->strip.top * drying->side };
    if (status == STATUS_OK)
        status = parallel_rows(run, taken.height, taken.width * 0.5, take_rows, &taking);
    field_free(&taken);
    return status;
}

// Raises `finer`, which is `levels` times twice as fine as `field` and has its means, to `sea` and above,
// where a cell of `field` and the eight around it are: the coast crosses cells that touch the sea, no others.
// Means stay.
static Status keep_dry(const Run *run, const Field *field, int levels, float sea, Field *finer,
                       Error *error) {
    Field excess = { 0 };
    Drying drying = { field, finer, &excess, 1 << levels, sea, { 0, field->height } };
    const double cost = finer->width * 0.5 * drying.side;
    Status status = field_create(&excess, field->width, field->height, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(field); i++)
        field_cells(&excess)[i] = 0;
    for (int round = 0; round < ROUNDS && drying.strip.height > 0 && status == STATUS_OK; round++) {
        status = parallel_rows(run, drying.strip.height, cost, raise_rows, &drying);
        drying.strip = strip_of(&excess);
        if (status == STATUS_OK && drying.strip.height > 0)
            status = take_excess(run, &drying, levels, round + 1 < ROUNDS ? HASTE : 1, error);
    }
    if (status == STATUS_OK && drying.strip.height > 0)
        status = parallel_rows(run, drying.strip.height, cost, shrink_rows, &drying);
    field_free(&excess);
    return status;
}

// --- detail ------------------------------------------------------------------------------------------------

// Detail of a finer land, laid into a refined field octave by octave, so that the field's means stay.
// With U the smooth refinement (octaves.h), c the field and e_l the means of the detailed land over the cells
// of level l:
//
//     r₀ = c,  r_l = U(r_(l-1)) + w_l (e_l - U(e_(l-1)))
//
// The weight w_l gives an octave the strength that the field's own octaves lead to expect: with s₀ that of
// its finest octave, and q₀ = s₀ over that of the next coarser one,
//
//     q_l = 0.2 + 0.5 q_(l-1),  s_l = q_l s_(l-1)
//
// fitted to the octaves of 24 real models (docs/realism.md): land is smoother the closer one looks. Of that
// 0.78 is given to the first octave and 0.55 to the others: detail that is not where the real land has it
// makes the result differ more from it, and about as much keeps it closer than cubic interpolation
// (docs/amplify.md).

enum { DETAIL_LEVELS_MAX = 4 };

static double strength_of(const Summary *summary) {
    return sqrt(summary->mean * summary->mean + summary->stddev * summary->stddev);
}

// What a finer field has beyond the refinement of a coarser one.
typedef struct Beyond {
    const Field *fine, *coarse;
    int top; // the row of `fine` that is the first of `detail`
    Field *detail;
} Beyond;

KERNEL static void subtract_refined(const float *restrict fine, const float *restrict refined, int count,
                                    float *restrict detail) {
    for (int i = 0; i < count; i++)
        detail[i] = fine[i] - refined[i];
}

static void detail_rows(void *context, int first, int end) {
    const Beyond *beyond = context;
    float refined[2][2 * REFINED];
    for (int y = first; y < end; y++)
        for (int x = 0; x < beyond->coarse->width; x += REFINED) {
            const int count = min(REFINED, beyond->coarse->width - x);
            refine_cells(beyond->coarse, beyond->top / 2 + y, x, count, refined[0], refined[1]);
            for (int i = 0; i < 2; i++)
                subtract_refined(field_row(beyond->fine, beyond->top + 2 * y + i) + (ptrdiff_t)2 * x,
                                 refined[i], 2 * count,
                                 field_row(beyond->detail, 2 * y + i) + (ptrdiff_t)2 * x);
        }
}

// How strong what `fine` has beyond the refinement of `coarse` is. A few rows of it at a time stay in the
// cache and take no new memory.
static Status measure_detail(const Run *run, const Field *fine, const Field *coarse, double *strength,
                             Error *error) {
    enum { ROWS = 128 };
    Field detail = { 0 };
    Beyond beyond = { fine, coarse, 0, &detail };
    SummaryParts parts = { 0 };
    Status status = field_create(&detail, fine->width, min((int)ROWS, fine->height), error);
    for (; beyond.top < fine->height && status == STATUS_OK; beyond.top += ROWS) {
        detail.height = min((int)ROWS, fine->height - beyond.top);
        status = parallel_rows(run, detail.height / 2, fine->width * 6.0, detail_rows, &beyond);
        if (status == STATUS_OK)
            status = summary_add(run, &detail, &parts, error);
    }
    field_free(&detail);
    const Summary summary = summary_of(&parts);
    *strength = strength_of(&summary);
    return status;
}

// Of the field's finest octave; `half` becomes its means over two by two cells. 0: it is too small to tell.
static Status own_octave(const Run *run, const Field *field, Field *half, double *strength, Error *error) {
    enum { LEAST = 4 };
    *strength = 0;
    if (min(field->width, field->height) < LEAST)
        return STATUS_OK;
    Field even = { 0 };
    Status status = half_as_fine(run, field, half, error);
    if (status == STATUS_OK)
        status = field_create(&even, 2 * half->width, 2 * half->height, error);
    for (int y = 0; status == STATUS_OK && y < even.height; y++)
        for (int x = 0; x < even.width; x++)
            field_row(&even, y)[x] = field_row(field, y)[x];
    if (status == STATUS_OK)
        status = measure_detail(run, &even, half, strength, error);
    field_free(&even);
    return status;
}

// What the octaves beyond the field's are expected to have.
static Status expected_strengths(const Run *run, const Field *field, int levels, double *strengths,
                                 Error *error) {
    Field half = { 0 }, quarter = { 0 };
    double own = 0, coarser = 0;
    Status status = own_octave(run, field, &half, &own, error);
    if (status == STATUS_OK && half.width > 0)
        status = own_octave(run, &half, &quarter, &coarser, error);
    field_free(&half);
    field_free(&quarter);
    double ratio = coarser > 0 ? min(own / coarser, 1.0) : 0.55;
    for (int l = 1; l <= levels; l++) {
        ratio = 0.2 + 0.5 * ratio;
        own *= ratio;
        strengths[l] = own * (l == 1 ? 0.78 : 0.55);
    }
    return status;
}

typedef struct Octave {
    const Field *result, *fine, *coarse; // r_(l-1), e_l, e_(l-1)
    float weight;
    Field *finer; // r_l; may be `fine`
} Octave;

KERNEL static void add_weighted(const float *refined, const float *fine, const float *coarse, float weight,
                                int count, float *finer) {
    INDEPENDENT_PASSES
    for (int i = 0; i < count; i++)
        finer[i] = refined[i] + weight * (fine[i] - coarse[i]);
}

static void octave_rows(void *context, int first, int end) {
    const Octave *octave = context;
    float refined[2][2 * REFINED], coarse[2][2 * REFINED];
    for (int y = first; y < end; y++)
        for (int x = 0; x < octave->result->width; x += REFINED) {
            const int count = min(REFINED, octave->result->width - x);
            refine_cells(octave->result, y, x, count, refined[0], refined[1]);
            refine_cells(octave->coarse, y, x, count, coarse[0], coarse[1]);
            for (int i = 0; i < 2; i++)
                add_weighted(refined[i], field_row(octave->fine, 2 * y + i) + (ptrdiff_t)2 * x, coarse[i],
                             octave->weight, 2 * count,
                             field_row(octave->finer, 2 * y + i) + (ptrdiff_t)2 * x);
        }
}

// r_l in the place of r_(l-1). That of the last level takes the place of e_l, too.
static Status add_octave(const Run *run, Field *result, Field *fine, const Field *coarse, bool last,
                         double expected, Error *error) {
    enum { WEIGHT_MAX = 8 };
    Field finer = { 0 };
    double strength = 0;
    Status status = measure_detail(run, fine, coarse, &strength, error);
    if (status == STATUS_OK && !last)
        status = field_create(&finer, fine->width, fine->height, error);
    const double weight = strength > 0 ? min(expected / strength, (double)WEIGHT_MAX) : 0;
    Octave octave = { result, fine, coarse, (float)weight, last ? fine : &finer };
    if (status == STATUS_OK)
        status = parallel_rows(run, result->height, fine->width * 12.0, octave_rows, &octave);
    if (last) {
        finer = *fine;
        *fine = (Field){ 0 };
    }
    finer.wraps = result->wraps;
    field_free(result);
    *result = finer;
    return status;
}

// `result`: the field, which becomes `levels` times twice as fine. `means[levels]`: the land that the detail
// is taken from, of that size; those before it, empty so far, become its means over larger cells, to be freed
// by the caller. The first is used up. `detail`: its strength; 1 for as much as the field's octaves lead to
// expect.
static Status add_detail(const Run *run, Field *result, Field *means, int levels, double detail,
                         Error *error) {
    double expected[DETAIL_LEVELS_MAX + 1];
    Status status = expected_strengths(run, result, levels, expected, error);
    for (int l = levels; l > 0 && status == STATUS_OK; l--)
        status = half_as_fine(run, &means[l], &means[l - 1], error);
    for (int l = 1; l <= levels && status == STATUS_OK; l++)
        status = add_octave(run, result, &means[l], &means[l - 1], l == levels, detail * expected[l], error);
    return status;
}

// --- amplified land ----------------------------------------------------------------------------------------

typedef struct Amplify {
    int levels;
    double detail, erodibility, roughness, sea_level, vertical_scale;
} Amplify;

// --- the field as level 0 ----------------------------------------------------------------------------------

// Around the field lies a margin, over whose border water leaves: of the other side where edges meet, else
// turned about the last cell.
typedef struct Ground {
    const Field *field;
    Field level; // with its margin, in cell sides
    int margin;
    double base, scale; // level = (height - base) × scale
} Ground;

enum { MARGIN = 4, MARGIN_WRAPPING = 48 };

enum { UNIT_BITS = 12 };

static const double RELIEF_MAX =
    1e4; // cells: what the engine's altitudes hold at every level, and more than any land has
static const double MEAN_SLOPE = 0.15; // that the engine works on, unless the vertical scale is given

static double mean_slope(const Field *field) {
    double sum = 0;
    size_t count = 0;
    for (int y = 0; y < field->height; y++) {
        double row = 0;
        for (int x = 1; x < field->width; x++)
            row += fabs((double)field_row(field, y)[x] - (double)field_row(field, y)[x - 1]);
        for (int x = 0; x < field->width && y > 0; x++)
            row += fabs((double)field_row(field, y)[x] - (double)field_row(field, y - 1)[x]);
        sum += row;
        count += (size_t)(field->width - 1) + (y > 0 ? (size_t)field->width : 0);
    }
    return count > 0 ? sum / (double)count : 0;
}

static void margin_rows(void *context, int first, int end) {
    Ground *ground = context;
    const Field *field = ground->field;
    for (int y = first; y < end; y++) {
        float *out = field_row(&ground->level, y);
        const int v = y - ground->margin;
        for (int x = 0; x < ground->level.width; x++) {
            const int u = x - ground->margin;
            double height;
            if (field->wraps) {
                const int at_x = (u % field->width + field->width) % field->width;
                const int at_y = (v % field->height + field->height) % field->height;
                height = (double)field_row(field, at_y)[at_x];
            } else {
                const int last_x = clamp(u, 0, field->width - 1), last_y = clamp(v, 0, field->height - 1);
                const int in_x = clamp(2 * last_x - u, 0, field->width - 1);
                const int in_y = clamp(2 * last_y - v, 0, field->height - 1);
                height = 2 * (double)field_row(field, last_y)[last_x] - (double)field_row(field, in_y)[in_x];
            }
            out[x] = (float)((height - ground->base) * ground->scale);
        }
    }
}

// Where no ground is below the sea, altitudes count from the lowest.
static Status prepare_ground(const Run *run, const Amplify *amplify, Ground *ground, Error *error) {
    const Field *field = ground->field;
    double low, high;
    Status status = field_range(run, field, &low, &high, error);
    if (status != STATUS_OK)
        return status;
    const double scale =
        amplify->vertical_scale > 0 ? amplify->vertical_scale : MEAN_SLOPE / mean_slope(field);
    ground->scale = min(scale, RELIEF_MAX / (high - low));
    ground->base =
        low < amplify->sea_level && high >= amplify->sea_level ? amplify->sea_level : low - 2 / ground->scale;
    ground->margin = field->wraps ? (int)MARGIN_WRAPPING : (int)MARGIN;
    status = field_create(&ground->level, field->width + 2 * ground->margin,
                          field->height + 2 * ground->margin, error);
    return status == STATUS_OK
               ? parallel_rows(run, ground->level.height, ground->level.width * 8.0, margin_rows, ground)
               : status;
}

// --- eroded land -------------------------------------------------------------------------------------------

// Where edges meet, the first BLEND cells of the field fade in from what lies beyond the far edge.
enum { BLEND = 16 };

typedef struct Reading {
    const LandWindow *window;
    Field *land;
    int blend;        // cells of the finest level
    double unit, sea; // the altitude of a unit, and of the sea, in the field's heights
} Reading;

static double altitude_at(const Reading *reading, int x, int y) {
    const LandWindow *window = reading->window;
    return (double)window->altitude[(size_t)y * (size_t)window->width + (size_t)x];
}

// 1 inside, less where the land fades in.
static double share_at(const Reading *reading, int at) {
    return at < reading->blend ? smoothstep((at + 0.5) / reading->blend) : 1;
}

static void read_rows(void *context, int first, int end) {
    const Reading *reading = context;
    Field *land = reading->land;
    for (int y = first; y < end; y++) {
        const double down = share_at(reading, y);
        for (int x = 0; x < land->width; x++) {
            const double right = share_at(reading, x);
            double altitude = altitude_at(reading, x, y);
            if (right < 1)
                altitude = lerp(altitude_at(reading, x + land->width, y), altitude, right);
            if (down < 1) {
                double beyond = altitude_at(reading, x, y + land->height);
                if (right < 1)
                    beyond = lerp(altitude_at(reading, x + land->width, y + land->height), beyond, right);
                altitude = lerp(beyond, altitude, down);
            }
            field_row(land, y)[x] = (float)(reading->sea + altitude * reading->unit);
        }
    }
}

static Status read_land(const Call *call, const Ground *ground, Land *land, Field *result, Error *error) {
    const Amplify *amplify = call->params;
    const Field *field = ground->field;
    const int levels = amplify->levels, blend = field->wraps ? BLEND << levels : 0;
    const Int128 at = (Int128)ground->margin << levels;
    LandWindow window = { 0 };
    Status status = land_altitudes(land, call->run, levels, at, at, (field->width << levels) + blend,
                                   (field->height << levels) + blend, &window, error);
    if (status == STATUS_OK)
        status = field_create(result, field->width << levels, field->height << levels, error);
    if (status == STATUS_OK) {
        const double unit = 1 / (ldexp(1, UNIT_BITS) * ground->scale * (1 << levels));
        Reading reading = { &window, result, blend, unit, ground->base + (double)window.base * unit };
        status = parallel_rows(call->run, result->height, result->width * 3.0, read_rows, &reading);
    }
    land_window_free(&window);
    return status;
}

// The coarser levels between the blocks of the finest, which is asked for once.
enum { KEPT_BYTES = 64 << 20 };

static Status erode(const Call *call, Field *result, Error *error) {
    const Amplify *amplify = call->params;
    LandRules rules = land_rules_default;
    rules.graded = NOT_GRADED; // the field decides on its slopes, and on the courses of its streams
    rules.meanders = false;
    rules.unit_bits = UNIT_BITS;
    Ground ground = { .field = call->inputs[0].field };
    Land *land = NULL;
    rules.erodibility = (float)amplify->erodibility;
    rules.roughness = (float)amplify->roughness;
    rules.uplift = 0.005f;
    rules.talus = 1.5f;
    rules.deposition = 0;
    rules.hillslope = 0;
    rules.seed = (uint32_t)(call->seed ^ call->seed >> 32);
    Field field = *ground.field;
    field.wraps = call->wraps;
    ground.field = &field;
    Status status = prepare_ground(call->run, amplify, &ground, error);
    if (status == STATUS_OK)
        status = land_create(&land, &rules, &ground.level, false, call->run, error);
    if (status == STATUS_OK)
        land_keep(land, KEPT_BYTES);
    if (status == STATUS_OK)
        status = read_land(call, &ground, land, result, error);
    land_free(land);
    field_free(&ground.level);
    if (status == STATUS_OK)
        result->wraps = call->wraps;
    return status;
}

// --- the operation -----------------------------------------------------------------------------------------

static Status copy_of(const Field *field, bool wraps, Field *copy, Error *error) {
    const Status status = field_create(copy, field->width, field->height, error);
    for (size_t i = 0; status == STATUS_OK && i < field_count(field); i++)
        field_cells(copy)[i] = field->cells[i];
    copy->wraps = wraps;
    return status;
}

static Status run(const Call *call, Error *error) {
    const Amplify *amplify = call->params;
    const Field *field = call->inputs[0].field;
    Field *result = &call->outputs[0].field, means[DETAIL_LEVELS_MAX + 1] = { 0 };
    if (field_side(field) > SIDE_MAX >> amplify->levels)
        return fail(error, STATUS_INVALID, "a side of %d cells is too long for %d levels: at most %d",
                    field_side(field), amplify->levels, SIDE_MAX >> amplify->levels);
    Status status = copy_of(field, call->wraps, result, error);
    const bool plain = !(mean_slope(field) > 0) || min(field->width, field->height) < 4;
    if (status == STATUS_OK && !plain)
        status = erode(call, &means[amplify->levels], error);
    if (status == STATUS_OK && !plain)
        status = add_detail(call->run, result, means, amplify->levels, amplify->detail, error);
    for (int l = 0; l < amplify->levels && plain && status == STATUS_OK; l++) {
        Field finer = { 0 };
        status = twice_as_fine(call->run, result, &finer, error);
        field_free(result);
        *result = finer;
    }
    if (status == STATUS_OK)
        status = keep_dry(call->run, field, amplify->levels, (float)amplify->sea_level, result, error);
    for (int l = 0; l <= amplify->levels; l++)
        field_free(&means[l]);
    return status;
}

static const Param params[] = {
    PARAM(Amplify, levels, .initial = 3, .min = 1, .max = DETAIL_LEVELS_MAX,
          .doc = "each doubles the cells along a side"),
    PARAM(Amplify, detail, .initial = 1, .min = 0, .max = 4,
          .doc = "strength of the detail; 0: a smooth refinement"),
    PARAM(Amplify, erodibility, .initial = 0.03, .min = 0.01, .max = 0.12, .doc = "how fast streams cut"),
    PARAM(Amplify, roughness, .initial = 0.15, .min = 0, .max = 1, .doc = "randomness of the detail"),
    PARAM(Amplify, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "lower ground is sea, which is not eroded"),
    PARAM(Amplify, vertical_scale, .initial = 0, .min = 0, .max = 1e9,
          .doc = "how many cells high a height of 1 is; 0: so that the mean slope becomes 0.15, on which the "
                 "erosion works best"),
    { 0 },
};

const Operation op_amplify = {
    .name = "amplify",
    .measures = MEASURES_SQUARES,
    .category = "erosion",
    .keywords = "upsample superresolution detail enlarge upscale refine subdivide subsurf subdivision",
    .summary = "Gives a terrain at 2, 4, 8 or 16 times its resolution, with eroded detail",
    .description = "The mean over the cells that come from one cell is that cell's height. Cells of land "
                   "that touch no sea, on a side or corner, get none; the coast crosses those that touch it. "
                   "Streams follow those of the coarse terrain, and the strength of each "
                   "octave of detail is extrapolated from the terrain's own octaves. A smooth sketch has "
                   "none and stays smooth: shape it first, as in "
                   "sketch:stream_erosion{ age = 0.4 }:amplify{}.",
    .source = "Donoho 1993, Smooth wavelet decompositions with blocky coefficient kernels; docs/amplify.md",
    .inputs = { { "height", "heights" } },
    .outputs = { { "height", "heights at the higher resolution", .heights = true } },
    .see_also = "resize hydraulic_erosion realism",
    .params = params,
    .params_size = sizeof(Amplify),
    .seeded = true,
    .wrapping = WRAPPING_CHOSEN,
    .shapes_outputs = true,
    .example = "local finer = height:amplify{ levels = 2 }",
    .picture = "return height:resize{ size = 32 }:amplify{}",
    .run = run,
};
