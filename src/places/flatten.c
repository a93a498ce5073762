// Level ground with a smooth edge. A mask gets one height, or the plane that fits its ground best. Lines get
// a bed: the ground along the line, smoothed by weights (1 - d² / r²)^4 of the distance d, so that what is
// above is cut and what is below is filled. Points get sites. The share of the new height is S(1 - d / edge),
// S(t) = t² (3 - 2t), d the distance to the mask, bed or site. Water keeps its bed, and the ground at a
// distance from water changes by at most `bank` times that distance, so that no wall stands on a shore.

#include "core/kernel.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/parallel.h"
#include "core/sample.h"
#include "core/whole.h"
#include "places/distance.h"
#include "places/overlay.h"
#include "places/points.h"

#include <math.h>
#include <string.h>

#define WATER 0.5f // a cell with a larger share is water

static bool is_wet(const Field *water, int x, int y) {
    return water && field_row(water, y)[x] > WATER;
}

// --- sites -------------------------------------------------------------------------------------------------

// Building sites at points: disks, each at one height.
// Each site is the disk of its point's radius. Where the edges of sites overlap, the level is a mean by
// weights
// ((edge - d) / (edge d))² of the distance d to the disk (Franke and Nielson 1980, "Smooth interpolation of
// large sets of scattered data"), so that each disk keeps its own.

typedef struct Sites {
    const Field *ground, *water; // `water` does not count for levels; NULL: none
    bool wraps;                  // whether its edges meet
    double level; // of all sites; NaN: each at the mean of its ground, but no lower than `sea_level`
    double sea_level;
    double radius;  // of points that have none of their own, in cells
    bool own_radii; // otherwise all have `radius`
    double edge;    // how far sites reach beyond their disks, in cells
} Sites;

typedef struct Site { // in cells from the centre of the first
    float x, y, radius, level;
} Site;

typedef struct Finding {
    const Sites *sites;
    int count;
    Site *at; // NULL: they are counted
    Field *levels, *weights, *squared;
} Finding;

// --- disks -------------------------------------------------------------------------------------------------

// A site, and where edges meet its images that reach into the field.
static void add_site(Finding *finding, const PlacePoint *point) {
    const Field *ground = finding->sites->ground;
    const double radius = max(
        finding->sites->own_radii && point->radius > 0 ? (double)point->radius : finding->sites->radius, 0.5);
    const double reach = radius + finding->sites->edge + 1;
    const int images = finding->sites->wraps ? 1 : 0;
    for (int j = -images; j <= images; j++)
        for (int i = -images; i <= images; i++) {
            const double x = point->x - 0.5 + i * (double)ground->width;
            const double y = point->y - 0.5 + j * (double)ground->height;
            if (!(x > -reach && x < ground->width + reach && y > -reach && y < ground->height + reach))
                continue;
            if (finding->at)
                finding->at[finding->count] = (Site){ (float)x, (float)y, (float)radius, 0 };
            finding->count++;
        }
}

static void add_sites(Finding *finding, const Points *points) {
    finding->count = 0;
    for (int i = 0; i < points->count; i++)
        add_site(finding, &points->at[i]);
}

// The mean of the ground whose cells' centres lie in a disk, or the ground at its centre.
static double mean_ground(const Sites *sites, const Site *site) {
    const Field *ground = sites->ground;
    const int width = ground->width, height = ground->height;
    const double x = (double)site->x, y = (double)site->y, radius = (double)site->radius;
    const int across = sites->wraps ? width : 0, down = sites->wraps ? height : 0; // beyond the edges
    const int left = double_to_within(ceil(x - radius), -across, width + across);
    const int right = double_to_within(floor(x + radius), -across - 1, width + across - 1);
    const int top = double_to_within(ceil(y - radius), -down, height + down);
    const int bottom = double_to_within(floor(y + radius), -down - 1, height + down - 1);
    double sum = 0, count = 0;
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++) {
            if ((i - x) * (i - x) + (j - y) * (j - y) > radius * radius)
                continue;
            const int column = neighbour_at(i, width, sites->wraps),
                      row = neighbour_at(j, height, sites->wraps);
            if (is_wet(sites->water, column, row))
                continue;
            sum += (double)field_row(ground, row)[column];
            count++;
        }
    return count > 0 ? sum / count : grid_sample(ground->cells, width, height, x, y);
}

