#include "picture/planet.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

// --- frames ------------------------------------------------------------------------------------------------

static bool lies_along_parallels(const Frame *frame) {
    return frame_is_set(frame) && frame->right_y == 0 && frame->down_x == 0;
}

MapProjection planet_projection(const Frame *frame) {
    const FrameSphere sphere = frame_sphere(frame);
    if (sphere.radius == 0 || !lies_along_parallels(frame))
        return PLANAR;
    return sphere.mercator ? MERCATOR : EQUIRECTANGULAR;
}

PlanetEdges planet_latitudes(const Frame *frame, int height) {
    const PlanetEdges framed = { frame->y, frame->y + frame->down_y * height };
    const double most = 90 + 1e-9; // by rounding
    const bool in_degrees = fabs(framed.upper) <= most && fabs(framed.lower) <= most;
    return lies_along_parallels(frame) && in_degrees ? framed : (PlanetEdges){ 90, -90 };
}

PlanetEdges planet_extent(const Frame *frame, int height) {
    if (!lies_along_parallels(frame) || frame_system_code(frame->system) != 3857)
        return (PlanetEdges){ 0, 1 };
    const double side = 40075016.685578488; // metres: 2 π · 6378137
    return (PlanetEdges){ 0.5 - frame->y / side, 0.5 - (frame->y + frame->down_y * height) / side };
}

// --- slopes ------------------------------------------------------------------------------------------------

// The width of an equirectangular cell is proportional to the length of its circle of latitude. Mercator's
// cells are smaller both ways by the cosine of the latitude, which is 1 / cosh of the map's ordinate.
Stretch planet_stretch(const Planet *planet, int y) {
    const double share = (y + 0.5) / planet->height;
    if (planet->projection == EQUIRECTANGULAR) {
        const double latitude = planet->north + (planet->south - planet->north) * share;
        return (Stretch){ 1 / cosine(latitude * (PI / 180)), 1 };
    }
    if (planet->projection != MERCATOR)
        return (Stretch){ 1, 1 };
    const double cell = (planet->bottom - planet->top) / planet->height; // exact in tiles
    const double e = exponential(2 * PI * (0.5 - (planet->top + (y + 0.5) * cell)));
    return (Stretch){ (e + 1 / e) / 2, (e + 1 / e) / 2 };
}

static void stretched_slopes(const Planet *planet, int count, int y, float *across, float *along) {
    const Stretch stretch = planet_stretch(planet, y);
    const float wider = (float)stretch.across, higher = (float)stretch.along;
    for (int i = 0; i < count; i++) {
        across[i] *= wider;
        along[i] *= higher;
    }
}

typedef struct Point {
    double x, y, z;
} Point;

// The position of a cell, in radii of the planet from the centre: to the right, down, and the resulting z.
static Point on_globe(const Planet *planet, int x, int y) {
    const double radius = 0.5 * max(planet->width, planet->height);
    const double right = (x + 0.5 - 0.5 * planet->width) / radius;
    const double down = (y + 0.5 - 0.5 * planet->height) / radius;
    const double rest = 1 - right * right - down * down;
    return (Point){ right, down, rest > 0 ? sqrt(rest) : 0 };
}

// Ground seen at an angle looks steeper towards the edge, by 1 / z.
static void globe_slopes(const Planet *planet, int start, int count, int y, float *across, float *along) {
    for (int i = 0; i < count; i++) {
        const Point at = on_globe(planet, start + i, y);
        const double out = ((double)across[i] * at.x + (double)along[i] * at.y) / (1 + at.z);
        across[i] = (float)(at.z * ((double)across[i] - out * at.x));
        along[i] = (float)(at.z * ((double)along[i] - out * at.y));
    }
}

void planet_even_edge(const Planet *planet, int start, int count, int y, float *across, float *along) {
    if (planet->projection != ORTHOGRAPHIC)
        return;
    for (int i = 0; i < count; i++) {
        const Point at = on_globe(planet, start + i, y);
        const float even = (float)min(1, 2 * at.z);
        across[i] *= even;
        along[i] *= even;
    }
}

