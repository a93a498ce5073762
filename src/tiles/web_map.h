// Fields where web maps show them: in the projection "Web Mercator" (EPSG:3857). Places are shares of the
// world's square, from its upper left corner, 180° west and 85.05° north.

#ifndef ESKER_WEB_MAP_H
#define ESKER_WEB_MAP_H

#include "core/field.h"
#include "core/parallel.h"

// Whether places in the frame's coordinate system are known here: EPSG:3857, and EPSG:4326 in degrees.
bool web_map_knows(const Frame *frame);

typedef struct WebBox {
    double left, top, right, bottom;
    double cell; // the smaller side of the middle cell
} WebBox;

// Where a field lies whose frame is known.
WebBox web_map_box(const Field *field);

// Fills `to`, whose cells are there, from a field with a frame that is known: its pixels are squares of the
// side `pixel` from (left, top) on, pixel (x, y) at left + x · pixel. Heights are interpolated; pixels beyond
// the field, or near a gap, have no data.
Status web_map_draw(const Run *run, const Field *field, double left, double top, double pixel, Field *to,
                    Error *error);

#endif
