#include "land/edit_charts.h"

#include "core/elementary.h"
#include "core/math.h"

#include <math.h>

#define MIDDLE 0.5

static Vec3 scaled(Vec3 at, double by) {
    return (Vec3){ by * at.x, by * at.y, by * at.z };
}

static Vec3 unit(Vec3 at) {
    return scaled(at, 1 / sqrt(vec3_dot(at, at)));
}

EditChart edit_chart(Vec3 up, Vec3 north) {
    const Vec3 along = vec3_cross(north, up), any = vec3_cross((Vec3){ north.y, north.z, north.x }, up);
    const bool pole = vec3_dot(along, along) < 1e-18;
    const Vec3 east = unit(pole ? any : along);
    return (EditChart){ true, east, vec3_cross(east, up), up };
}

// Lambert's azimuthal equal-area projection, which needs roots alone.
EditPoint chart_point(const EditChart *chart, Vec3 at) {
    const double high = max(1 + vec3_dot(chart->up, at), 1e-9), scale = sqrt(2 / high) / (2 * PI);
    return (EditPoint){ MIDDLE + scale * vec3_dot(chart->east, at),
                        MIDDLE + scale * vec3_dot(chart->south, at) };
}

Vec3 chart_direction(const EditChart *chart, EditPoint point) {
    const double x = 2 * PI * (point.x - MIDDLE), y = 2 * PI * (point.y - MIDDLE),
                 squared = min(x * x + y * y, 4.0), along = sqrt(1 - squared / 4), high = 1 - squared / 2;
    const Vec3 east = scaled(chart->east, along * x), south = scaled(chart->south, along * y),
               up = scaled(chart->up, high);
    return (Vec3){ east.x + south.x + up.x, east.y + south.y + up.y, east.z + south.z + up.z };
}

CubePlace chart_place(const EditChart *chart, EditPoint point, double side) {
    if (chart->round)
        return cube_place(side, chart_direction(chart, point));
    return (CubePlace){ .x = point.x * side, .y = point.y * side };
}

// --- boxes -------------------------------------------------------------------------------------------------

// Of a cap's angles around one of a face's axes, what the face shows, as shares of its side. `along`, `out`:
// of the cap's middle. `across`: the sine of its radius.
static bool span_on_face(double along, double out, double across, double *first, double *last) {
    const double squared = along * along + out * out - across * across;
    const double half = squared > 0 ? arctangent2(across, sqrt(squared)) : PI,
                 middle = arctangent2(along, out);
    const double wide = half * (1 + 1e-6) + 1e-13;
    *first = clamp((middle - wide) * (2 / PI) + 0.5, 0.0, 1.0);
    *last = clamp((middle + wide) * (2 / PI) + 0.5, 0.0, 1.0);
    return *first < *last;
}

// Of the cap around the chart's middle that holds the box.
void chart_boxes(const EditChart *chart, const EditBox *box, EditBox on[CUBE_FACES]) {
    const EditBox nothing = { 0, 0, -1, -1 };
    const double x = max(fabs(box->left - MIDDLE), fabs(box->right - MIDDLE)),
                 y = max(fabs(box->top - MIDDLE), fabs(box->bottom - MIDDLE)),
                 half = min(PI * sqrt(x * x + y * y), 0.7), // the sine of half the cap's radius
        across = 2 * half * sqrt(1 - half * half);
    for (int face = 0; face < CUBE_FACES; face++) {
        on[face] = face == 0 && !chart->round ? *box : nothing;
        if (!chart->round)
            continue;
        const Vec3 seen = cube_seen(face, chart->up);
        EditBox shown;
        if (span_on_face(seen.x, seen.z, across, &shown.left, &shown.right) &&
            span_on_face(seen.y, seen.z, across, &shown.top, &shown.bottom))
            on[face] = shown;
    }
}

static int faces_of(const EditBox on[CUBE_FACES]) {
    int faces = 0;
    for (int face = 0; face < CUBE_FACES; face++)
        faces += !box_is_empty(&on[face]);
    return faces;
}

bool boxes_on_one_face(const EditBox on[CUBE_FACES]) {
    return faces_of(on) == 1;
}

bool boxes_on_two_faces(const EditBox on[CUBE_FACES]) {
    return faces_of(on) == 1 || faces_of(on) == 2;
}
