// Makes untrusted text (from a recipe, a file or an output folder) safe to print on a terminal.
// lua/esker/screen.lua and main.c print through this; no other code prints such text.

#ifndef ESKER_TERMINAL_ESCAPE_H
#define ESKER_TERMINAL_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Character {
    size_t length; // bytes, at least 1
    int32_t code;  // its code point; -1 for a byte that is not UTF-8
    bool visible;  // neither a control character (except newline and tab) nor one that reorders or hides text
} Character;

// Decodes the first character of a text of `left` bytes, at least one.
Character next_character(const char *text, size_t left);

// Writes the text with '?' for each character that is not visible.
void print_visible(FILE *stream, const char *text, size_t length);

#endif
