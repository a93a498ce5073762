// Any field in the colours of a palette, without shading; with a legend of its values if wanted.

#include "core/elementary.h"
#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/summary.h"
#include "core/whole.h"
#include "picture/colour.h"
#include "picture/lettering.h"
#include "rivers/line_coverage.h"

#include <math.h>
#include <string.h>

typedef struct Colorize {
    Palette palette;
    double low, high;
    bool legend;
} Colorize;

// A share of the range has the palette's colour at `below` of it less 1, or from `middle` on at `above` of
// what is beyond that.
typedef struct Sides {
    double middle, below, above;
} Sides;

typedef struct Colouring {
    const Field *values;
    const Field *letters; // of the legend, as high as the image; no cells: no legend
    Image *image;
    Ramp *ramp;
    Pixel colours[RAMP_COLOURS]; // the ramp's
    double low, scale;           // `low` … `high` as 0 … 1
    Sides sides;
} Colouring;

enum { BAR = 14, GAP = 8, TICK = 6, LETTER = 9, TICKS_MAX = 26, LEGEND_LEAST = 3 * LETTER }; // pixels

enum { CHUNK = 256 };

KERNEL_INLINE double height_at(Sides sides, double share) {
    const double below = share * sides.below - 1, above = (share - sides.middle) * sides.above;
    return share < sides.middle ? below : above;
}

// Colours for -1 … 1 take the whole range. Where they break off at a coast it is at 0, and a range without
// negative values has none.
static Sides find_sides(const Palette *palette, double low, double high) {
    if (palette->stops[0].height >= 0)
        return (Sides){ 0, 0, 1 };
    if (!palette_has_coast(palette))
        return (Sides){ 0.5, 2, 2 };
    if (low >= 0)
        return (Sides){ 0, 0, 1 };
    if (high <= 0)
        return (Sides){ 1, 1, 0 };
    const double middle = -low / (high - low);
    return (Sides){ middle, 1 / middle, 1 / (1 - middle) };
}

// The steps of the ramp at `count` values.
KERNEL static void ramp_steps(const float *restrict values, int count, double low, double scale, Sides sides,
                              int *restrict steps) {
    for (int i = 0; i < count; i++)
        steps[i] = ramp_step(height_at(sides, clamp(((double)values[i] - low) * scale, 0, 1)));
}

static void colour_cells(const Colouring *colouring, const float *values, int count, Pixel *pixels) {
    int steps[CHUNK];
    for (int start = 0, some; start < count; start += some) {
        some = min(count - start, CHUNK);
        ramp_steps(values + start, some, colouring->low, colouring->scale, colouring->sides, steps);
        for (int i = 0; i < some; i++)
            pixels[start + i] = colouring->colours[steps[i]];
    }
}

static Light legend_at(const Colouring *colouring, int x, int y) {
    const int height = colouring->image->height, left = GAP, top = LETTER;
    const Light paper = { 1, 1, 1 }, ink = { 0.02f, 0.02f, 0.02f };
    const double share = colouring->scale > 0 ? 1 - (y - top + 0.5) / (height - 2 * top) : 0;
    if (x >= left && x < left + BAR && y >= top && y < height - top)
        return ramp_at(colouring->ramp, height_at(colouring->sides, share));
    return light_blend(paper, ink, field_row(colouring->letters, y)[x]);
}

static void colour_rows(void *context, int first, int end) {
    const Colouring *colouring = context;
    const int width = colouring->values->width, whole = colouring->image->width;
    for (int y = first; y < end; y++) {
        Pixel *pixels = image_row(colouring->image, y);
        colour_cells(colouring, field_row(colouring->values, y), width, pixels);
        for (int x = width; x < whole; x++) {
            const Light light = legend_at(colouring, x - width, y);
            encode_lights(colouring->ramp, &light.red, &light.green, &light.blue, 1, pixels + x);
        }
    }
}

