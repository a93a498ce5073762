// The characters that maps can be lettered with: printable ASCII, the Latin letters of Western and Central
// Europe with their marks, and the punctuation that goes with them.

#ifndef ESKER_ALPHABET_H
#define ESKER_ALPHABET_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
