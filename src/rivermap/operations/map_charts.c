#include "rivermap/operations/map_charts.h"

#include "core/math.h"
#include "rivermap/eroded/eroded.h"
#include "rivermap/globe.h"

#include <math.h>

Vec3 map_direction(const RiverMap *map, Vec2 place) {
    const Vec3 *axes = eroded_of(map)->axes, at = globe_place(place);
    return (Vec3){ vec3_dot(at, axes[0]), vec3_dot(at, axes[1]), vec3_dot(at, axes[2]) };
}

Vec2 map_place(const RiverMap *map, Vec3 at) {
    const Vec3 *axes = eroded_of(map)->axes;
    return globe_on_map((Vec3){ at.x * axes[0].x + at.y * axes[1].x + at.z * axes[2].x,
                                at.x * axes[0].y + at.y * axes[1].y + at.z * axes[2].y,
                                at.x * axes[0].z + at.y * axes[1].z + at.z * axes[2].z });
}

static Vec3 north_of(const RiverMap *map) {
    return map_direction(map, (Vec2){ 0.5, 0.25 });
}

EditChart map_chart_at(const RiverMap *map, Vec3 up) {
    return edit_chart(up, north_of(map));
}

static double from_middle(EditPoint point) {
    return sqrt((point.x - 0.5) * (point.x - 0.5) + (point.y - 0.5) * (point.y - 0.5));
}

bool map_chart(const RiverMap *map, const ShapePoint *points, int count, double half, EditChart *chart,
               EditPoint *placed) {
    const bool planet = map->tiling->planet;
    Vec3 sum = { 0 };
    *chart = (EditChart){ 0 };
    for (int i = 0; i < count; i++) {
        placed[i] = (EditPoint){ points[i].x, points[i].y };
        const Vec3 at = planet ? map_direction(map, (Vec2){ points[i].x, points[i].y }) : sum;
        sum = (Vec3){ sum.x + at.x, sum.y + at.y, sum.z + at.z };
    }
    const double length = sqrt(vec3_dot(sum, sum));
    if (!planet)
        return true;
    if (length < 0.5 * count)
        return false;
    *chart = map_chart_at(map, (Vec3){ sum.x / length, sum.y / length, sum.z / length });
    bool fits = true;
    for (int i = 0; i < count; i++) {
        placed[i] = chart_point(chart, map_direction(map, (Vec2){ points[i].x, points[i].y }));
        fits = fits && from_middle(placed[i]) + half <= CHART_REACH;
    }
    return fits;
}

// A place with the digits that messages give: what they name has to fit.
static Vec2 as_shown(Vec2 place) {
    const double digits = 1e7;
    return (Vec2){ floor(place.x * digits + 0.5) / digits, floor(place.y * digits + 0.5) / digits };
}

enum { STEPS = 24, WAYS = 8 }; // away from the middle
#define STEP 0.125             // of the edit's box

bool map_place_beside(const RiverMap *map, const LandEdit *edit, Vec2 *place) {
    static const EditPoint ways[WAYS] = { { 1, 0 },  { 0.7, 0.7 },   { 0, 1 },  { -0.7, 0.7 },
                                          { -1, 0 }, { -0.7, -0.7 }, { 0, -1 }, { 0.7, -0.7 } };
    const EditBox box = { edit->left, edit->top, edit->right, edit->bottom };
    const double step = STEP * max(box.right - box.left, box.bottom - box.top);
    for (int away = 1; away <= STEPS; away++)
        for (int way = 0; way < WAYS; way++) {
            const EditPoint at = { 0.5 + away * step * ways[way].x, 0.5 + away * step * ways[way].y };
            *place = as_shown(map_place(map, chart_direction(&edit->chart, at)));
            const EditChart chart = map_chart_at(map, map_direction(map, *place));
            EditBox on[CUBE_FACES];
            chart_boxes(&chart, &box, on);
            if (boxes_on_two_faces(on))
                return true;
        }
    return false;
}
