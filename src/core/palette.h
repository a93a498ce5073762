// Palettes: colours by height. Named palettes run from the deepest sea at -1 over the shore at 0 to the
// highest land at 1.

#ifndef ESKER_PALETTE_H
#define ESKER_PALETTE_H

#include "core/image.h"

#include <stdbool.h>

enum { PALETTE_MAX = 32 };

// Stops are in order of rising height; colours between them blend in linear light. Two stops close together
// make a sharp edge, as at a shore.
typedef struct Palette {
    int count;
    struct PaletteStop {
        double height;
        Pixel colour;
    } stops[PALETTE_MAX];
} Palette;

typedef struct NamedPalette {
    const char *name; // NULL ends the list
    Palette palette;
} NamedPalette;

// A list of colours, such as one for each species of points.
enum { COLOURS_MAX = 32 };

typedef struct Colours {
    int count;
    Pixel at[COLOURS_MAX];
} Colours;

extern const NamedPalette named_palettes[];

// NULL if no palette has this name.
const Palette *palette_find(const char *name);

// Whether its colours break off just below 0, as those of sea and land do, or are all the same there.
bool palette_has_coast(const Palette *palette);

// Reads "#rrggbb" or "#rrggbbaa"; false if it is neither.
bool colour_read(const char *text, Pixel *colour);

#endif
