// Windows of zoomable maps: their places, pixels and zero. A View is what render passes to a tiling.

#ifndef ESKER_VIEW_H
#define ESKER_VIEW_H

#include "core/math.h"
#include "core/param.h"
#include "core/whole.h"
#include "rivermap/tiling.h"

#include <math.h>

// --- places ------------------------------------------------------------------------------------------------

// Coordinates on a map: integers in units of 2^-120 of the map's side, so that a window's position is exact
// at any zoom.

enum { PLACE_BITS = 120 };

// The position given by a number 0 … 1 with any number of digits. Hexadecimal ones are exact to the last bit.
Int128 place_from_decimal(Decimal decimal);

// A position as decimal digits, enough to distinguish positions at this distance; `up`: rounded up,
// otherwise down.
typedef struct PlaceDigits {
    char text[48];
} PlaceDigits;

PlaceDigits place_digits(Int128 place, Int128 apart, bool up);

// The integers around the binary logarithm of a positive number, computed exactly: libraries round it
// differently.
int log2_below(double number);
int log2_above(double number);

// The position of the centre of pixel i, in map units.
double pixel_centre(Int128 centre, Int128 pixel, int pixels, int i);

// --- exact altitudes ---------------------------------------------------------------------------------------

// Exact altitudes, from which those of relative windows count: windows whose altitudes count from different
// places can be compared.

// An altitude of the datum's, in units of the depth.
static inline Int128 datum_units(const Datum *datum, Int128 altitude, int depth) {
    const int finer = depth - datum->depth;
    return finer >= 0 ? altitude * ((Int128)1 << finer) : altitude >> -finer;
}

// That of the land.
static inline Int128 datum_at(const Datum *datum, int depth) {
    return datum_units(datum, datum->altitude, depth);
}

// How far it lies above another of the same map, in map units.
static inline double datum_above(const Datum *datum, const Datum *other) {
    const int depth = max(datum->depth, other->depth);
    const Int128 above = datum_units(datum, datum->altitude + datum->raised, depth) -
                         datum_units(other, other->altitude + other->raised, depth);
    return ldexp((double)above * datum->unit, -depth);
}

// --- windows -----------------------------------------------------------------------------------------------

// A river narrower than this, in pixels, is drawn as a line.
#define CHANNEL_MIN 1.2f

typedef enum Projection {
    PROJECTION_EQUIRECTANGULAR,
    PROJECTION_ORTHOGRAPHIC,
    PROJECTION_CUBE,
    PROJECTION_MERCATOR, // the square of web maps, which ends at 85.05°
    PROJECTION_GRID,     // a face of the cube on which eroded land has its cells: not for users
} Projection;

struct View {
    const RiverMap *map;
    const Run *run;
    Field *altitude, *river; // rivers are 0 at first
    Field *flow;             // of land that has it
    Field *water,
        *lake_level; // how deep lakes are, and how high, of a map that may have any; NULL: not wanted
    Field *
        salt; // of a watered map with lakes: how salty dry beds are, from 0; -1: salt water; NULL: not wanted
    Field *discharge,
        *wadi;    // of a watered map: m³/s through a pixel, and its share of dry beds; NULL: not wanted
    Field *level; // altitudes, and the water's on pixels of rivers that shape them; flat eroded land only;
                  // NULL: not wanted
    int width, height;          // pixels
    Int128 x, y, pixel;         // the centre and a pixel's side
    double pixels;              // along the map's side
    double side;                // of a flat map in metres; not above 0: not known
    double radius;              // of a planet, the same
    const char *system;         // the coordinate system of a planet of this radius
    Datum *datum;               // altitudes count from it; NULL: from the sea
    bool own_datum;             // it is that of the centre, which the drawing finds
    Int128 centre_x, centre_y;  // the centre without the border
    bool rimmed;                // a window with what its cover needs around, the land of which is kept
    bool whole_pixels;          // rivers as published
    Projection projection;      // of planets
    int face;                   // of the cube: front, right, back, left, top, bottom
    const Vec3 *axes;           // of the cube of PROJECTION_GRID, on the planet
    float line_basin;           // rivers that drain more are channels, not lines
    double longitude, latitude; // for planets: degrees, the centre of the whole map
};

