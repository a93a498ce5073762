#include "picture/lettering.h"

#include "core/math.h"
#include "rivers/strokes.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 6, ADVANCE = 5 }; // of the grid on which glyphs are drawn: 4 columns and a gap

// Strokes on the grid: points are pairs of digits, column and row; a slash lifts the pen.
static const char *const digits[10] = {
    "10 30 41 45 36 16 05 01 10",
    "12 30 36",
    "01 10 30 41 42 06 46",
    "00 40 22 32 43 45 36 16 05",
    "30 04 44 34/32 36",
    "40 00 02 32 43 45 36 16 05",
    "30 10 02 05 16 36 45 43 32 12 03",
    "00 40 16",
    "10 30 41 32 12 01 10/12 32 43 45 36 16 05 03 12",
    "16 36 44 41 30 10 01 02 13 33 42",
};

static const char *strokes_of(char letter) {
    switch (letter) {
    case '-':
        return "03 33";
    case '.':
        return "15 16";
    case 'e':
        return "05 45 44 33 13 04 05 16 46";
    case 'k':
        return "00 06/33 04/14 36";
    case 'm':
        return "06 02/03 12 23 26/23 32 43 46";
    case 'N':
        return "06 00 46 40";
    case ' ':
        return "";
    default:
        return letter >= '0' && letter <= '9' ? digits[letter - '0'] : NULL;
    }
}

static double advance_of(char letter, double size) {
    const double step = size / ROWS;
    return letter == '.' ? 3 * step : strokes_of(letter) ? ADVANCE * step + step : 0;
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
    for (; fabs(rest) >= 10; exponent++)
        rest /= 10;
    for (; fabs(rest) < 1 && rest != 0; exponent--)
        rest *= 10;
    snprintf(text.text, sizeof text.text, "%.4ge%d", rest, exponent);
    return text;
}

double letter_length(const char *text, double size) {
    double length = 0;
    for (; *text; text++)
        length += advance_of(*text, size);
    return length;
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

void letter_text(Field *cover, const char *text, Vec2 from, Vec2 along, double size) {
    for (; *text; text++) {
        const char *strokes = strokes_of(*text);
        if (strokes)
            draw_glyph(cover, strokes, from, along, size);
        const double advance = advance_of(*text, size);
        from.x += along.x * advance;
        from.y += along.y * advance;
    }
}