// A place on a face is (s, t, 1) in its right, up and outward directions. A function f of s and t, taken to
// be the same along rays from the planet's middle, changes on the unit sphere by
//     q (df/ds, df/dt, -s df/ds - t df/dt),   q = √(1 + s² + t²).
static void cube_slopes(const Planet *planet, int start, int count, int y, float *across, float *along) {
    enum { TOP = 4, BOTTOM };
    const Point north = { 0, planet->face < TOP, planet->face == TOP ? 1 : planet->face == BOTTOM ? -1 : 0 };
    for (int i = 0; i < count; i++) {
        const double s = 2 * (start + i + 0.5) / planet->width - 1, t = 1 - 2 * (y + 0.5) / planet->height;
        const double by_s = (double)across[i], by_t = -(double)along[i], q = sqrt(1 + s * s + t * t);
        const Point change = { q * by_s, q * by_t, -q * (s * by_s + t * by_t) };
        // East is north × place; at a pole, where there is none, to the right.
        Point east = { north.y - north.z * t, north.z * s, -north.y * s };
        const double length = sqrt(east.x * east.x + east.y * east.y + east.z * east.z);
        east = length > 0 ? (Point){ east.x / length, east.y / length, east.z / length } : (Point){ 1, 0, 0 };
        const Point up = { (t * east.z - east.y) / q, (east.x - s * east.z) / q,
                           (s * east.y - t * east.x) / q };
        across[i] = (float)(change.x * east.x + change.y * east.y + change.z * east.z);
        along[i] = (float)-(change.x * up.x + change.y * up.y + change.z * up.z);
    }
}

void planet_slopes(const Planet *planet, int start, int count, int y, float *across, float *along) {
    switch (planet->projection) {
    case EQUIRECTANGULAR:
    case MERCATOR:
        stretched_slopes(planet, count, y, across, along);
        return;
    case ORTHOGRAPHIC:
        globe_slopes(planet, start, count, y, across, along);
        return;
    case CUBE:
        cube_slopes(planet, start, count, y, across, along);
        return;
    case PLANAR:
        return;
    }
}

// --- the globe ---------------------------------------------------------------------------------------------

void planet_columns(const Planet *planet, int y, int *first, int *end) {
    *first = 0, *end = planet->width;
    if (planet->projection != ORTHOGRAPHIC)
        return;
    const double radius = 0.5 * max(planet->width, planet->height);
    const double down = y + 0.5 - 0.5 * planet->height, middle = 0.5 * planet->width;
    const double half = sqrt(radius * radius - down * down);
    const int left = whole_int(ceil(middle - half - 0.5)), right = whole_int(floor(middle + half - 0.5));
    *first = max(left, 0);
    *end = right < planet->width - 1 ? right + 1 : planet->width;
}

// The brightness, 1 where the sun stands as in the middle.
static double daylight_at(const Planet *planet, Point at) {
    const double facing =
        at.x * (double)planet->sun[0] + at.y * (double)planet->sun[1] + at.z * (double)planet->sun[2];
    const double twilight = 0.35; // a wide terminator, so that enough of the map is visible
    const double share = (facing + twilight) / ((double)planet->sun[2] + twilight);
    const double lit = clamp(share, 0, 1);
    return 1 - planet->contrast * 0.75 * (1 - lit) * (1 - lit);
}

Light planet_from_space(const Planet *planet, Light ground, int x, int y) {
    const Light air = to_light((Pixel){ 0xa6, 0xcc, 0xf2, 255 }), space = to_light((Pixel){ 4, 6, 12, 255 });
    const double radius = 0.5 * max(planet->width, planet->height);
    Point at = on_globe(planet, x, y);
    const double out = sqrt(at.x * at.x + at.y * at.y), covered = (1 - out) * radius + 0.5;
    const double share = clamp(covered, 0, 1);
    if (out > 1)
        at.x /= out, at.y /= out;
    const double day = daylight_at(planet, at);
    // A line of sight crosses 1 / z times as much air as one from above: 1 - 1 / e^a of the ground is
    // hidden.
    const double crossed = 0.05 * planet->air / (at.z + 1e-3);
    const double haze = 0.95 * (1 - 1 / (1 + crossed + 0.5 * crossed * crossed));
    const Light shown = light_scaled(light_blend(ground, air, (float)haze), (float)day);
    const double above = out > 1 ? (out - 1) / (0.012 * planet->air + 1e-9) : 0;
    const double glow = above < 1 ? 0.6 * (1 - above) * (1 - above) * day * (planet->air > 0) : 0;
    return light_blend(light_blend(space, air, (float)glow), shown, (float)share);
}
