// A Frame says where cells lie: on which ground, in which coordinate system. Cell coordinates, (0, 0) the
// upper left corner of the first cell, become those of the map by an affine transformation, which stays one
// under all that moves cells: cutting, resampling, mirroring, turning. Frames are copied by value.

#ifndef ESKER_FRAME_H
#define ESKER_FRAME_H

#include "core/bytes.h"
#include "core/earth.h"
#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Frame {
    double x, y;             // the upper left corner of cell (0, 0), in map units
    double right_x, right_y; // the step to the next column
    double down_x, down_y;   // and to the next row. All zero: no frame
    const char *system;      // coordinate system: "EPSG:26916", "EPSG:26916+5703", or WKT; NULL: unknown
    const char *unit;        // unit of the heights, such as "m"; NULL: unknown
    double sea;              // height of the sea; not 0 where heights count from elsewhere
    double top;              // how high the ground of the whole map is, above the sea; 0: not known
    bool sealess;    // no ground is sea, however low it lies: models of real ground, unless they say more
    bool no_heights; // cells are other numbers, such as angles: no unit is assumed of them
} Frame;

// Both texts are kept for the lifetime of the process, each once: at most FRAME_TEXTS_MAX of them.
enum { FRAME_SYSTEM_MAX = 16384, FRAME_UNIT_MAX = 32, FRAME_TEXTS_MAX = 1024 };

// The height of the sea where there is none: below all ground. Gaps are lower still.
#define FRAME_NO_SEA (-0x1p126)

static inline double frame_sea(const Frame *frame) {
    return frame->sealess ? FRAME_NO_SEA : frame->sea;
}

// The property `frame` of values.
#define FRAME_DOC                                                                                            \
    "where it lies: a table with x, y, cell_width, cell_height, system, unit, sea and top, or nil "          \
    "(see georeference)"

// Copies of equal texts are the same. An empty one is NULL. Fails with STATUS_INVALID if the text is longer
// than `most` bytes or has control characters, and with STATUS_MEMORY.
Status frame_text(const char *text, size_t most, const char **kept, Error *error);

// The same for a coordinate system. Fails also if what begins as a code is none: files with it are not read.
Status frame_system(const char *text, const char **kept, Error *error);

static inline bool frame_is_set(const Frame *frame) {
    return frame->right_x != 0 || frame->right_y != 0;
}

// Rows from west to east, the first in the north: what formats without rotation can say.
static inline bool frame_is_upright(const Frame *frame) {
    return frame->right_x > 0 && frame->right_y == 0 && frame->down_x == 0 && frame->down_y < 0;
}

// Whether the frame is valid: its numbers are finite, and cells have an area.
bool frame_is_valid(const Frame *frame);

// Makes it the frame of results that are not heights: without unit, sea and top.
static inline void frame_drop_heights(Frame *frame) {
    frame->unit = NULL;
    frame->sea = 0;
    frame->sealess = false;
    frame->top = 0;
    frame->no_heights = true;
}

// The map coordinates of a place in cells.
void frame_locate(const Frame *frame, double x, double y, double place[2]);

// The reverse; false: too far away for numbers.
bool frame_cell_at(const Frame *frame, const double place[2], double cell[2]);

// The map coordinates of a longitude and a latitude, of the ellipsoid of the frame's system. Fails with
// STATUS_INVALID, and says what to do, where it has none.
Status frame_place_of_degrees(const Frame *frame, double longitude, double latitude, double place[2],
                              Error *error);

// The reverse, with the same errors.
Status frame_degrees_of_place(const Frame *frame, const double place[2], double degrees[2], Error *error);

// The side of a square of a cell's area, in map units.
double frame_cell(const Frame *frame);

// Metres that the declared unit of heights stands for. 0: it has none, or it is no length that is known.
double frame_unit_metres(const Frame *frame);

// The same, where none is declared of the unit of the coordinates (on degrees metres), as GDAL and GRASS do:
// `info` says so. 0: no frame, no known length, or numbers other than heights outside any system.
double frame_height_metres(const Frame *frame);

// The units of the altitudes of zoomable maps: MAP_HEIGHT of the side that a flat map's coordinates count, or
// of a planet's radius. Slopes are known, but not what either is in metres.
#define MAP_UNIT "map"
#define PLANET_UNIT "planet"
#define MAP_HEIGHT 0.055
bool frame_is_of_map(const Frame *frame);

