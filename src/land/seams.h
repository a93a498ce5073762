// Where patches of a planet's faces lie one below the other in one level's arrays, each has a halo: cells
// around it, which belong to the faces beside. After each step they are set to what those have become there,
// turned. So each cell is made on its own face alone, and all windows have the same bits.

#ifndef ESKER_SEAMS_H
#define ESKER_SEAMS_H

#include "core/error.h"
#include "land/cube.h"

#include <stdint.h>

enum { HALO = 8 }; // cells around a patch; no step between two exchanges sees further

// Cells of one face: `width` of the arrays, from a row on.
typedef struct PatchPlace {
    int face;
    Int128 x, y; // of its first cell on the face, the halo included
    int height, row;
} PatchPlace;

// Beyond a corner of the cube lies no cell. What is looked up there is the mean of two cells beside it.
typedef struct SeamCorner {
    int to, beside, above;
} SeamCorner;

typedef struct Seams {
    int *to[4], *from[4]; // by the quarters that a direction at `from` turns by
    int count[4];
    SeamCorner *corners;
    int corner_count;
} Seams;

// The seams between patches; the sides of faces have so many cells.
Status seams_between(Seams *seams, const PatchPlace *patches, int count, int width, Int128 side,
                     Error *error);
void seams_free(Seams *seams);

// What lies beyond corners: no direction, or a number.
void seams_exchange_altitudes(const Seams *seams, int32_t *cells);
void seams_exchange_floats(const Seams *seams, float *cells);
void seams_exchange_counts(const Seams *seams, uint16_t *cells, uint16_t beyond);
void seams_exchange_flow(const Seams *seams, uint16_t *cells, uint16_t beyond); // land/falls.h
void seams_exchange_directions(const Seams *seams, uint16_t *cells, uint16_t beyond);
void seams_exchange_receivers(const Seams *seams, uint8_t *cells, uint8_t beyond);

// Numbers of children (land/inherit.c) in reading order; others stay as they are.
void seams_exchange_children(const Seams *seams, uint8_t *cells, uint8_t beyond);

// Ways around a corner (land/inherit.c).
void seams_exchange_detours(const Seams *seams, uint8_t *cells);

#endif
