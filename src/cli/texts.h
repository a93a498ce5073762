// Makes untrusted text (from a recipe, a file or an output folder) safe to print on a terminal.
// lua/esker/screen.lua and main.c print through this; no other code prints such text.

#ifndef ESKER_TEXTS_H
#define ESKER_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Writes the text with '?' for each character that is not visible.
void print_visible(FILE *stream, const char *text, size_t length);

#endif
