// Draws the eroded land of a view.

#ifndef ESKER_GROUND_H
#define ESKER_GROUND_H

#include "rivermap/eroded/atlas.h"

// --- lines of rivers ---------------------------------------------------------------------------------------

// The rivers of an atlas as lines in a picture, as wide as they are: by the root of what they drain. A line
// narrower than a pixel covers so much of it.

// Near a globe's edge, where the picture shows the ground aslant, rivers are drawn as if a pixel showed at
// most so many of them side by side.
enum { PLANET_ASLANT = 4 };

typedef struct RiverLines RiverLines;

// The rivers that show in the atlas's view; NULL: `status` says why. The atlas stays.
RiverLines *river_lines_new(const Atlas *atlas, Status *status, Error *error);
void river_lines_free(RiverLines *lines);

// Draws the rivers of a flat map into its view's fields: the widest shape the land.
Status river_lines_draw(RiverLines *lines, Error *error);

// How much of the pixel at a place of a planet they cover; above 1 their width in pixels. `dry`: the same of
// dry beds, up to 1; NULL: not wanted.
float river_lines_cover(const RiverLines *lines, const GridPlace *place, Vec3 at, float *dry);

// --- the methods of flat maps and planets (eroded_view.c, stream_network.c) -------------------------------

Status eroded_datum(const View *view, Datum *datum, Error *error);
Status eroded_render(const View *view, Error *error);
Status eroded_prepare(const View *view, Error *error);
Status eroded_add_rivers(const View *view, NetworkBuilder *builder, Error *error);

// --- steps of drawing --------------------------------------------------------------------------------------

// Draws the altitudes and flows of an atlas into its view's fields. `lines` (NULL: none) of planets are drawn
// into those of the view `asked`, too, whose first pixel is PIXEL_SEAS_MARGIN right of and below the view's.
Status ground_draw(const Atlas *atlas, const RiverLines *lines, const View *asked, Error *error);

// Cells around a view that it reads.
int ground_margin(const View *view, int depth);

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

// Pixels that a cell's area takes, on planets on average.
double pixels_of_cell(const Atlas *atlas);

// Shows sea where straits and inlets of the land's cells run and streams end, in a picture whose pixels are
// no cells. Pixels within PIXEL_SEAS_MARGIN of the view's edge are for those inside.
Status open_seas(const Atlas *atlas, Error *error);

#endif
