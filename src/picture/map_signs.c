#include "picture/map_sheet.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/whole.h"
#include "picture/alphabet.h"
#include "picture/lettering.h"
#include "rivers/line_coverage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
