// Palettes: colours by height. Those with a name run from the deepest sea at -1 over the shore at 0 to the
// highest land at 1.

#ifndef ESKER_PALETTE_H
#define ESKER_PALETTE_H

#include "core/image.h"

enum { PALETTE_MAX = 32 };

// Heights rise; colours between two stops blend in linear light. Two stops a hair apart make a sharp change,
// as at a shore.
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

extern const NamedPalette named_palettes[];

// NULL if there is none of this name.
const Palette *palette_find(const char *name);

#endif
