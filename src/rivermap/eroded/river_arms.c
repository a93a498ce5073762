#include "rivermap/eroded/river_arms.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"

#include <math.h>

enum { ARM_STREAM = 1 << 28 };

enum { PIECES = 384, LONG_KNOTS = 5, KNOTS_MAX = 96 };
#define SHORE 1.1      // cells of level 0 from the end of an arm to the coast
#define BEYOND 2.2     // the same to where its channel ends: finer levels move the coast
#define WAVE 5.5       // half a meander's length, in widths
#define SWING 3.0      // of a meander, in widths
#define LONG_SWING 0.1 // of the arm as a whole, against its length
#define ESTUARIES 8.0  // so many of an arm's estuary are as long as the arm
#define ARMS_SHARE 0.6 // of a river's water that the arms carry that are not its own

// A place on level 0, cells.
typedef struct Spot {
    double x, y;
} Spot;

// --- the apex ----------------------------------------------------------------------------------------------

// Where the river of a delta runs through the cell of its apex, on a finer level: followed from level to
// level, so that arms leave it where it is drawn. From the level on which it is RIVER_WIDE cells wide it is
// drawn from that one.
static Status find_apex(const Atlas *atlas, const LandDelta *delta, Spot *apex, Error *error) {
    const Eroded *eroded = eroded_of(atlas->view->map);
    Land *land;
    Status status = eroded_land(atlas->view->map, atlas->view->run, &land, error);
    const int last = atlas->depth - eroded->depth;
    const Int128 rows = (Int128)1 << eroded->depth;
    *apex = (Spot){ delta->x, delta->y };
    Int128 x = whole_64(delta->x), y = whole_64(delta->y);
    for (int level = 1; level <= last && status == STATUS_OK; level++) {
        const Int128 side = rows << level;
        LandWindow window;
        x = clamp(2 * x - 1, 0, side - 4);
        y = clamp(2 * y - 1, 0, side - 4);
        status = land_window(land, atlas->view->run, level, x, y, 4, 4, &window, error);
        if (status != STATUS_OK)
            return status;
        int most = 0;
        for (int i = 0; i < 16; i++)
            if (window.receiver[i] < NEIGHBOURS && window.area[i] > window.area[most])
                most = i;
        x += most % 4;
        y += most / 4;
        const double width = (double)land_widening(land) * sqrt((double)window.area[most]);
        land_window_free(&window);
        *apex = (Spot){ ldexp((double)x + 0.5, -level), ldexp((double)y + 0.5, -level) };
        if (width >= (double)RIVER_WIDE)
            break;
    }
    return status;
}

// --- courses -----------------------------------------------------------------------------------------------

typedef struct Course {
    RandomKey key;
    uint32_t number; // of its random numbers
    Spot from, to, bend;
    double length, width; // cells of level 0
    double shore;         // the coast's place along it, 0 … 1
    int knots;
} Course;

// A smooth noise along the arm, -1 … 1: a quadratic spline between random numbers.
static double swing(const Course *course, double at, int knots, uint32_t use) {
    const double along = at * knots;
    const int knot = whole_int(floor(along));
    const double in = along - knot;
    double values[3];
    for (int i = 0; i < 3; i++) {
        const double size =
            0.6 + 0.4 * (double)random_signed(course->key, course->number + use, (uint32_t)(knot + i));
        values[i] = use == 0 && (knot + i) % 2 ? -size : size;
        values[i] =
            use ? (double)random_signed(course->key, course->number + use, (uint32_t)(knot + i)) : values[i];
    }
    return 0.5 * (1 - in) * (1 - in) * values[0] + (0.5 + in * (1 - in)) * values[1] +
           0.5 * in * in * values[2];
}

static Spot spot_at(const Course *course, double at) {
    const double left = 1 - at, a = left * left, b = 2 * at * left, c = at * at;
    const double dx = course->to.x - course->from.x, dy = course->to.y - course->from.y;
    const double calm = min(min(8 * at, 1), 1);
    const double aside = calm * (SWING * course->width * swing(course, at, course->knots, 0) +
                                 LONG_SWING * course->length * swing(course, at, LONG_KNOTS, 1));
    return (Spot){ a * course->from.x + b * course->bend.x + c * course->to.x - aside * dy / course->length,
                   a * course->from.y + b * course->bend.y + c * course->to.y + aside * dx / course->length };
}

static AtlasPlace place_of(const Atlas *atlas, Spot spot) {
    const int depth = eroded_of(atlas->view->map)->depth;
    const double cell = ldexp(1, PLACE_BITS - depth);
    return (AtlasPlace){ 0, whole_128(spot.x * cell), whole_128(spot.y * cell) };
}

