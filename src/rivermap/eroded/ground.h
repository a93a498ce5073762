// Draws the eroded land of a view.

#ifndef ESKER_GROUND_H
#define ESKER_GROUND_H

#include "rivermap/eroded/atlas.h"
#include "rivermap/eroded/river_lines.h"

// --- the methods of flat maps and planets (eroded_view.c, stream_network.c) -------------------------------

Status eroded_datum(const View *view, Datum *datum, Error *error);
Status eroded_render(const View *view, Error *error);
Status eroded_prepare(const View *view, Error *error);
Status eroded_add_rivers(const View *view, NetworkBuilder *builder, Error *error);

// --- steps of drawing --------------------------------------------------------------------------------------

// Draws the altitudes and flows of a flat map's atlas into its view's fields (grid_ground.c).
Status grid_ground(const Atlas *atlas, Error *error);

// The same of a planet's, in any projection (globe_ground.c). `lines` (NULL: none) are drawn into `river`,
// whose first pixel is PIXEL_SEAS_MARGIN right of and below the view's.
Status globe_ground(const Atlas *atlas, const RiverLines *lines, Field *river, Error *error);

// Cells around a view that they read.
int grid_ground_margin(const View *view, int depth);
int globe_ground_margin(const View *view, int depth);

// Whether pixels show the altitudes of streams.
static inline bool shows_beds(const Atlas *atlas) {
    return atlas->cell >= 0.5;
}

// The cells that a stream drains whose mouth shows.
static inline float least_at_mouth(const Atlas *atlas) {
    const RiverMap *map = atlas->view->map;
    return shows_beds(atlas) ? (float)stream_area(map, atlas->depth)
                             : river_min_area(map, atlas->depth, atlas->cell);
}

// Pixels of a planet's picture that a cell's area takes on average.
double pixels_of_cell(const Atlas *atlas);

// Shows sea where straits and inlets of the land's cells run and streams end, in a picture whose pixels are
// no cells. Pixels within PIXEL_SEAS_MARGIN of the view's edge are for those inside.
Status open_seas(const Atlas *atlas, Error *error);

#endif
