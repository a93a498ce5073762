// The seas of a picture are connected where those of the land are. A pixel's altitude is a mean of cells,
// which averages away straits, inlets and the mouths of rivers.

#ifndef ESKER_PIXEL_SEAS_H
#define ESKER_PIXEL_SEAS_H

#include "core/field.h"
#include "land/land.h"

// Pixels around a window on which its own depend.
enum { PIXEL_SEAS_MARGIN = 8 };

typedef struct PixelSeas {
    int width, height;
    _Atomic uint8_t *marks;
} PixelSeas;

Status pixel_seas_create(PixelSeas *seas, int width, int height, Error *error);
void pixel_seas_free(PixelSeas *seas);

// Finds the cells of row y of a window that are sea, but so close to land that a mean may be land.
typedef void SeaCell(const void *context, int x, int y);
void pixel_seas_find(const LandWindow *land, int y, SeaCell *found, const void *context);

// A pixel holds water. Threads may add to the same seas at once.
void pixel_seas_add_pixel(const PixelSeas *seas, int x, int y);

// Water lies all along a line, from one place in the picture to another.
void pixel_seas_add(const PixelSeas *seas, double x, double y, double to_x, double to_y);

// A pixel in which a river ends stays sea.
void pixel_seas_add_mouth(const PixelSeas *seas, int x, int y);

// Makes sea of the pixels of land without which the sea would be parted or a mouth be land: their flow
// becomes 0. `sea`: its altitude; `cell`: what a cell's side is as an altitude.
Status pixel_seas_open(const PixelSeas *seas, double sea, double cell, Field *altitude, Field *flow,
                       Error *error);

#endif