// 1, 2 or 5 times a power of ten, `parts` of which or a few more fill the range.
static double round_step(double range, double parts) {
    const double rough = max(range / parts, 1e-300);
    const double power_of_ten = power(10, floor(logarithm(rough) / logarithm(10) + 1e-9));
    const double share = rough / power_of_ten;
    return power_of_ten * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

typedef struct Ticks {
    int count;
    double y[TICKS_MAX];
    NumberText text[TICKS_MAX];
} Ticks;

// Where numbers would touch on a low image, only the lower one is written.
static void add_tick(Ticks *ticks, double y, NumberText text) {
    if (ticks->count > 0 && ticks->y[ticks->count - 1] - y < LETTER + 1)
        return;
    ticks->y[ticks->count] = y;
    ticks->text[ticks->count++] = text;
}

// Orders, codes and counts have no values between whole numbers.
static bool are_whole(const Field *values) {
    for (size_t i = 0; i < field_count(values); i++)
        if (values->cells[i] != rintf(values->cells[i]))
            return false;
    return true;
}

static Ticks find_ticks(double low, double high, bool whole, int height) {
    const double inside = height - 2 * LETTER, scale = 1 / (high - low);
    Ticks ticks = { 0 };
    if (!(high > low)) {
        add_tick(&ticks, height / 2.0, number_text(low, fabs(low)));
        return ticks;
    }
    const int most = clamp((height - 2 * LETTER) / (3 * LETTER), 1, 8);
    const double round = round_step(high - low, most), step = whole ? max(round, 1) : round,
                 first = ceil(low / step - 1e-9);
    for (int i = 0; i <= 3 * most; i++) {
        const double value = (first + i) * step;
        if (value > high + 1e-9 * step)
            break;
        add_tick(&ticks, LETTER + (1 - (value - low) * scale) * inside, number_text(value, step));
    }
    return ticks;
}

// The legend's width, so that the longest number has the margin of the bar.
static int legend_width(const Ticks *ticks) {
    double longest = 0;
    for (int i = 0; i < ticks->count; i++)
        longest = max(longest, letter_length(ticks->text[i].text, LETTER));
    return GAP + BAR + TICK + whole_int(ceil(longest)) + GAP;
}

// Ticks with numbers beside the bar.
static Status write_legend(const Ticks *ticks, int width, int height, Field *letters, Error *error) {
    const Status status = field_create(letters, width, height, error);
    if (status != STATUS_OK)
        return status;
    memset(field_cells(letters), 0, field_count(letters) * sizeof(float));
    for (int i = 0; i < ticks->count; i++) {
        const double y = ticks->y[i];
        stroke_line(letters, (Vec2){ GAP + BAR, y }, (Vec2){ GAP + BAR + TICK / 2.0, y }, 1);
        letter_text(letters, ticks->text[i].text, (Vec2){ GAP + BAR + TICK, y - LETTER / 2.0 },
                    (Vec2){ 1, 0 }, LETTER);
    }
    return STATUS_OK;
}

static Status prepare(const Call *call, Colouring *colouring, Field *letters, Error *error) {
    const Colorize *params = call->params;
    const Field *values = call->inputs[0].field;
    double low = params->low, high = params->high;
    Status status = STATUS_OK;
    if (low == 0 && high == 0)
        status = field_range(call->run, values, &low, &high, error);
    else if (!(high > low))
        status = fail(error, STATUS_INVALID, "high must be above low, got %s and %s", digits_of(high).text,
                      digits_of(low).text);
    if (status != STATUS_OK)
        return status;
    const Ticks ticks = find_ticks(low, high, are_whole(values), values->height);
    const bool has_legend = params->legend && values->height >= LEGEND_LEAST;
    const int legend = has_legend ? legend_width(&ticks) : 0;
    if (params->legend && !has_legend)
        tell(call->notice, "no legend: it needs a field at least %d cells high, got %d", LEGEND_LEAST,
             values->height);
    if (values->width > SIDE_MAX - legend)
        return fail(error, STATUS_INVALID, "with this legend a field may be at most %d cells wide, got %d",
                    SIDE_MAX - legend, values->width);
    colouring->low = low;
    colouring->scale = high > low ? 1 / (high - low) : 0;
    colouring->sides = find_sides(&params->palette, low, high);
    status = image_create(&call->outputs[0].image, values->width + legend, values->height, error);
    if (status == STATUS_OK && has_legend)
        status = write_legend(&ticks, legend, values->height, letters, error);
    if (status == STATUS_OK && !(colouring->ramp = memory_new(1, sizeof *colouring->ramp, error)))
        status = STATUS_MEMORY;
    return status;
}

static Status run(const Call *call, Error *error) {
    const Colorize *params = call->params;
    Field letters = { 0 };
    Colouring colouring = { .values = call->inputs[0].field,
                            .letters = &letters,
                            .image = &call->outputs[0].image };
    Status status = prepare(call, &colouring, &letters, error);
    if (status == STATUS_OK) {
        ramp_fill(colouring.ramp, &params->palette);
        ramp_pixels(colouring.ramp, colouring.colours);
        status = parallel_rows(call->run, colouring.image->height, colouring.image->width * 6.0, colour_rows,
                               &colouring);
    }
    memory_free(colouring.ramp);
    field_free(&letters);
    return status;
}

static int colorize_reach(const Call *call) {
    return ((const Colorize *)call->params)->legend ? SEES_ALL : 0;
}

static const Param params[] = {
    PARAM(Colorize, palette, .initial_text = "viridis",
          .doc =
              "colours from low to high: the palette's from 0 to 1, or from -1 to 1 if it has colours below "
              "0. One with a coast, as \"grey\" and those of terrain, has it at the value 0: its colours "
              "below 0 show negative values only"),
    PARAM(Colorize, low, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "value of the first colour"),
    PARAM(Colorize, high, .initial = 0, .min = -HEIGHT_MAX, .max = HEIGHT_MAX,
          .doc = "value of the last colour; low and high 0: the range of the field"),
    PARAM(Colorize, legend,
          .doc =
              "whether a bar with the values is added on the right, if the field is at least 27 cells high"),
    { 0 },
};

const Operation op_colorize = {
    .name = "colorize",
    .reach = colorize_reach,
    .gaps = GAPS_KEPT,
    .category = "picture",
    .keywords = "colour color colormap colourmap palette legend heat map gradient ramp visualize visualise "
                "satmap table lut",
    .summary = "Shows any field in the colours of a palette, with a legend if wanted",
    .description = "For masks, flow, scores and differences. \"viridis\" is legible to colour-blind readers, "
                   "\"diverging\" is for values around a middle: set low = -high. "
                   "\"heights\" runs from black to white.",
    .inputs = { { "values", "any values" } },
    .outputs = { { "image", "their colours", &type_image } },
    .params = params,
    .params_size = sizeof(Colorize),
    .shapes_outputs = true,
    .example = "local slopes = height:gradient_angle():colorize{ legend = true }",
    .picture = "return height:gradient_angle():colorize{ legend = true }",
    .see_also = "relief texture image",
    .run = run,
};
