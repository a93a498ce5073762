#include "picture/lettering.h"

#include "core/math.h"
#include "picture/alphabet.h"
#include "rivers/line_coverage.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 6, GAP = 2, FIGURE = 4 }; // of the grid: capitals' height; between glyphs; digits' width

// To where the next one begins. Digits all have the same, so that columns of numbers stand below each other.
static double advance_of(uint32_t code, double size) {
    Glyph glyph;
    if (!glyph_find(code, &glyph))
        return 0;
    const double width = code == ' ' ? 1 : code >= '0' && code <= '9' ? FIGURE : glyph.width;
    return (width + GAP) * size / ROWS;
}

NumberText number_text(double number, double step) {
    NumberText text;
    int decimals = 0;
    double unit = 1;
    while (decimals < 6 && fabs(step / unit - floor(step / unit + 0.5)) > 1e-6) {
        decimals++;
        unit /= 10;
    }
    const double size = max(fabs(number), step);
    if (size < 1e6 && step >= 1e-6) {
        snprintf(text.text, sizeof text.text, "%.*f", decimals, number + 0.0); // no -0
        return text;
    }
    int exponent = 0;
    double rest = number;
    for (; fabs(rest) >= 9.9995; exponent++) // which four digits would round to 10
        rest /= 10;
    for (; fabs(rest) < 0.99995 && rest != 0; exponent--)
        rest *= 10;
    if (rest == 0)
        return (NumberText){ "0" };
    snprintf(text.text, sizeof text.text, "%.4ge%d", rest, exponent);
    return text;
}

double letter_length(const char *text, double size) {
    double length = 0;
    while (*text) {
        uint32_t code;
        text = take_character(text, &code);
        length += advance_of(code, size);
    }
    return length;
}

double letter_rise(const char *text, double size) {
    double rows = 0;
    while (*text) {
        uint32_t code;
        Glyph glyph;
        text = take_character(text, &code);
        if (glyph_find(code, &glyph))
            rows = max(rows, -glyph.down);
    }
    return rows * size / ROWS;
}

// The point of the grid at column and row.
static Vec2 placed(Vec2 from, Vec2 along, double step, char column, char row) {
    const double x = (column - '0') * step, y = (row - '0') * step;
    return (Vec2){ from.x + along.x * x - along.y * y, from.y + along.y * x + along.x * y };
}

static void draw_glyph(Field *cover, const char *strokes, Vec2 from, Vec2 along, double size) {
    const double step = size / ROWS, width = size / 8 > 1 ? size / 8 : 1;
    bool down = false; // the pen
    Vec2 last = from;
    while (*strokes) {
        if (*strokes == '/' || *strokes == ' ') {
            down = down && *strokes == ' ';
            strokes++;
            continue;
        }
        const Vec2 next = placed(from, along, step, strokes[0], strokes[1]);
        if (down)
            stroke_line(cover, last, next, width);
        last = next;
        down = true;
        strokes += 2;
    }
}

// The place that lies `columns` and `rows` further on the grid.
static Vec2 moved(Vec2 from, Vec2 along, double step, double columns, double rows) {
    return (Vec2){ from.x + step * (along.x * columns - along.y * rows),
                   from.y + step * (along.y * columns + along.x * rows) };
}

void letter_text(Field *cover, const char *text, Vec2 from, Vec2 along, double size) {
    const double step = size / ROWS;
    while (*text) {
        uint32_t code;
        Glyph glyph;
        text = take_character(text, &code);
        if (!glyph_find(code, &glyph))
            continue;
        draw_glyph(cover, glyph.strokes, moved(from, along, step, glyph.indent, 0), along, size);
        if (glyph.mark)
            draw_glyph(cover, glyph.mark, moved(from, along, step, glyph.right, glyph.down), along, size);
        from = moved(from, along, 1, advance_of(code, size), 0);
    }
}
