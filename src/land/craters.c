#include "land/craters.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/noise.h"

#include <math.h>

// Fresh simple craters are 0.2 of their width deep, with a rim of 0.036; wider ones become complex and gain
// depth with the power 0.3 of their width, their rims with 0.4 (Pike 1977, "Size-dependence in the shape of
// fresh impact craters on the moon"). On the earth that begins at 4 km (Melosh 1989, "Impact cratering").
#define SIMPLE_WIDTH 4000.0
#define SIMPLE_DEPTH 0.2
#define SIMPLE_RIM 0.036
#define DEPTH_POWER 0.3
#define RIM_POWER 0.4
#define PEAK 0.45       // of the depth below the ground: the most that a peak rises above the floor,
#define PEAK_GROWTH 3.0 // which one has that is so many times as wide as the first complex ones

// In half widths.
#define FLOOR 0.58      // of complex craters, flat inside
#define PEAK_REACH 0.24 // Pike 1985: peaks are about 0.22 as wide as their craters
#define BOTTOM 0.38     // from the middle to the lowest place beside a peak
#define TERRACES 3
#define CREST 1.0
#define OWN 1.25   // up to here the ground is the crater's
#define BLENDS 1.0 // and so far beyond it becomes other ground
#define AGAIN 1.12 // the same for parts of finer levels
#define AGAIN_BLENDS 0.16
#define TILT 0.05      // of the depth: how far floors fall to their lowest place
#define HUMMOCKS 0.012 // of the depth: less steep than that, so that they hold no water
#define CRUMPLED 0.07  // rims are bent by so much
#define SLUMPED 0.16   // and terraces
#define LATTICE 0.8
#define KEPT_DETAIL 0.18 // of finer levels on the crater

CraterSize crater_size(double width) {
    const double wide = max(width / SIMPLE_WIDTH, 1.0), simple = min(width, SIMPLE_WIDTH);
    const double depth = SIMPLE_DEPTH * simple * power(wide, DEPTH_POWER),
                 rim = SIMPLE_RIM * simple * power(wide, RIM_POWER);
    return (CraterSize){ depth, rim, PEAK * (depth - rim) * min((wide - 1) / (PEAK_GROWTH - 1), 1.0) };
}

static double noise_of(const LandEdit *edit, uint32_t number, double u, double v) {
    const RandomKey key = random_key(edit->key, number);
    return value_noise_double(key, 0, u / LATTICE + 16, v / LATTICE + 16) * (2 / 3.0) +
           value_noise_double(key, 1 << 16, 2 * u / LATTICE + 16, 2 * v / LATTICE + 16) / 3;
}

static bool is_complex(const LandEdit *edit) {
    return edit->peak > 0;
}

EditPoint crater_bottom(const LandEdit *edit, const EditPoint *middle) {
    const double angle = 2 * PI * (double)random_unit(random_key(edit->key, 9), 0, 0),
                 away = is_complex(edit) ? BOTTOM * edit->half : 0;
    return (EditPoint){ middle->x + away * cosine(angle), middle->y + away * sine(angle) };
}

// 0 … 1 with flat steps.
static double terraced(double up) {
    const double steps = up * TERRACES, step = min(floor(steps), TERRACES - 1.0);
    return (step + smoothstep(clamp(steps - step, 0.0, 1.0))) / TERRACES;
}

// From the floor's edge at 0 to the crest at 1.
static double wall_of(const LandEdit *edit, double up, double u, double v) {
    const double slumped = clamp(up + SLUMPED * noise_of(edit, 4, u, v) * 4 * up * (1 - up), 0.0, 1.0);
    // Slopes are steepest below the crest.
    return 0.35 * up * up + 0.65 * terraced(slumped);
}

static double inside_of(const LandEdit *edit, const EditPoint *middle, double away, double u, double v) {
    const EditPoint bottom = crater_bottom(edit, middle);
    const double x = u - (bottom.x - middle->x) / edit->half, y = v - (bottom.y - middle->y) / edit->half;
    const double tilt =
        edit->depth * (TILT * min(sqrt(x * x + y * y), 1.0) + HUMMOCKS * noise_of(edit, 7, u, v));
    if (!is_complex(edit))
        return (edit->depth - TILT * edit->depth) * away * away + tilt;
    const double left = 1 - min(away / PEAK_REACH * (1 + 0.5 * noise_of(edit, 5, 3 * u, 3 * v)), 1.0);
    const double up = clamp((away - FLOOR) / (CREST - FLOOR), 0.0, 1.0);
    const double wall = wall_of(edit, up, u, v);
    return tilt * (1 - wall) + edit->depth * wall +
           edit->peak * left * left * (3 - 2 * left) * (1 + 0.6 * noise_of(edit, 6, 5 * u, 5 * v));
}

// What was thrown out becomes thinner with the third power of the distance (McGetchin et al. 1973).
static double outside_of(const LandEdit *edit, double away) {
    const double end = 1 / (CRATER_REACH * CRATER_REACH * CRATER_REACH) / (1 - CRUMPLED);
    return edit->rim * max(1 / (away * away * away) - end, 0.0) / (1 - end);
}

double crater_tilt(const LandEdit *edit, const EditPoint *middle, double x, double y) {
    const double dx = x - middle->x, dy = y - middle->y, away = sqrt(dx * dx + dy * dy) / edit->half;
    const double up = clamp((away - FLOOR) / (CREST - FLOOR), 0.0, 1.0);
    return up * up * (dx * edit->east + dy * edit->south);
}

// How far it goes from the crest, 1, at most: its rim is bent.
#define NEAREST (1 - 1.001 * CRUMPLED)
#define FARTHEST (1 + 1.001 * CRUMPLED)

static double away_of(const LandEdit *edit, double u, double v) {
    return sqrt(u * u + v * v) * (1 + CRUMPLED * noise_of(edit, 3, u, v));
}

static double own_end(const LandEdit *edit) {
    return edit->part > 0 ? AGAIN : OWN;
}

static double own_blends(const LandEdit *edit) {
    return edit->part > 0 ? AGAIN_BLENDS : BLENDS;
}

static double own_share(const LandEdit *edit, double away) {
    const double blends = own_blends(edit);
    return smoothstep(clamp((own_end(edit) + blends - away) / blends, 0.0, 1.0));
}

// Finer levels ask for it at each of their cells, most of which lie where the noise does not matter.
double crater_share(const LandEdit *edit, const EditPoint *middle, double x, double y) {
    const double u = (x - middle->x) / edit->half, v = (y - middle->y) / edit->half;
    const double distance = sqrt(u * u + v * v), end = own_end(edit);
    if (distance > CRATER_REACH || distance * NEAREST > end + own_blends(edit))
        return 0;
    return distance * FARTHEST < end ? 1 : own_share(edit, away_of(edit, u, v));
}

double crater_smooth(double share) {
    return share * (1 - KEPT_DETAIL);
}

CraterForm crater_form(const LandEdit *edit, const EditPoint *middle, double x, double y) {
    const double u = (x - middle->x) / edit->half, v = (y - middle->y) / edit->half;
    if (sqrt(u * u + v * v) > CRATER_REACH)
        return (CraterForm){ 0 };
    const double away = away_of(edit, u, v), own = own_share(edit, away);
    const bool inside = away < CREST;
    const double height =
        inside ? edit->rim - edit->depth + inside_of(edit, middle, away, u, v) : outside_of(edit, away);
    return (CraterForm){ .share = own, .height = edit->part > 0 ? height * own : height, .inside = inside };
}
