// Fields where web maps show them: in the projection "Web Mercator" (EPSG:3857). Places are shares of the
// world's square, from its upper left corner, 180° west and 85.05° north. Beyond its left and right edge the
// world comes again; a square shows fields where their coordinates say, not where they are a turn away.

#ifndef ESKER_WEB_MAP_H
#define ESKER_WEB_MAP_H

#include "core/field.h"
#include "core/parallel.h"

// Whether places in the frame's coordinate system are known here: EPSG:3857, and EPSG:4326 in degrees, also
// of compound systems with heights.
bool web_map_knows(const Frame *frame);

typedef struct WebBox {
    double left, top, right, bottom;
    double cell; // the smaller side of the middle cell; 0: all cells lie beyond the upper or lower edge
} WebBox;

// Where `width` × `height` cells lie whose frame is known.
WebBox web_map_box(const Frame *frame, int width, int height);

// A field whose frame is known, of which the cells from (x, y) on are there: all, or a part.
typedef struct WebSource {
    Frame frame;       // of the whole
    int width, height; // of the whole
    const Field *cells;
    int x, y;
} WebSource;

// A square of a web map: pixel (x, y) has its upper left corner at left + x · pixel, top + y · pixel.
typedef struct WebSquare {
    double left, top, pixel;
    int side; // pixels
} WebSquare;

// The cells of a field that a square shows: x, y, width, height; false: none.
bool web_map_cells(const WebSource *source, const WebSquare *square, int cells[4]);

// Fills `to`, whose cells are there, with a square; the source has at least the cells that it shows. Heights
// are interpolated; pixels beyond the field, or near a gap, are those of `under`, a field of the same size,
// or have no data if it is NULL.
Status web_map_draw(const Run *run, const WebSource *source, const WebSquare *square, const Field *under,
                    Field *to, Error *error);

#endif
