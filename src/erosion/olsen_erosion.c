// Olsen's erosion for games (Olsen 2004, "A new proposed algorithm"): the paper's optimized thermal erosion
// with the condition reversed. Ground FLATTER than the talus is levelled; steeper slopes remain and get
// steeper. Each cell immediately gives half of the difference to the lowest of its four neighbours where 0 <
// d <= T: material received from earlier cells moves on in the same pass. This widens the flats, and is why
// this erosion, unlike the others, depends on the order of cells (in_place.h).

#include "core/kernel.h"
#include "core/math.h"
#include "core/operation.h"
#include "erosion/erodibility.h"
#include "erosion/in_place.h"

typedef struct OlsenErosion {
    int iterations;
    double talus; // T
    const Field *mask;
} OlsenErosion;

typedef struct Pass {
    Interleaved heights, shares; // shares: the mask; of one row where there is none
    float talus;
} Pass;

// Erodes one cell. Of equally low neighbours the first is chosen; `a` … `d` are cells that `centre` may
// give to.
KERNEL_INLINE void level_cell(float *centre, float *a, float *b, float *c, float *d, float share,
                              float talus) {
    const float height = *centre;
    const float ab = min(*a, *b), cd = min(*c, *d), lowest = min(ab, cd);
    const float difference = height - lowest;
    const float given = difference > 0 && difference <= talus ? 0.5f * share * difference : 0;
    const float to_a = *a == lowest ? given : 0;
    const float after_a = *a == lowest ? 0 : given;
    const float to_b = *b == lowest ? after_a : 0;
    const float after_b = *b == lowest ? 0 : after_a;
    const float to_c = *c == lowest ? after_b : 0;
    const float to_d = *c == lowest ? 0 : after_b;
    *centre = height - given;
    *a += to_a;
    *b += to_b;
    *c += to_c;
    *d += to_d;
}

KERNEL_INLINE void level_strips(float *restrict centre, float *restrict left, float *restrict right,
                                float *restrict up, float *restrict down, const float *restrict share,
                                float talus) {
    for (int strip = 0; strip < STRIPS; strip++)
        level_cell(&centre[strip], &left[strip], &right[strip], &up[strip], &down[strip], share[strip],
                   talus);
}

// The neighbours on one side are in other strips, at `beside`.
KERNEL_INLINE void level_edge(float *up, float *row, float *down, const float *share, int i,
                              const int *beside, float talus) {
    float *centre = row + i * STRIPS, neighbours[STRIPS];
    for (int strip = 0; strip < STRIPS; strip++)
        neighbours[strip] = row[beside[strip]];
    if (i == 0)
        level_strips(centre, neighbours, centre + STRIPS, up, down, share, talus);
    else
        level_strips(centre, centre - STRIPS, neighbours, up, down, share, talus);
    for (int strip = 0; strip < STRIPS; strip++)
        row[beside[strip]] = neighbours[strip];
}

static void level_one(const StripLayout *layout, float *up, float *row, float *down, float share, int x,
                      float talus) {
    const int here = interleaved_column(layout, x);
    level_cell(&row[here], &row[interleaved_column(layout, x - 1)], &row[interleaved_column(layout, x + 1)],
               &up[here], &down[here], share, talus);
}

// Cell i of each strip, or of the wider ones.
KERNEL_INLINE void level_step(const StripLayout *layout, float *up, float *row, float *down,
                              const float *share, int i, float talus) {
    const int at = i * STRIPS;
    if (i == layout->strip)
        for (int strip = 0; strip < layout->rest; strip++)
            level_one(layout, up, row, down, share[strip], strip_column(layout, strip, i), talus);
    else if (i == 0 || i == layout->strip - 1)
        level_edge(up + at, row, down + at, share, i, i == 0 ? layout->left_of_first : layout->right_of_last,
                   talus);
    else
        level_strips(row + at, row + at - STRIPS, row + at + STRIPS, up + at, down + at, share, talus);
}

