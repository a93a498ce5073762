#include "picture/map_sheet.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/vector.h"
#include "core/whole.h"
#include "picture/lettering.h"
#include "rivers/line_coverage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- signs -------------------------------------------------------------------------------------------------

enum { EDGE = 2 }; // cells between a sign's paper and the map's edge, at least

// Paper for a sign, which labels leave free. False if it would not be whole or lie on another.
static bool map_take_box(MapSheet *sheet, int left, int top, int right, int bottom) {
    bool free = left >= EDGE && top >= EDGE && right <= sheet->lines.width - EDGE &&
                bottom <= sheet->lines.height - EDGE;
    for (const Box *box = sheet->taken; free && box < sheet->taken + sheet->taken_count; box++)
        free = left >= box->right || right <= box->left || top >= box->bottom || bottom <= box->top;
    if (!free)
        return false;
    sheet->taken[sheet->taken_count++] = (Box){ left, top, right, bottom, NAN };
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            field_row(&sheet->lines, y)[x] = 0;
            field_row(&sheet->letters, y)[x] = 0;
            field_row(&sheet->paper, y)[x] = 0.85f;
        }
    return true;
}

bool map_draw_scale(MapSheet *sheet, double cell, double times) {
    const double wanted = sheet->lines.width * cell / 5;
    const double ten = power(10, floor(logarithm(wanted) / logarithm(10)));
    const double length = wanted / ten >= 5 ? 5 * ten : wanted / ten >= 2 ? 2 * ten : ten;
    char text[80];
    const struct {
        double metres;
        const char *format;
    } units[] = { { 1000, "%g km" }, { 1, "%g m" }, { 0.01, "%g cm" }, { 0.001, "%g mm" } };
    int unit = 0;
    while (unit < 3 && length < 0.999 * units[unit].metres)
        unit++;
    int letters = snprintf(text, sizeof text, units[unit].format, length / units[unit].metres);
    if (times > 0 && !(fabs(times - 1) < 0.05))
        snprintf(text + letters, sizeof text - (size_t)letters,
                 times < 10 ? ", slopes x %.1f" : ", slopes x %.0f", times);
    const double pixels = length / cell, left = 14, bottom = sheet->lines.height - 14;
    if (!map_take_box(sheet, 6, whole_int(bottom) - LETTER - 14,
                      whole_int(left + max(pixels, letter_length(text, LETTER)) + 8), whole_int(bottom) + 8))
        return false;
    for (int i = -1; i <= 1; i++)
        stroke_line(&sheet->letters, (Vec2){ left, bottom + i }, (Vec2){ left + pixels, bottom + i }, 1);
    letter_text(&sheet->letters, text, (Vec2){ left, bottom - LETTER - 7 }, (Vec2){ 1, 0 }, LETTER);
    return true;
}

bool map_draw_north(MapSheet *sheet, double turn) {
    const double x = sheet->lines.width - 20, top = 14, angle = turn * (PI / 180), s = sine(angle),
                 c = cosine(angle);
    const double middle_x = x, middle_y = top + 11; // of the arrow, about which it turns
    if (!map_take_box(sheet, whole_int(x) - 12, 6, whole_int(x) + 14, 56))
        return false;
    const Vec2 parts[4] = {
        { 0, -11 }, { 0, 11 }, { -5, -2 }, { 5, -2 }
    }; // the tip, and where lines from it end
    Vec2 ends[4];
    for (int i = 0; i < 4; i++)
        ends[i] =
            (Vec2){ middle_x + c * parts[i].x - s * parts[i].y, middle_y + s * parts[i].x + c * parts[i].y };
    for (int i = 1; i < 4; i++)
        stroke_line(&sheet->letters, ends[0], ends[i], 1.5);
    letter_text(&sheet->letters, "N", (Vec2){ x - 3.5, top + 28 }, (Vec2){ 1, 0 }, 10);
    return true;
}

// --- the title -------------------------------------------------------------------------------------------

// NORTH: the arrow's box and a gap, SCALE: that of the scale bar.
enum { TITLE = 14, SUBTITLE = 10, MARGIN = 6, NORTH = 38, SCALE = 48, LEADING = 4 };

typedef struct TitleLine {
    char text[TITLE_MAX + 1];
    double size, length;
} TitleLine;

Status map_check_title(const char *title, Error *error) {
    const size_t length = strlen(title);
    if (length > TITLE_MAX)
        return fail(error, STATUS_INVALID, "title must have at most %d bytes, got %zu", TITLE_MAX, length);
    int count = 0;
    for (const char *rest = title; *rest; count++) {
        uint32_t code;
        Glyph glyph;
        rest = take_character(rest, &code);
        if (code == NOT_UTF8)
            return fail(error, STATUS_INVALID, "title must be UTF-8, got a byte that is not at character %d",
                        count + 1);
        if (code != '\n' && !glyph_find(code, &glyph))
            return fail(
                error, STATUS_INVALID,
                "title must have letters of Western and Central Europe, ASCII characters and line breaks "
                "only, got U+%04X at character %d",
                code, count + 1);
    }
    return STATUS_OK;
}

// Takes a line off the text; it is written smaller if there is no room.
static const char *next_line(const char *text, double size, double room, TitleLine *line) {
    const size_t length = strcspn(text, "\n");
    memcpy(line->text, text, length);
    line->text[length] = '\0';
    line->length = letter_length(line->text, size);
    line->size = line->length > room ? size * room / line->length : size;
    line->length = min(line->length, room);
    return text[length] ? text + length + 1 : NULL;
}

static double line_height(const TitleLine *line) {
    return line->size * 4 / 3 + LEADING; // with what is below the base line
}

// For marks above, so that they stay clear of what reaches below the line before, or on the paper.
static double marks_room(const TitleLine *line, bool is_first) {
    const double rise = letter_rise(line->text, line->size);
    return is_first ? max(rise - MARGIN + 2, 0) : rise;
}

Status map_draw_title(MapSheet *sheet, const char *title, Error *error) {
    const double room = sheet->lines.width - NORTH - 3 * MARGIN,
                 below = sheet->lines.height - SCALE - 3 * MARGIN;
    double length = 0, height = 0;
    TitleLine line;
    for (const char *rest = title; rest; height += line_height(&line)) {
        const bool is_first = rest == title;
        rest = next_line(rest, is_first ? TITLE : SUBTITLE, room, &line);
        height += marks_room(&line, is_first);
        length = max(length, line.length);
        if (line.size < LEAST_LETTER)
            return fail(error, STATUS_INVALID,
                        "title does not fit: a map %d cells wide has room for %d characters in a line",
                        sheet->lines.width, whole_int(max(room, 0) / LEAST_LETTER));
    }
    if (height > below)
        return fail(error, STATUS_INVALID,
                    "title does not fit: it is %d cells high, a map %d cells high has room for %d",
                    whole_int(ceil(height)), sheet->lines.height, whole_int(max(below, 0)));
    map_take_box(sheet, MARGIN, MARGIN, whole_int(ceil(length)) + 3 * MARGIN,
                 whole_int(ceil(height)) + 3 * MARGIN);
    Vec2 at = { 2 * MARGIN, 2 * MARGIN };
    for (const char *rest = title; rest; at.y += line_height(&line)) {
        const bool is_first = rest == title;
        rest = next_line(rest, is_first ? TITLE : SUBTITLE, room, &line);
        at.y += marks_room(&line, is_first);
        letter_text(&sheet->letters, line.text, at, (Vec2){ 1, 0 }, line.size);
    }
    return STATUS_OK;
}

// --- labels ------------------------------------------------------------------------------------------------

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
