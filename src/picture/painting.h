// Paints shapes in plain colours over images.

#ifndef ESKER_PAINTING_H
#define ESKER_PAINTING_H

#include "core/palette.h"
#include "places/points.h"

// How lines and points are drawn, in pixels of the image.
typedef struct Pen {
    double scale;     // pixels for each cell of the window
    double thickness; // factor on widths and radii
    double least;     // smallest width
    double dash;      // length of dashes, and of the gaps between them; 0: none
} Pen;

// Adds a network's lines to the share of each cell that is covered.
void cover_lines(Field *cover, const RiverNetwork *network, const Pen *pen);

// Blends a colour onto an image where `cover` is above 0.
Status paint_cover(const Run *run, Image *image, const Field *cover, Pixel colour, double opacity);

// Paints points, each species in its colour; those listed first are painted first.
Status paint_points(const Run *run, Image *image, const Points *points, const Pen *pen,
                    const Colours *colours, double opacity, Error *error);

#endif
