#include "picture/lettering.h"

#include "core/math.h"
#include "rivers/strokes.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 6, GAP = 2, FIGURE = 4 }; // of the grid: capitals' height; between glyphs; digits' width

// The printable ASCII characters from ' ' on, drawn for this program. Strokes on a grid whose row 0 is the
// top of capitals, 2 that of small letters, 6 the base line, 8 the lowest: points are pairs of digits, column
// and row; a slash lifts the pen.
static const char *const glyphs[] = {
    "",                                                // space
    "10 14/15 16",                                     // !
    "00 02/20 22",                                     // "
    "20 06/40 26/02 42/04 44",                         // #
    "42 31 11 02 13 33 44 35 15 04/20 26",             // $
    "40 06/00 10 11 01 00/35 45 46 36 35",             // %
    "46 12 11 20 30 31 04 05 16 26 44",                // &
    "00 02",                                           // '
    "10 01 05 16",                                     // (
    "00 11 15 06",                                     // )
    "20 24/01 43/41 03",                               // *
    "21 25/03 43",                                     // +
    "15 16 07",                                        // ,
    "03 33",                                           // -
    "15 16",                                           // .
    "06 30",                                           // /
    "10 30 41 45 36 16 05 01 10",                      // 0
    "12 30 36",                                        // 1
    "01 10 30 41 42 06 46",                            // 2
    "00 40 22 32 43 45 36 16 05",                      // 3
    "30 04 44 34/32 36",                               // 4
    "40 00 02 32 43 45 36 16 05",                      // 5
    "30 10 02 05 16 36 45 43 32 12 03",                // 6
    "00 40 16",                                        // 7
    "10 30 41 32 12 01 10/12 32 43 45 36 16 05 03 12", // 8
    "16 36 44 41 30 10 01 02 13 33 42",                // 9
    "12 13/15 16",                                     // :
    "12 13/15 16 07",                                  // ;
    "41 03 45",                                        // <
    "02 42/04 44",                                     // =
    "01 43 05",                                        // >
    "01 10 20 31 32 14/15 16",                         // ?
    "46 16 05 01 10 40 51 54 44 34 32 22 13 14 24 34", // @
    "06 20 46/14 34",                                  // A
    "03 33 44 45 36 06 00 30 41 42 33",                // B
    "41 30 10 01 05 16 36 45",                         // C
    "00 30 41 45 36 06 00",                            // D
    "30 00 06 36/03 23",                               // E
    "30 00 06/03 23",                                  // F
    "41 30 10 01 05 16 36 45 43 23",                   // G
    "00 06/40 46/03 43",                               // H
    "00 06",                                           // I
    "30 35 26 16 05",                                  // J
    "00 06/40 04/22 46",                               // K
    "00 06 36",                                        // L
    "06 00 24 40 46",                                  // M
    "06 00 46 40",                                     // N
    "10 40 51 55 46 16 05 01 10",                      // O
    "06 00 30 41 42 33 03",                            // P
    "10 40 51 55 46 16 05 01 10/34 57",                // Q
    "06 00 30 41 42 33 03/23 46",                      // R
    "41 30 10 01 02 13 33 44 45 36 16 05",             // S
    "00 40/20 26",                                     // T
    "00 05 16 36 45 40",                               // U
    "00 26 40",                                        // V
    "00 16 32 56 60",                                  // W
    "00 46/40 06",                                     // X
    "00 23 40/23 26",                                  // Y
    "00 40 06 46",                                     // Z
    "10 00 06 16",                                     // [
    "00 36",                                           // backslash
    "00 10 16 06",                                     // ]
    "02 20 42",                                        // ^
    "07 47",                                           // _
    "00 11",                                           // `
    "32 36/33 22 12 03 05 16 26 35",                   // a
    "00 06/03 12 22 33 35 26 16 05",                   // b
    "33 22 12 03 05 16 26 35",                         // c
    "30 36/33 22 12 03 05 16 26 35",                   // d
    "04 34 33 22 12 03 05 16 26 35",                   // e
    "20 11 16/02 22",                                  // f
    "32 37 28 18 07/33 22 12 03 05 16 26 35",          // g
    "00 06/03 12 22 33 36",                            // h
    "02 06/00 00",                                     // i
    "12 17 08/10 10",                                  // j
    "00 06/32 05/14 36",                               // k
    "00 05 16",                                        // l
    "02 06/03 12 22 33 36/33 42 52 63 66",             // m
    "02 06/03 12 22 33 36",                            // n
    "12 22 33 35 26 16 05 03 12",                      // o
    "02 08/03 12 22 33 35 26 16 05",                   // p
    "32 38/33 22 12 03 05 16 26 35",                   // q
    "02 06/03 12 22",                                  // r
    "33 22 12 03 14 24 35 26 16 05",                   // s
    "10 15 26/02 22",                                  // t
    "02 05 16 26 35/32 36",                            // u
    "02 26 42",                                        // v
    "02 16 33 56 62",                                  // w
    "02 36/32 06",                                     // x
    "02 05 16 26 35/32 37 28 18 07",                   // y
    "02 32 06 36",                                     // z
    "20 11 12 03 14 15 26",                            // {
    "00 07",                                           // |
    "00 11 12 23 14 15 06",                            // }
    "04 13 34 43",                                     // ~
};

static const char *strokes_of(char letter) {
    return can_letter(letter) ? glyphs[letter - ' '] : "";
}

bool can_letter(char letter) {
    return letter >= ' ' && letter <= '~';
}

// To where the next one begins. Digits all have the same, so that columns of numbers stand below each other.
static double advance_of(char letter, double size) {
    if (!can_letter(letter))
        return 0;
    int widest = letter == ' ' ? '1' : letter >= '0' && letter <= '9' ? '0' + FIGURE : '0';
    for (const char *strokes = strokes_of(letter); *strokes; strokes++)
        if (*strokes >= '0') {
            widest = max(widest, *strokes);
            strokes++;
        }
    return (widest - '0' + GAP) * size / ROWS;
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
        draw_glyph(cover, strokes_of(*text), from, along, size);
        const double advance = advance_of(*text, size);
        from.x += along.x * advance;
        from.y += along.y * advance;
    }
}