static void level_sites(void *context, int first, int end) {
    const Finding *finding = context;
    const Sites *sites = finding->sites;
    for (int i = first; i < end; i++) {
        Site *site = &finding->at[i];
        const double level =
            isnan(sites->level) ? max(mean_ground(sites, site), sites->sea_level) : sites->level;
        site->level = (float)level;
    }
}

// --- cells -------------------------------------------------------------------------------------------------

// `squared_y` is of the distance to the site's row.
KERNEL static void count_site(const Site *site, float squared_y, float inverse_edge, int first, int end,
                              float *restrict sums, float *restrict weights, float *restrict nearest) {
    for (int x = first; x < end; x++) {
        const float dx = (float)x - site->x;
        const float away = max(sqrtf(dx * dx + squared_y) - site->radius, 0), squared = away * away;
        const float near = max(1 - away * inverse_edge, 0), weight = near * near / (squared + 1e-4f);
        sums[x] += weight * site->level;
        weights[x] += weight;
        nearest[x] = min(nearest[x], squared);
    }
}

static void site_rows(void *context, int first, int end) {
    const Finding *finding = context;
    const int width = finding->levels->width;
    const float edge = (float)finding->sites->edge, inverse_edge = 1 / max(edge, 1e-6f);
    for (int y = first; y < end; y++) {
        float *sums = field_row(finding->levels, y), *weights = field_row(finding->weights, y);
        float *nearest = field_row(finding->squared, y);
        for (int x = 0; x < width; x++)
            sums[x] = weights[x] = 0, nearest[x] = (edge + 1) * (edge + 1);
        for (int i = 0; i < finding->count; i++) {
            const Site *site = &finding->at[i];
            const float dy = (float)y - site->y, reach = site->radius + edge + 1;
            if (dy < reach && dy > -reach)
                count_site(site, dy * dy, inverse_edge, whole_within(site->x - reach, 0, width),
                           whole_within(site->x + reach + 1, 0, width), sums, weights, nearest);
        }
        for (int x = 0; x < width; x++)
            sums[x] = weights[x] > 0 ? sums[x] / weights[x] : 0;
    }
}

// Gives each cell the level of the sites that reach it, and the square of its distance to the nearest disk,
// in cells. `weights` is room to work.
static Status sites_find(const Run *run, const Sites *sites, const Points *points, Field *levels,
                         Field *weights, Field *squared, Error *error) {
    Finding finding = { .sites = sites, .levels = levels, .weights = weights, .squared = squared };
    add_sites(&finding, points);
    finding.at = memory_new((size_t)finding.count + 1, sizeof *finding.at, error);
    if (!finding.at)
        return STATUS_MEMORY;
    add_sites(&finding, points);
    Status status = parallel_rows(run, finding.count, 1e3, level_sites, &finding);
    if (status == STATUS_OK)
        status = parallel_rows(run, levels->height, finding.count * 10.0 + levels->width * 4.0, site_rows,
                               &finding);
    memory_free(finding.at);
    return status;
}

// --- the operation -----------------------------------------------------------------------------------------

typedef struct Flatten {
    double level, width, edge, span, sea_level, bank;
    const Field *water;
    bool sloped;
} Flatten;

static double width_of(const Flatten *flatten) {
    return isnan(flatten->width) ? 0.01 : flatten->width;
}

// --- masks -------------------------------------------------------------------------------------------------

typedef struct Plane { // height + right · (x - at_x) + down · (y - at_y)
    double height, right, down, at_x, at_y;
} Plane;

static bool is_levelled(const Field *mask, const Field *water, int x, int y) {
    return field_row(mask, y)[x] > 0.5f && !is_wet(water, x, y);
}