// The window that an operation is asked for; `border`: as many pixels more on each side.
typedef struct WindowRequest {
    Decimal x, y;
    double zoom;
    double pixels; // along the map's side, instead of zoom; 0: by zoom
    int border;
    double side, radius; // of a flat map and a planet, in metres; not above 0: not known
    bool inside;         // moved to lie on the map
} WindowRequest;

#define BORDER_PARAM(type)                                                                                   \
    PARAM(type, border, .max = 1024, .unit = UNIT_CELLS,                                                     \
          .doc = "additional cells on each side, on the same grid; fewer at the edge of the map, but not "   \
                 "at the edge of a cube's face, nor at 180° of a planet unless cells would show twice")

#define SIDE_PARAM(type)                                                                                     \
    PARAM(type, side, .optional = true, .min = 0x1p-10, .max = 0x1p30,                                       \
          .doc = "for flat maps with raw land: the length of the map's side in metres; then altitudes are "  \
                 "metres (1 is 0.055 of the side), and so are the frame's coordinates. Eroded land has its " \
                 "own (river_map)")

#define RADIUS_PARAM(type)                                                                                   \
    PARAM(                                                                                                   \
        type, radius, .optional = true, .min = 0x1p-10, .max = 0x1p30,                                       \
        .doc =                                                                                               \
            "for planets with raw land: the radius in metres; then altitudes are metres (1 is 0.055 of the " \
            "radius), and the frame's coordinate system says how long a degree is. Eroded land has its "     \
            "own (river_map)")

// For view_on_face.
#define FACE_PARAM(type)                                                                                     \
    PARAM(type, face, .choices = CHOICES("whole", "front", "right", "back", "left", "top", "bottom"),        \
          .doc =                                                                                             \
              "for planets: a face of the cube, on which x and y are; \"whole\": the equirectangular map")

#define INSIDE_PARAM(type)                                                                                   \
    PARAM(type, inside, .initial = false,                                                                    \
          .doc =                                                                                             \
              "moves a window that would leave the map to where it lies inside; otherwise that is an error")

// The window of operations that show what render does: members of their struct, their declarations, and what
// is asked for with them.
#define WINDOW_MEMBERS                                                                                       \
    Decimal x, y;                                                                                            \
    double zoom;                                                                                             \
    int border;                                                                                              \
    bool inside

#define WINDOW_PARAMS(type)                                                                                  \
    PARAM(type, x, .initial = 0.5, .min = 0, .max = 1, .doc = "centre of the window, as in render"),         \
        PARAM(type, y, .initial = 0.5, .min = 0, .max = 1, .doc = "the same"),                               \
        PARAM(type, zoom, .initial = 1, .min = 1, .max = 0x1p100, .doc = "the same"), INSIDE_PARAM(type),    \
        BORDER_PARAM(type)

#define WINDOW_ASKED(params)                                                                                 \
    .x = (params)->x, .y = (params)->y, .zoom = (params)->zoom, .border = (params)->border,                  \
    .inside = (params)->inside

// How a planet is seen, for view_project: the members projection, face and rotation.
#define PROJECTION_PARAMS(type)                                                                              \
    PARAM(type, projection, .choices = CHOICES("equirectangular", "orthographic", "cube", "mercator"),       \
          .doc = "for planets: a map; the planet from far away, with the deepest sea around it; "            \
                 "one face of a cube; or the square of web maps"),                                           \
        PARAM(type, face, .choices = CHOICES("front", "right", "back", "left", "top", "bottom"),             \
              .doc = "face of the cube"),                                                                    \
        PARAM(type, rotation, .rows_min = 2, .rows_max = 2, .optional = true, .min = -360, .max = 360,       \
              .unit = UNIT_DEGREES,                                                                          \
              .doc = "for planets: longitude and latitude of the centre of the whole map")

// Sets how a view shows its planet.
Status view_project(View *view, const RiverMap *map, int projection, int face, const Numbers *rotation,
                    Error *error);

// Along the map's side: the most pixels of a window, by the bits that hold positions and altitudes, less
// those that a pixel needs.
double map_max_pixels(const RiverMap *map);

