#include "picture/map_sheet.h"

#include "core/math.h"
#include "core/vector.h"
#include "core/whole.h"
#include "picture/lettering.h"

#include <math.h>

typedef struct HeightLabel {
    NumberText number;
    double length, height;
} HeightLabel;

// Whether less than `gap` is between them.
static bool overlap(Box a, Box b, double gap) {
    return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap &&
           b.top < a.bottom + gap;
}

// Takes the room for a label, if there is any far from others, and farther from those of the same height;
// else false.
static bool take_room(MapSheet *sheet, Box box) {
    if (sheet->taken_count == TAKEN_MAX || box.left < 2 || box.top < 2 ||
        box.right > sheet->lines.width - 2 || box.bottom > sheet->lines.height - 2)
        return false;
    for (int i = 0; i < sheet->taken_count; i++)
        if (overlap(box, sheet->taken[i],
                    sheet->taken[i].height == box.height ? sheet->spacing / 2 : 3 * LETTER))
            return false;
    sheet->taken[sheet->taken_count++] = box;
    return true;
}

// Bright ground in a rectangle along a direction, and no lines.
static void clear_paper(MapSheet *sheet, Vec2 from, Vec2 along, double length, double height) {
    const double reach = length + height;
    const int left = index_within(from.x - reach, sheet->lines.width);
    const int right = index_within(from.x + reach, sheet->lines.width);
    const int top = index_within(from.y - reach, sheet->lines.height);
    const int bottom = index_within(from.y + reach, sheet->lines.height);
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            const double dx = x + 0.5 - from.x, dy = y + 0.5 - from.y;
            const double u = dx * along.x + dy * along.y, v = dy * along.x - dx * along.y;
            if (u >= -2 && u <= length + 1 && v >= -2 && v <= height + 2) {
                field_row(&sheet->lines, y)[x] = 0;
                field_row(&sheet->paper, y)[x] = 0.55f;
            }
        }
}

// The point of a reach `distance` along it from point *at, which is moved there.
static bool walk(const RiverPoint *points, int count, int *at, double distance, Vec2 *found) {
    while (*at + 1 < count) {
        const RiverPoint *a = &points[*at], *b = &points[*at + 1];
        const double dx = b->x - a->x, dy = b->y - a->y, step = sqrt(dx * dx + dy * dy);
        if (step >= distance && step > 0) {
            *found = (Vec2){ a->x + dx * distance / step, a->y + dy * distance / step };
            return true;
        }
        distance -= step;
        ++*at;
    }
    return false;
}

// A level is a float, with that rounding: the fewest decimals that tell it.
static NumberText level_text(double height, double rounding) {
    const double finest = min(2e-5, 2e-4 * fabs(height));
    double step = 1, rounded = floor(height + 0.5);
    while (step > finest && fabs(rounded - height) > rounding) {
        step /= 10;
        rounded = floor(height / step + 0.5) * step;
    }
    return number_text(rounded, step);
}

// Writes a height along the chord of a contour; false if there is no room, or if its upper side, which faces
// uphill, would be below and `uphill` is required. Higher ground is on the right of the contour.
static bool write_label(MapSheet *sheet, const HeightLabel *label, Vec2 from, Vec2 to, bool uphill) {
    const double chord = vec2_distance(from, to), length = label->length;
    Vec2 along = { (from.x - to.x) / chord, (from.y - to.y) / chord };
    const bool upright = along.x > -0.1;
    if (!upright && uphill)
        return false;
    if (!upright)
        along = (Vec2){ -along.x, -along.y };
    const Vec2 middle = { (from.x + to.x) / 2, (from.y + to.y) / 2 };
    const Vec2 corner = { middle.x - along.x * length / 2 + along.y * LETTER / 2,
                          middle.y - along.y * length / 2 - along.x * LETTER / 2 };
    const Vec2 far = { corner.x + along.x * length - along.y * LETTER,
                       corner.y + along.y * length + along.x * LETTER };
    const Box box = { min(corner.x, far.x) - LETTER, min(corner.y, far.y) - LETTER,
                      max(corner.x, far.x) + LETTER, max(corner.y, far.y) + LETTER, label->height };
    if (!take_room(sheet, box))
        return false;
    clear_paper(sheet, corner, along, length, LETTER);
    letter_text(&sheet->letters, label->number.text, corner, along, LETTER);
    return true;
}

static double reach_length(const RiverPoint *points, int count) {
    double length = 0;
    for (int i = 1; i < count; i++)
        length +=
            vec2_distance((Vec2){ points[i - 1].x, points[i - 1].y }, (Vec2){ points[i].x, points[i].y });
    return length;
}

// Labels a contour where it is straight enough, and again after the map's spacing. What counts as straight
// enough falls with the way on which there might have been a label, so that rough contours have labels, too,
// but the straight places are preferred. Whether there is one.
static bool label_reach(MapSheet *sheet, const RiverPoint *points, int count, double sea, double metres,
                        bool uphill) {
    const double height = (double)points[0].altitude, above = height - sea;
    const double rounding = 1e-6 * (fabs(above) + 0.25 * fabs(sea)); // floats' of the sea counts, too
    HeightLabel label = { level_text(above * metres, rounding * metres), 0, height };
    label.length = letter_length(label.number.text, LETTER);
    const double length = label.length, step = length / 4, spacing = max(sheet->spacing, 10 * length);
    if (reach_length(points, count) < 5 * length)
        return true; // too small for one
    double since = spacing;
    bool any = false;
    int at = 0;
    Vec2 from, to;
    for (double start = 0.1; walk(points, count, &at, start, &from); since += step) {
        int end = at;
        const double back = vec2_distance(from, (Vec2){ points[at].x, points[at].y });
        start = back + step;
        if (!walk(points, count, &end, back + length, &to))
            break;
        const double straight = clamp(0.95 - 0.03 * (since - spacing) / length, 0.6, 0.95);
        if (since < spacing || vec2_distance(from, to) < straight * length)
            continue;
        if (write_label(sheet, &label, from, to, uphill)) {
            since = 0;
            any = true;
        }
    }
    return any;
}

void map_label_contours(MapSheet *sheet, const RiverNetwork *contours, double metres) {
    const double sea = contours->frame.sea;
    for (int i = 0; i < contours->reach_count; i++) {
        const Reach *reach = &contours->reaches[i];
        const RiverPoint *points = contours->points + reach->first;
        if (reach->order == 2 && !label_reach(sheet, points, reach->count, sea, metres, true))
            label_reach(sheet, points, reach->count, sea, metres, false);
    }
}