// The mean of the dry ground under a mask, or the plane of least squares. Sums are in the order of cells.
static Plane fit_plane(const Field *height, const Field *mask, const Field *water, bool sloped) {
    double count = 0, sum_x = 0, sum_y = 0, sum = 0;
    for (int y = 0; y < mask->height; y++)
        for (int x = 0; x < mask->width; x++)
            if (is_levelled(mask, water, x, y)) {
                count++;
                sum_x += x;
                sum_y += y;
                sum += (double)field_row(height, y)[x];
            }
    Plane plane = { 0 };
    if (count == 0)
        return plane;
    plane = (Plane){ .height = sum / count, .at_x = sum_x / count, .at_y = sum_y / count };
    double xx = 0, xy = 0, yy = 0, xh = 0, yh = 0;
    for (int y = 0; sloped && y < mask->height; y++)
        for (int x = 0; x < mask->width; x++)
            if (is_levelled(mask, water, x, y)) {
                const double dx = x - plane.at_x, dy = y - plane.at_y;
                const double rise = (double)field_row(height, y)[x] - plane.height;
                xx += dx * dx;
                xy += dx * dy;
                yy += dy * dy;
                xh += dx * rise;
                yh += dy * rise;
            }
    const double determinant = xx * yy - xy * xy;
    if (determinant > 1e-9 * xx * yy) { // else the mask is a line or a cell
        plane.right = (xh * yy - yh * xy) / determinant;
        plane.down = (yh * xx - xh * xy) / determinant;
    }
    return plane;
}

typedef struct Levelling {
    const Call *call;
    const Field *beds; // of lines and points: the level of each cell; NULL: a plane
    Plane plane;
    float edge, inside; // cells; what is nearer than `inside` is level
    Field shores;       // squared distances to water; without cells if there is none
    float bank;         // heights a cell
} Levelling;

// Row y of the plane.
KERNEL static void plane_levels(const Plane *plane, int y, int count, float *restrict levels) {
    const double row = plane->height + plane->down * (y - plane->at_y), right = plane->right,
                 at_x = plane->at_x;
    for (int x = 0; x < count; x++)
        levels[x] = (float)(row + right * (x - at_x));
}

// `out` holds the level and becomes the new height; `shares` squared distances in cells, and become its
// share.
KERNEL static void flatten_row(const float *restrict ground, float inside, float edge, int count,
                               float *restrict out, float *restrict shares) {
    const float inverse = 1 / max(edge, 1e-6f);
    for (int x = 0; x < count; x++) {
        const float away = max(sqrtf(shares[x]) - inside, 0);
        const float share = smoothstep(clamp(1 - away * inverse, 0, 1));
        out[x] = ground[x] + (out[x] - ground[x]) * share;
        shares[x] = share;
    }
}

// The change of ground near water is limited; shares become what is left of them.
KERNEL static void hold_banks(const float *restrict ground, const float *restrict shores, float bank,
                              int count, float *restrict out, float *restrict shares) {
    for (int x = 0; x < count; x++) {
        const float most = bank * sqrtf(shores[x]), change = out[x] - ground[x];
        const float held = clamp(change, -most, most);
        shares[x] = change == 0 ? shares[x] : shares[x] * (held / change);
        out[x] = ground[x] + held;
    }
}

static void flatten_rows(void *context, int first, int end) {
    const Levelling *levelling = context;
    const Call *call = levelling->call;
    for (int y = first; y < end; y++) {
        float *out = field_row(&call->outputs[0].field, y);
        if (levelling->beds)
            memcpy(out, field_row(levelling->beds, y), (size_t)call->width * sizeof *out);
        else
            plane_levels(&levelling->plane, y, call->width, out);
        const float *ground = field_row(call->inputs[0].field, y);
        float *shares = field_row(&call->outputs[1].field, y);
        flatten_row(ground, levelling->inside, levelling->edge, call->width, out, shares);
        if (levelling->shores.cells)
            hold_banks(ground, field_row(&levelling->shores, y), levelling->bank, call->width, out, shares);
    }
}

// `levelling` is complete but for its shores.
static Status flatten_all(Levelling *levelling, Error *error) {
    const Call *call = levelling->call;
    const Flatten *flatten = call->params;
    Status status = STATUS_OK;
    levelling->bank = (float)flatten->bank;
    if (flatten->water) {
        status = field_create(&levelling->shores, call->width, call->height, error);
        if (status == STATUS_OK)
            status = distance_transform(call->run, flatten->water, 1, WATER, false, false, call->wraps,
                                        &levelling->shores, error);
    }
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 2.0, flatten_rows, levelling);
    field_free(&levelling->shores);
    return status;
}