static StreamPlace stream_place(const Atlas *atlas, const Course *course, double at, double height) {
    const Spot spot = spot_at(course, at), before = spot_at(course, max(at - 1.0 / PIECES, 0)),
               after = spot_at(course, min(at + 1.0 / PIECES, 1));
    return (StreamPlace){ .at = place_of(atlas, spot),
                          .along = { after.x - before.x, after.y - before.y },
                          .height = whole_128(height * max(1 - at / course->shore, 0)),
                          .from_sea = clamp((course->shore - at) * ESTUARIES, 0, 1),
                          .to_sea = STREAM_ESTUARY };
}

// The arms' shares of the water differ by chance; the river's own keeps the rest.
static void add_arm(const Atlas *atlas, const LandDelta *delta, int arm, Spot apex, double height,
                    RiverArms *arms) {
    const int level = atlas->depth - eroded_of(atlas->view->map)->depth;
    const RandomKey key = random_key(eroded_of(atlas->view->map)->rules.seed, ARM_STREAM);
    const uint32_t number = (uint32_t)whole_int(delta->x) * 65536u + (uint32_t)whole_int(delta->y) * 16u;
    const double part = 0.6 + 0.4 * (double)random_signed(key, number, 99 + (uint32_t)arm);
    const double share = ARMS_SHARE * part / delta->arms;
    const double main_x = delta->to_x[delta->main] - apex.x, main_y = delta->to_y[delta->main] - apex.y;
    Course course = { .key = key, .number = number + 2 * (uint32_t)arm, .from = apex };
    const double way_x = delta->to_x[arm] - apex.x, way_y = delta->to_y[arm] - apex.y;
    const double way = sqrt(way_x * way_x + way_y * way_y);
    course.to = (Spot){ apex.x + (1 + BEYOND / way) * way_x, apex.y + (1 + BEYOND / way) * way_y };
    course.shore = (way + SHORE) / (way + BEYOND);
    course.bend = (Spot){ apex.x + 0.25 * (main_x + way_x), apex.y + 0.25 * (main_y + way_y) };
    const double dx = course.to.x - apex.x, dy = course.to.y - apex.y;
    course.length = sqrt(dx * dx + dy * dy);
    const float size = ldexpf((float)(share * (double)delta->area), 2 * level);
    course.width = ldexp(atlas->widening * sqrt((double)size), -level);
    course.knots = whole_within(course.length / (WAVE * max(course.width, 1e-6)), 4, KNOTS_MAX);
    StreamPlace last = stream_place(atlas, &course, 0, height);
    for (int i = 1; i <= PIECES; i++) {
        const StreamPlace next = stream_place(atlas, &course, (double)i / PIECES, height);
        arms->at[arms->count++] = (Stream){
            .at = last, .to_at = next, .area = size, .to_area = size, .size = size, .to_size = size
        };
        last = next;
    }
}

// --- all ---------------------------------------------------------------------------------------------------

static bool may_show(const Atlas *atlas, const LandDelta *delta) {
    const View *view = atlas->view;
    const int shift = PLACE_BITS - eroded_of(view->map)->depth;
    const double cell = ldexp(1, shift), reach = 2 * delta->reach + 3;
    const double left = (double)view_left(view) / cell, top = (double)view_top(view) / cell,
                 size = (double)view->pixel / cell;
    return delta->arms > 1 && (delta->x + reach > left && delta->x - reach < left + size * view->width &&
                               delta->y + reach > top && delta->y - reach < top + size * view->height);
}

static double height_at(const Land *land, const LandDelta *delta, const Atlas *atlas) {
    const double units = land_root_height(land, whole_int(delta->x), whole_int(delta->y));
    return 256 * ldexp(units, atlas->height_depth - height_depth(atlas->view->map, 0));
}

Status river_arms_find(const Atlas *atlas, RiverArms *arms, Error *error) {
    Land *land;
    *arms = (RiverArms){ 0 };
    Status status = eroded_land(atlas->view->map, atlas->view->run, &land, error);
    if (status != STATUS_OK)
        return status;
    const LandDeltas *deltas = land_deltas(land);
    int shown = 0;
    for (int i = 0; i < deltas->count; i++)
        shown += may_show(atlas, &deltas->at[i]);
    if (shown == 0)
        return STATUS_OK;
    arms->at = memory_new((size_t)shown * DELTA_ARMS * PIECES, sizeof *arms->at, error);
    status = arms->at ? STATUS_OK : STATUS_MEMORY;
    for (int i = 0; i < deltas->count && status == STATUS_OK; i++) {
        const LandDelta *delta = &deltas->at[i];
        if (!may_show(atlas, delta))
            continue;
        Spot apex = { delta->x, delta->y };
        status = find_apex(atlas, delta, &apex, error);
        const double height = height_at(land, delta, atlas);
        for (int arm = 0; arm < delta->arms && status == STATUS_OK; arm++)
            if (arm != delta->main)
                add_arm(atlas, delta, arm, apex, height, arms);
    }
    return status;
}

void river_arms_free(RiverArms *arms) {
    memory_free(arms->at);
}
