// What is printed on a map's relief: heights along its contours, a scale bar, a north arrow, a title.

#ifndef ESKER_MAP_SHEET_H
#define ESKER_MAP_SHEET_H

#include "core/error.h"
#include "core/field.h"
#include "rivers/network.h"

typedef struct Box {
    double left, top, right, bottom;
    double height; // of the contour; NaN: a sign
} Box;

enum { LETTER = 8, LEAST_LETTER = 6, TAKEN_MAX = 400, TITLE_MAX = 255 };

typedef struct MapSheet {
    Field lines, letters, paper; // shares of pixels: contours; letters and signs; bright ground below these
    double spacing;              // pixels between labels of a contour
    Box taken[TAKEN_MAX];        // by signs and labels, which leave each other free
    int taken_count;
} MapSheet;

// Labels index contours with their heights above the sea of their frame, where there is room; `metres`: how
// many a height of 1 is.
void map_label_contours(MapSheet *sheet, const RiverNetwork *contours, double metres);

// A bar of a round length, about a fifth of the map's width. `cell`: the metres of one; `times`: how many
// times steeper slopes are drawn, or 0. False, and nothing drawn, where it has no room.
bool map_draw_scale(MapSheet *sheet, double cell, double times);

// Draws a north arrow; false, and nothing drawn, if there is no room. `turn`: degrees clockwise from up.
bool map_draw_north(MapSheet *sheet, double turn);

// Fails if the title has characters without glyphs.
Status map_check_title(const char *title, Error *error);

// The first line in larger letters, then the others; an error if there is no room for them.
Status map_draw_title(MapSheet *sheet, const char *title, Error *error);

#endif