// How high the ground of the whole map rises above the sea, if this is a window of a map: pictures colour
// heights by it, and shade the slopes of the ground. 0: not a window of a map.
double frame_top(const Frame *frame);

// Length of the unit of heights (frame_height_metres) in the units of the ground: metres, or those of a map.
// 0: not known.
double frame_unit(const Frame *frame);

// A sphere on which coordinates are degrees or Mercator's metres, so that cells get narrower towards the
// poles.
typedef struct FrameSphere {
    double radius; // metres, in PLANET_UNIT 1; 0: coordinates lie in a plane
    double radian; // along the equator, in coordinates
    bool mercator;
} FrameSphere;

// The sphere of a window of a planet, or of a coordinate system in WKT in degrees on a sphere.
FrameSphere frame_sphere(const Frame *frame);

// frame_cell of a field of `width` × `height` cells in metres (core/earth.h); 0 where there is no frame, or
// in a system that is not known and could be degrees. Coordinates without a system are metres. On an
// ellipsoid or under a projection whose scale varies it is that of the field's middle, as in the two
// functions below.
double frame_cell_metres(const Frame *frame, int width, int height);

// frame_cell_metres in the unit of heights: how much a slope of 1 rises from one cell to the next. 0: not
// known.
double frame_cell_heights(const Frame *frame, int width, int height);

// The sides of a cell, over frame_cell: exactly 1 for squares, and where cells have no length in metres.
typedef struct CellShape {
    double across, down;
} CellShape;

CellShape frame_cell_shape(const Frame *frame, int width, int height);

// Whether lengths on this ground can be told: fails with STATUS_INVALID, and says what to do, where only PROJ
// knows the system and it is missing. `uneven`: how much the scale varies along a row, which is left out.
Status frame_check_ground(const Frame *frame, int width, int height, double *uneven, Error *error);

// frame_cell_shape in the middle of a row, over frame_cell of the field's middle: rows differ where the
// ground is no plane.
CellShape frame_row_shape(const Frame *frame, int width, int height, int row);

// Whether cells differ from squares by a thirty-second or more of a side: they are longer than wide, or
// skewed.
typedef enum CellForm { CELLS_SQUARE, CELLS_OBLONG, CELLS_SKEWED } CellForm;

CellForm frame_cell_form(const Frame *frame, int width, int height);

// Takes the unit of heights and the sea from `from` where `to` has none. Fails with STATUS_INVALID if both
// have them and they differ; `name` names `from` in the message.
Status frame_join_heights(Frame *to, const Frame *from, const char *name, Error *error);

// Where north lies in the array of cells: degrees clockwise from up, and whether east is then to the left.
// Without a frame north is up. Cells count with their sides.
typedef struct Compass {
    double turn;
    bool mirrored;
} Compass;

Compass frame_compass(const Frame *frame);

// The direction in the array, clockwise from up, of one on the map, clockwise from north; and the reverse,
// from 0 to below 360.
double compass_to_cells(Compass compass, double azimuth);
double compass_from_cells(Compass compass, double direction);

// The frame of cells that `part` places in the cell coordinates of `frame`. Without a frame the result has
// none.
Frame frame_of_part(const Frame *frame, const Frame *part);

// The frame of the same ground in another number of cells.
Frame frame_of_cells(const Frame *frame, int width, int height, int new_width, int new_height);

// The same, where the outermost cells keep their middles.
Frame frame_of_points(const Frame *frame, int width, int height, int new_width, int new_height);

// Whether two frames of `width` × `height` cells put them in the same places, to a hundredth of a cell. An
// unknown coordinate system agrees with any, and heights in another vertical system lie in the same places.
bool frames_agree(const Frame *a, const Frame *b, int width, int height);

// Sends it to another process; frame_read trusts no byte.
void frame_write(const Frame *frame, ByteWriter *to);
Status frame_read(Frame *frame, FILE *from, Error *error);

// "cells of 30 × 30 from 733975, 3469995 in EPSG:26916", for messages.
void frame_describe(const Frame *frame, char *text, size_t size);

// Where a field lies, in the coordinates of a place outside of it: with `degrees` also the longitude and
// latitude of its first and last corner, if they are known.
void frame_describe_field(const Frame *frame, int width, int height, bool degrees, char *text, size_t size);

#endif