static Status flatten_mask(const Call *call, const Field *mask, Error *error) {
    const Flatten *flatten = call->params;
    const Field *height = call->inputs[0].field;
    Field *shares = &call->outputs[1].field;
    Levelling levelling = { .call = call,
                            .plane = fit_plane(height, mask, flatten->water, flatten->sloped),
                            .edge = (float)(flatten->edge * field_side(height)) };
    if (!isnan(flatten->level))
        levelling.plane.height = flatten->level;
    const Status status =
        distance_transform(call->run, mask, 1, 0.5f, false, false, call->wraps, shares, error);
    if (status != STATUS_OK)
        return status;
    const bool nothing = shares->cells[0] >= distance_limit(mask) * distance_limit(mask);
    if (nothing)
        tell(call->notice, "nothing is levelled: no cell of the mask is above 0.5");
    levelling.edge = nothing ? 0 : levelling.edge;
    return flatten_all(&levelling, error);
}

// --- lines -------------------------------------------------------------------------------------------------

typedef struct Sample { // a point of a line, in cells from the centre of the first
    float x, y, height;
} Sample;

typedef struct Samples {
    const Field *ground,
        *water; // `water`: over which a bridge leads, so that the bed does not sink to it; or NULL
    int count;
    Sample *at; // NULL: they are counted
    double level, sea_level;
    float reach; // in cells
    bool wraps;
} Samples;

// Whether the ground at a place is interpolated from water; cells are counted from the centre of the first.
static bool touches_water(const Field *water, double x, double y) {
    const int left = index_within(x, water->width), right = index_within(ceil(x), water->width);
    const int top = index_within(y, water->height), bottom = index_within(ceil(y), water->height);
    return is_wet(water, left, top) || is_wet(water, right, top) || is_wet(water, left, bottom) ||
           is_wet(water, right, bottom);
}

// A point, and where edges meet its images that reach into the field.
static void add_sample(Samples *samples, double x, double y) {
    const Field *ground = samples->ground, *water = samples->water;
    if (water && touches_water(water, x, y))
        return;
    const double reach = (double)samples->reach;
    const int images = samples->wraps ? 1 : 0;
    for (int j = -images; j <= images; j++)
        for (int i = -images; i <= images; i++) {
            const double at_x = x + i * (double)ground->width, at_y = y + j * (double)ground->height;
            if (!(at_x > -reach && at_x < ground->width + reach && at_y > -reach &&
                  at_y < ground->height + reach))
                continue;
            if (samples->at) {
                const double height =
                    isnan(samples->level)
                        ? max(grid_sample(ground->cells, ground->width, ground->height, x, y),
                              samples->sea_level)
                        : samples->level;
                samples->at[samples->count] = (Sample){ (float)at_x, (float)at_y, (float)height };
            }
            samples->count++;
        }
}

// Points every half cell.
static void add_lines(Samples *samples, const RiverNetwork *network) {
    for (int i = 0; i < network->reach_count; i++) {
        const RiverPoint *points = network->points + network->reaches[i].first;
        for (int k = 1; k < network->reaches[i].count; k++) {
            const double dx = points[k].x - points[k - 1].x, dy = points[k].y - points[k - 1].y;
            const int steps = whole_within(2 * sqrt(dx * dx + dy * dy), 1, 4 * SIDE_MAX);
            for (int step = 0; step <= steps; step++)
                add_sample(samples, points[k - 1].x + dx * step / steps - 0.5,
                           points[k - 1].y + dy * step / steps - 0.5);
        }
    }
}

typedef struct Bed {
    const Samples *samples;
    Field *heights, *weights, *squared;
} Bed;

KERNEL static void flatten_add(const Sample *sample, float squared_y, float inverse, int first, int end,
                               float *restrict sums, float *restrict weights, float *restrict nearest) {
    for (int x = first; x < end; x++) {
        const float dx = (float)x - sample->x, squared = dx * dx + squared_y;
        const float near = max(1 - squared * inverse, 0), near2 = near * near, weight = near2 * near2;
        sums[x] += weight * sample->height;
        weights[x] += weight;
        nearest[x] = min(nearest[x], squared);
    }
}

