// The seas of a picture are connected where those of the land are. A pixel's altitude is a mean of cells,
// which averages away straits, inlets and the mouths of rivers.

#ifndef ESKER_PIXEL_SEAS_H
#define ESKER_PIXEL_SEAS_H

#include "core/error.h"
#include "core/field.h"

#include <stdint.h>

// Pixels around a window on which its own depend.
enum { PIXEL_SEAS_MARGIN = 8 };

typedef struct PixelSeas {
    int width, height;
    _Atomic uint8_t *marks;
} PixelSeas;

Status pixel_seas_create(PixelSeas *seas, int width, int height, Error *error);
void pixel_seas_free(PixelSeas *seas);

// Water lies all along a line, from one place in the picture to another. Threads may do so at once.
void pixel_seas_add(const PixelSeas *seas, double x, double y, double to_x, double to_y);

// A pixel in which a river ends stays sea.
void pixel_seas_add_mouth(const PixelSeas *seas, int x, int y);

// Makes sea of the pixels of land without which the sea would be parted or a mouth be land: their altitudes
// become `depth` below `sea`, and their flow 0.
Status pixel_seas_open(const PixelSeas *seas, float sea, float depth, Field *altitude, Field *flow,
                       Error *error);

#endif
