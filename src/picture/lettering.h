// Text as strokes: titles, labels of contours, legends, scale bars.

#ifndef ESKER_LETTERING_H
#define ESKER_LETTERING_H

#include "core/field.h"
#include "core/vector.h"

#include <stdbool.h>
#include <stdint.h>

// The characters that maps can be lettered with: printable ASCII, the Latin letters of Western and Central
// Europe with their marks, and the punctuation that goes with them.

// Strokes on a grid whose row 0 is the top of capitals, 2 that of small letters, 6 the base line, 8 the
// lowest: points are pairs of digits, column and row; a slash lifts the pen. Letters begin at column
// `indent`, marks at `right` and `down`.
typedef struct Glyph {
    const char *strokes, *mark; // NULL: no mark
    double indent, right, down;
    double width; // columns
} Glyph;

// Finds the glyph of a character; false if there is none. A space has a glyph without strokes.
bool glyph_find(uint32_t code, Glyph *glyph);

// Takes the next character of a UTF-8 text, with a combining mark that follows it. `code` is NOT_UTF8 for a
// byte that is not UTF-8.
#define NOT_UTF8 UINT32_MAX
const char *take_character(const char *text, uint32_t *code);

// Draws `text`, in UTF-8, into a field of shares of cells (rivers/line_coverage.h); characters without a
// glyph are left out. `from`: the upper left corner, in cells; `along`: the direction of
// writing, of length 1; `size`: the height of a capital in cells. Some letters reach a third of it below the
// base line or, with a mark, five twelfths above the top.
void letter_text(Field *cover, const char *text, Vec2 from, Vec2 along, double size);

// Draws what lies up to `reach` cells around the strokes of the same text.
void letter_halo(Field *cover, const char *text, Vec2 from, Vec2 along, double size, double reach);

// A number as text: as many decimals as multiples of `step` need; large and tiny ones with a power of ten.
typedef struct NumberText {
    char text[32];
} NumberText;
NumberText number_text(double number, double step);

// How far the marks of its letters reach above the top, in cells.
double letter_rise(const char *text, double size);

// How long the text is, in cells.
double letter_length(const char *text, double size);

#endif