static void bed_rows(void *context, int first, int end) {
    const Bed *bed = context;
    const Samples *samples = bed->samples;
    const int width = bed->heights->width;
    const float reach = samples->reach, inverse = 1 / (reach * reach);
    for (int y = first; y < end; y++) {
        float *sums = field_row(bed->heights, y), *weights = field_row(bed->weights, y);
        float *nearest = field_row(bed->squared, y);
        for (int x = 0; x < width; x++)
            sums[x] = weights[x] = 0, nearest[x] = 4 * reach * reach;
        for (int i = 0; i < samples->count; i++) {
            const Sample *sample = &samples->at[i];
            const float dy = (float)y - sample->y;
            if (dy < reach && dy > -reach)
                flatten_add(sample, dy * dy, inverse, whole_within(sample->x - reach, 0, width),
                            whole_within(sample->x + reach + 1, 0, width), sums, weights, nearest);
        }
        for (int x = 0; x < width; x++)
            sums[x] = weights[x] > 0 ? sums[x] / weights[x] : 0;
    }
}

static Status find_beds(const Call *call, const RiverNetwork *network, Bed bed, Error *error) {
    const Flatten *flatten = call->params;
    const Field *ground = call->inputs[0].field;
    const double side = field_side(ground);
    const double reach = max((0.5 * width_of(flatten) + flatten->edge) * side, flatten->span * side) + 1;
    Samples samples = { .ground = ground,
                        .water = flatten->water,
                        .level = flatten->level,
                        .sea_level = flatten->sea_level,
                        .reach = (float)reach,
                        .wraps = call->wraps };
    add_lines(&samples, network);
    samples.at = memory_new((size_t)samples.count + 1, sizeof *samples.at, error);
    if (!samples.at)
        return STATUS_MEMORY;
    samples.count = 0;
    add_lines(&samples, network);
    bed.samples = &samples;
    const double cost = samples.count * (2.0 + 0.3 * reach * reach / call->height);
    const Status status = parallel_rows(call->run, call->height, cost, bed_rows, &bed);
    memory_free(samples.at);
    return status;
}

static Status find_sites(const Call *call, const Points *points, const Bed *bed, Error *error) {
    const Flatten *flatten = call->params;
    const double side = field_side(call->inputs[0].field);
    const Sites sites = { .ground = call->inputs[0].field,
                          .water = flatten->water,
                          .wraps = call->wraps,
                          .level = flatten->level,
                          .sea_level = flatten->sea_level,
                          .radius = 0.5 * width_of(flatten) * side,
                          .own_radii = isnan(flatten->width),
                          .edge = flatten->edge * side };
    return sites_find(call->run, &sites, points, bed->heights, bed->weights, bed->squared, error);
}

// `place` is Points or a RiverNetwork.
static Status flatten_beds(const Call *call, const void *place, bool sites, Error *error) {
    const Flatten *flatten = call->params;
    const double side = field_side(call->inputs[0].field);
    Field weights = { 0 }, beds = { 0 };
    Bed bed = { NULL, &beds, &weights, &call->outputs[1].field };
    Levelling levelling = { .call = call,
                            .beds = &beds,
                            .edge = (float)(flatten->edge * side),
                            .inside = sites ? 0 : (float)(0.5 * width_of(flatten) * side) };
    Status status = field_create(&weights, call->width, call->height, error);
    if (status == STATUS_OK)
        status = field_create(&beds, call->width, call->height, error);
    if (status == STATUS_OK)
        status = sites ? find_sites(call, place, &bed, error) : find_beds(call, place, bed, error);
    if (status == STATUS_OK)
        status = flatten_all(&levelling, error);
    field_free(&weights);
    field_free(&beds);
    return status;
}