KERNEL static void level_row(void *context, const Course *course, int y) {
    const Pass *pass = context;
    const StripLayout *layout = &pass->heights.layout;
    const float *share = interleaved_row(&pass->shares, pass->shares.layout.height == 1 ? 0 : y);
    float *row = interleaved_row(&pass->heights, y);
    float *up = interleaved_row(&pass->heights, y - 1), *down = interleaved_row(&pass->heights, y + 1);
    const int length = course_length(layout);
    for (int step = 0; step < length; step++) {
        const int i = course_cell(layout, course, step);
        if (layout->strip == 0) {
            level_one(layout, up, row, down, course_takes(course, i, y) ? share[i] : 0, i, pass->talus);
            continue;
        }
        const float *own = share + i * STRIPS;
        float taken[STRIPS];
        if (!course->all) {
            const Course among = *course;
            for (int strip = 0; strip < STRIPS; strip++)
                taken[strip] = course_takes(&among, strip_column(layout, strip, i), y) ? own[strip] : 0;
            own = taken;
        }
        level_step(layout, up, row, down, own, i, pass->talus);
    }
}

static Status run(const Call *call, Error *error) {
    const OlsenErosion *erosion = call->params;
    Pass pass = { .talus = (float)erosion->talus };
    const StripLayout layout = strip_layout(call->width, call->height, call->wraps);
    Field ones = { 0 };
    Status status = erodibility_check(call, erosion->mask, error);
    if (status == STATUS_OK && !erosion->mask)
        status = field_create(&ones, call->width, 1, error);
    for (size_t x = 0; status == STATUS_OK && x < field_count(&ones); x++)
        field_cells(&ones)[x] = 1;
    if (status == STATUS_OK)
        status =
            interleaved_create(&pass.shares, layout, call->run, erosion->mask ? erosion->mask : &ones, error);
    if (status == STATUS_OK)
        status = interleaved_create(&pass.heights, layout, call->run, call->inputs[0].field, error);
    if (status == STATUS_OK)
        status = sweep_in_place(call->run, &layout, erosion->iterations, call->width * 1.0, level_row, &pass);
    if (status == STATUS_OK)
        status = interleaved_read(&pass.heights, call->run, &call->outputs[0].field);
    interleaved_free(&pass.heights);
    interleaved_free(&pass.shares);
    field_free(&ones);
    return status;
}

static const Param params[] = {
    PARAM(OlsenErosion, iterations, .initial = 50, .min = 0, .max = 1e6, .doc = "passes over the field"),
    PARAM(OlsenErosion, talus, .initial = 16, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "largest height difference that is levelled"),
    PARAM_MASK(OlsenErosion),
    { 0 },
};

const Operation op_olsen_erosion = {
    .name = "olsen_erosion",
    .measures = MEASURES_SQUARES,
    .category = "erosion",
    .keywords = "weathering flatten playable fast",
    .summary = "Levels ground that is flatter than the talus and leaves steeper slopes alone",
    .description = "Makes wide flats between steep slopes, as strategy games need, in a fraction of the "
                   "time of hydraulic erosion. The paper uses a talus of 8 to 20; after 50 passes "
                   "little changes. Material is conserved.\n\n"
                   "Cells change one after another, which makes the flats wide. Their order is part of "
                   "the algorithm (src/erosion/in_place.h), does not depend on the number of threads, "
                   "and favours no row, column or direction.\n\n"
                   "The effect decreases with resolution: with the same arguments, a field of twice the "
                   "side changes about half as much, relative to the standard deviation of its heights, "
                   "and more passes do not restore it. For the same flats on a larger field, erode a "
                   "smaller field and resize it.",
    .source = "Olsen 2004, A new proposed algorithm",
    .inputs = { { "height", "heights, 0 to 1" } },
    .outputs = { { "height", "eroded heights", .heights = true } },
    .params = params,
    .params_size = sizeof(OlsenErosion),
    .example = "local land = height:olsen_erosion{ talus = 12, iterations = 20 }",
    .wrapping = WRAPPING_CHOSEN,
    .see_also = "thermal_erosion playability",
    .run = run,
};
