// Pictures in a terminal: its size, and the graphics protocols that it supports.

#ifndef ESKER_GRAPHICS_H
#define ESKER_GRAPHICS_H

#include "core/image.h"

#include <stdbool.h>

typedef enum Graphics {
    GRAPHICS_NONE,
    GRAPHICS_BLOCKS, // Unicode characters
    GRAPHICS_SIXEL,
    GRAPHICS_KITTY,
    GRAPHICS_ITERM2,
} Graphics;

// The names for --graphics, NULL-ended, in the order of the enumeration.
extern const char *const graphics_names[];

void graphics_size(int *columns, int *rows);

// The graphics that the terminal supports: from the environment, otherwise by querying it for at most 0.2
// s. None if standard output is not a terminal.
Graphics graphics_detect(void);

// The picture as text for the terminal, at most this many columns and rows large; freed by free. NULL if it
// cannot be shown.
char *graphics_picture(const Image *image, Graphics graphics, int columns, int rows, size_t *length);

#endif