// The projection on which a place is given: 0 the whole map, 1 to 6 a face of the cube, which planets alone
// have.
Status view_on_face(View *view, const RiverMap *map, int face, Error *error);

// Checks a window and sets map, run, size and position. The projection is set.
Status view_set(View *view, const Call *call, const WindowRequest *asked, Error *error);

// The same for a point, the window's centre: pixels around it may leave the map.
Status view_set_point(View *view, const Call *call, const WindowRequest *asked, Error *error);

// Makes it the window of so many pixels a side around the same centre, moved to lie on the map.
void view_shrink(View *view, int side);

// Creates the fields that altitude, river and flow point to, the flow of land that has it, and draws them.
Status view_draw(const View *view, Error *error);

// Creates a field as large as the view, all 0.
Status view_field(Field *field, const View *view, Error *error);

// The zero of the view's altitudes.
static inline Int128 view_zero(const View *view, int depth) {
    const Datum *datum = view->datum;
    return datum ? datum_units(datum, datum->altitude + datum->raised, depth) : 0;
}

// The place of the window's upper left corner.
static inline Int128 view_left(const View *view) {
    return view->x - view->pixel * view->width / 2;
}

static inline Int128 view_top(const View *view) {
    return view->y - view->pixel * view->height / 2;
}

// Whether the map meets itself at its sides: a planet's, whose windows may go on beyond them.
static inline bool view_goes_round(const View *view) {
    return view->map->tiling->planet &&
           (view->projection == PROJECTION_EQUIRECTANGULAR || view->projection == PROJECTION_MERCATOR);
}

// A position on such a map, 0 … 1, a turn farther where the window's middle is nearer there.
static inline double view_nearest_turn(const View *view, double x) {
    const double off = x - ldexp((double)view->x, -PLACE_BITS);
    return off > 0.5 ? x - 1 : off < -0.5 ? x + 1 : x;
}

// By how much to move a window where places are rounded down to parts of cells or pixels. On a grid of pixels
// that is no power of two, places exactly between two such parts are common, and windows of the grid, whose
// own places are rounded, would disagree there. A prime divisor, so that this makes no such places elsewhere.
static inline Int128 view_nudge(const View *view) {
    const bool binary = (view->pixel & (view->pixel - 1)) == 0;
    return binary ? 0 : view->pixel / 1000003;
}

// The window's frame: the map's coordinates, y upwards from its lower edge; on planets degrees of longitude
// and latitude. None where pixels are no part of that map. Heights are altitudes.
Frame view_frame(const View *view);

// What an altitude of 1 is in the unit of heights.
static inline double view_height(const View *view) {
    const double length = view->map->tiling->planet ? view->radius : view->side;
    return length > 0 ? MAP_HEIGHT * length : 1;
}

// Altitudes of a window that was drawn to that unit.
Status view_raise(const View *view);

// --- the zero of a relative window's altitudes -------------------------------------------------------------

// The exact altitude in the window's middle, as pixels so large show it: of the land, or of what wide rivers
// have made of it.
Status view_datum(const View *view, Datum *datum, Error *error);

// from_x and from_y, which default to the map's middle, are for from_zoom.
Status check_from(Decimal x, Decimal y, double zoom, Error *error);

// The same of the place from_x, from_y at from_zoom, with the size and projection of this window.
Status view_datum_of(const View *view, const WindowRequest *from, const Call *call, Datum *datum,
                     Error *error);

// Sets where a network lies on its map, whose points are in pixels of the view, and their altitudes, which
// are in map units, to the unit of heights.
typedef struct RiverNetwork RiverNetwork; // rivers/network.h
void view_place_network(const View *view, RiverNetwork *network);

// --- lines of rivers ---------------------------------------------------------------------------------------

// Half the width of a river's line, in pixels.
#define RIVER_HALF_WIDTH 0.6f

// The share, 0 … 1, of the pixel around (0, 0), whose side is 1, that a line covers.
static inline float line_coverage(float from_x, float from_y, float to_x, float to_y) {
    const float dx = to_x - from_x, dy = to_y - from_y, share = segment_share(-from_x, -from_y, dx, dy);
    return min(RIVER_HALF_WIDTH + 0.5f - segment_distance(-from_x, -from_y, dx, dy, share), 1);
}

#endif