static Status run(const Call *call, Error *error) {
    const Input *place = &call->inputs[1];
    if (place->field)
        return flatten_mask(call, place->field, error);
    if (((const Flatten *)call->params)->sloped)
        return fail(error, STATUS_INVALID,
                    "sloped is for a mask: the bed of a line follows the ground, and a site is level");
    const bool sites = place->type == &type_points;
    const Flatten *flatten = call->params;
    const Window window = window_of_field("the field", call->inputs[0].field);
    const double reach =
        input_radius(place) + (width_of(flatten) + flatten->edge) * field_side(call->inputs[0].field);
    const Status met = input_check_meeting(place, &window, call->wraps ? HUGE_VAL : reach, error);
    if (met != STATUS_OK)
        return met;
    RiverNetwork *made = NULL;
    const RiverNetwork *lines = sites ? NULL : input_lines(place, &made, error);
    if (!sites && !lines)
        return STATUS_MEMORY;
    const int count = sites ? ((const Points *)place->value)->count : lines->reach_count;
    if (count == 0)
        tell(call->notice, "nothing is levelled: there are no %s", sites ? "points" : "lines");
    const Status status = flatten_beds(call, sites ? place->value : lines, sites, error);
    memory_free(made);
    return status;
}

static const Param params[] = {
    PARAM(Flatten, level, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .optional = true,
          .doc = "height of the place; by default the mean of its ground, of each site, or the ground along "
                 "the line"),
    PARAM(Flatten, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc =
              "ground below this is sea: sites, and beds of lines, without a level are at least this high"),
    PARAM(Flatten, water,
          .doc =
              "a mask of water, as render or rivers give: its cells keep their heights, and ground beside it "
              "rises or falls by no more than `bank` makes of its distance to water"),
    PARAM(Flatten, bank, .initial = 2, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "with water: how much the slope of its banks may change"),
    PARAM(Flatten, sloped, .doc = "for masks: fits a plane to the ground instead of a level"),
    PARAM(Flatten, edge, .initial = 0.03, .min = 0, .max = 0.5,
          .doc =
              "width of the slope between the place and untouched ground, as a share of N, the longer side"),
    PARAM(Flatten, width, .min = 0, .max = 0.5, .optional = true,
          .doc =
              "width of a line's bed, or of each point's site, as a share of N; by default 0.01, and twice "
              "the radius of points that have one"),
    PARAM(Flatten, span, .initial = 0.05, .min = 0, .max = 0.5,
          .doc = "for lines: the bed's heights are means over the ground along the line at most this far "
                 "away, as a "
                 "share of N"),
    { 0 },
};

const Operation op_flatten = {
    .name = "flatten",
    .measures = MEASURES_SQUARES,
    .category = "places",
    .summary = "Levels a place, such as a town, or the bed of a road, with a smooth edge",
    .description =
        "The place is a mask, level where it is above 0.5, a network of lines, as path gives, or points, as "
        "scatter gives: building sites, disks of the points' radius or of `width`. The second result is 1 on "
        "the place and "
        "falls to 0 at the end of its "
        "edge. For a town with roads, flatten the town first, so that the roads meet its level.",
    .inputs = { { "height", "heights" },
                { "place",
                  "a mask, a network of lines, or points",
                  { &type_field, &type_network, &type_points, &type_lines, &type_polygons } } },
    .outputs = { { "height", "heights with the place", .heights = true },
                 { "place", "the share of the new height, 0 to 1" } },
    .params = params,
    .params_size = sizeof(Flatten),
    .wrapping = WRAPPING_CHOSEN,
    .example = "local town = esker.field{ size = height.width, values = function(x, y)\n"
               "    return (x - 40) ^ 2 + (y - 30) ^ 2 < 50 and 1 or 0\n"
               "end }\n"
               "local land, place = height:flatten(town, { edge = 0.1 })",
    .picture = "local side = height.width\n"
               "local town = esker.field{ size = side, values = function(x, y)\n"
               "    return (x - 0.6 * side) ^ 2 + (y - 0.5 * side) ^ 2 < (0.15 * side) ^ 2 and 1 or 0\n"
               "end }\n"
               "return height, (height:flatten(town, { edge = 0.1 }))",
    .keywords = "level town road bed plateau building site cut fill embankment terrain settlement village",
    .see_also = "path distance stamp terrace",
    .run = run,
};
