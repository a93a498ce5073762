// Text as strokes: titles, labels of contours, legends, scale bars.

#ifndef ESKER_LETTERING_H
#define ESKER_LETTERING_H

#include "core/field.h"
#include "core/vector.h"

// Draws `text`, in UTF-8, into a field of shares of cells (rivers/line_coverage.h); characters without a glyph
// (alphabet.h) are left out.
// `from`: the upper left corner, in cells; `along`: the direction of writing, of length 1; `size`: the height
// of a capital in cells. Some letters reach a third of it below the base line or, with a mark, five
// twelfths above the top.
void letter_text(Field *cover, const char *text, Vec2 from, Vec2 along, double size);

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
