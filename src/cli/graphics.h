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

// What the terminal can show: by its environment, and where that does not tell by asking it, for at most a
// fifth of a second. Nothing when standard output is no terminal.
Graphics graphics_detect(void);

// The picture as text for the terminal, so many columns and at most so many rows large; freed by free. NULL
// when there is nothing to show it with.
char *graphics_picture(const Image *image, Graphics graphics, int columns, int rows, size_t *length);

#endif
