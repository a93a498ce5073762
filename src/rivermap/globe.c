#include "rivermap/globe.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "land/cube.h"

#include <math.h>

typedef struct Turn {
    double sine, cosine;
} Turn;

typedef struct Globe {
    const View *view;
    GlobePainter *painter;
    void *planet;
    GlobeFinder *finder;
    const void *found_on; // a planet
    Turn north, east;
    double *across;          // of the columns: -1/2 … 1/2 of the whole map's width
    double *sines, *cosines; // of their longitudes, or of the angles on a face of PROJECTION_GRID
} Globe;

static Turn turn_by(double degrees) {
    return (Turn){ sine(degrees * (PI / 180)), cosine(degrees * (PI / 180)) };
}

double globe_pixel(const View *view) {
    switch (view->projection) {
    case PROJECTION_ORTHOGRAPHIC:
        return 2 / view->pixels;
    case PROJECTION_CUBE: // in the middle of a face; at its corners half as much
        return 1.4 / view->pixels;
    case PROJECTION_GRID: // in the middle of a face
        return PI / 2 / view->pixels;
    case PROJECTION_MERCATOR: // at 45°; at the equator larger, towards the poles smaller
        return 2 * PI * 0.70710678118654752 / view->pixels;
    case PROJECTION_EQUIRECTANGULAR:
    default:
        return 2 * PI / view->pixels;
    }
}

// The first tiles are rotated, so that none of their sides is on a meridian or the equator: by 25° around
// one axis, then by 40° around another.
static const Turn by_25 = { 0.42261826174069944, 0.90630778703664996 };
static const Turn by_40 = { 0.64278760968653933, 0.76604444311897804 };

// From the viewer's axes (x to the right, y up, z towards the viewer) to the planet's: rotated so that the
// centre of the window has the given latitude and longitude.
static Vec3 turned(const Globe *globe, Vec3 at) {
    const Turn north = globe->north, east = globe->east;
    const double up = north.cosine * at.y + north.sine * at.z, near = north.cosine * at.z - north.sine * at.y;
    const double right = east.cosine * at.x + east.sine * near, front = east.cosine * near - east.sine * at.x;
    const double askew = by_25.cosine * up - by_25.sine * front;
    return (Vec3){ by_40.cosine * right - by_40.sine * askew, by_40.sine * right + by_40.cosine * askew,
                   by_25.sine * up + by_25.cosine * front };
}

// Back to the axes of the unrotated map.
static Vec3 turned_back(Vec3 at) {
    const double askew = by_40.cosine * at.y - by_40.sine * at.x;
    return (Vec3){ by_40.cosine * at.x + by_40.sine * at.y, by_25.cosine * askew + by_25.sine * at.z,
                   by_25.cosine * at.z - by_25.sine * askew };
}

static Vec2 equirectangular(Vec3 seen) {
    const double out = sqrt(seen.x * seen.x + seen.z * seen.z);
    return (Vec2){ 0.5 + arctangent2(seen.x, seen.z) / (2 * PI), 0.5 - arctangent2(seen.y, out) / (2 * PI) };
}

Vec2 globe_on_map(Vec3 at) {
    return equirectangular(turned_back(at));
}

Vec3 globe_place(Vec2 position) {
    const Globe globe = { .north = { 0, 1 }, .east = { 0, 1 } };
    const Turn east = turn_by(360 * (position.x - 0.5)), north = turn_by(360 * (0.5 - position.y));
    return turned(&globe, (Vec3){ north.cosine * east.sine, north.sine, north.cosine * east.cosine });
}

// Through a cube's face: front, right, back, left, top, bottom; (x, y) -1/2 … 1/2, y up.
static Vec3 through_face(int face, double x, double y) {
    const double out = 1 / sqrt(1 + 4 * (x * x + y * y)), right = 2 * x * out, up = 2 * y * out;
    const Vec3 faces[6] = { { right, up, out },  { out, up, -right }, { -right, up, -out },
                            { -out, up, right }, { right, out, -up }, { right, -out, up } };
    return faces[face];
}

// On the disk; false outside it.
static bool on_disk(double x, double y, Vec3 *at) {
    const double rest = 1 - 4 * (x * x + y * y);
    if (rest <= 0)
        return false;
    *at = (Vec3){ 2 * x, 2 * y, sqrt(rest) };
    return true;
}

// --- the grid of eroded land -------------------------------------------------------------------------------

// Equal angles lie between its pixels, a quarter of a circle from edge to edge.

static Vec3 on_planet(const View *view, Vec3 cube) {
    const Vec3 *axes = view->axes;
    return (Vec3){ cube.x * axes[0].x + cube.y * axes[1].x + cube.z * axes[2].x,
                   cube.x * axes[0].y + cube.y * axes[1].y + cube.z * axes[2].y,
                   cube.x * axes[0].z + cube.y * axes[1].z + cube.z * axes[2].z };
}

static bool on_grid(const View *view, Vec3 at, Vec2 *position) {
    const Vec3 *axes = view->axes,
               on = cube_seen(view->face,
                              (Vec3){ vec3_dot(at, axes[0]), vec3_dot(at, axes[1]), vec3_dot(at, axes[2]) });
    *position = (Vec2){ 0.5 + arctangent2(on.x, on.z) * (2 / PI), 0.5 + arctangent2(on.y, on.z) * (2 / PI) };
    return on.z > 0;
}

// -----------------------------------------------------------------------------------------------------------

// A row of pixels.
typedef struct Row {
    double up, high, out; // on the whole map; of its latitude the sine and cosine
} Row;

// Mercator: the latitude whose tangent is the hyperbolic sine of 2 π up.
static Row row_of(const View *view, double up) {
    const double angle = (view->projection == PROJECTION_GRID ? 0.5 : 2) * PI * up;
    if (view->projection != PROJECTION_MERCATOR)
        return (Row){ up, sine(angle), cosine(angle) };
    const double e = exponential(angle), sum = e + 1 / e;
    return (Row){ up, (e - 1 / e) / sum, 2 / sum };
}

// Where a face shows a point: right and up are parts of out there.
static bool on_face(int face, Vec3 seen, Vec2 *position) {
    const double x = seen.x, y = seen.y, z = seen.z;
    const Vec3 faces[6] = {
        { x, y, z }, { -z, y, x }, { -x, y, -z }, { z, y, -x }, { x, -z, y }, { x, z, -y }
    };
    const Vec3 on = faces[face];
    *position = (Vec2){ 0.5 + on.x / (2 * on.z), 0.5 - on.y / (2 * on.z) };
    return on.z > 0;
}

bool globe_shows(const View *view, Vec3 at, Vec2 *position) {
    if (view->projection == PROJECTION_GRID)
        return on_grid(view, at, position);
    const Turn north = turn_by(view->latitude), east = turn_by(view->longitude);
    const Vec3 from = turned_back(at);
    const double near = east.sine * from.x + east.cosine * from.z;
    const Vec3 seen = { east.cosine * from.x - east.sine * from.z, north.cosine * from.y - north.sine * near,
                        north.sine * from.y + north.cosine * near };
    switch (view->projection) {
    case PROJECTION_ORTHOGRAPHIC:
        *position = (Vec2){ 0.5 + seen.x / 2, 0.5 - seen.y / 2 };
        return seen.z > 0;
    case PROJECTION_CUBE:
        return on_face(view->face, seen, position);
    case PROJECTION_MERCATOR:
        position->x = equirectangular(seen).x;
        position->y = 0.5 - logarithm((1 + seen.y) / (1 - seen.y)) / (4 * PI);
        return true;
    case PROJECTION_EQUIRECTANGULAR:
    default:
        *position = equirectangular(seen);
        return true;
    }
}

// `x` and `y`: from the middle of the whole map, y up.
static Vec3 seen_at(const View *view, double x, double y) {
    Vec3 at = { 0, 0, 1 };
    if (view->projection == PROJECTION_CUBE)
        return through_face(view->face, x, y);
    if (view->projection == PROJECTION_ORTHOGRAPHIC) {
        on_disk(x, y, &at);
        return at;
    }
    const Row row = row_of(view, y);
    return (Vec3){ row.out * sine(2 * PI * x), row.high, row.out * cosine(2 * PI * x) };
}

static Row row_at(const View *view, int y) {
    return row_of(view, 0.5 - pixel_centre(view->y, view->pixel, view->altitude->height, y));
}

// What pixel x of a row shows; false: nothing.
static bool shown_at(const Globe *globe, Row row, int x, Vec3 *at) {
    const View *view = globe->view;
    Vec3 seen;
    if (view->projection == PROJECTION_GRID) {
        *at = on_planet(view,
                        cube_through(view->face, globe->sines[x] / globe->cosines[x], -row.high / row.out));
        return true;
    }
    if (view->projection == PROJECTION_EQUIRECTANGULAR || view->projection == PROJECTION_MERCATOR)
        seen = (Vec3){ row.out * globe->sines[x], row.high, row.out * globe->cosines[x] };
    else if (view->projection == PROJECTION_CUBE)
        seen = through_face(view->face, globe->across[x], row.up);
    else if (!on_disk(globe->across[x], row.up, &seen))
        return false;
    *at = turned(globe, seen);
    return true;
}

static void draw_rows(void *context, int first, int end) {
    const Globe *globe = context;
    Field *altitude = globe->view->altitude;
    for (int y = first; y < end; y++) {
        const Row row = row_at(globe->view, y);
        for (int x = 0; x < altitude->width; x++) {
            Vec3 at;
            if (shown_at(globe, row, x, &at))
                globe->painter(globe->planet, at, x, y);
            else if (altitude->cells) // empty: only the places are wanted
                field_row(altitude, y)[x] = -1;
        }
    }
}

// --- blocks of pixels --------------------------------------------------------------------------------------

enum { SIDE = 32 };
_Static_assert(SIDE *SIDE == GLOBE_PLACES, "blocks are squares");

typedef struct PixelAt {
    int x, y;
} PixelAt;

static void draw_block(const Globe *globe, int left, int top) {
    const View *view = globe->view;
    const int right = min(left + SIDE, view->altitude->width),
              bottom = min(top + SIDE, view->altitude->height);
    Vec3 places[GLOBE_PLACES];
    PixelAt pixels[GLOBE_PLACES];
    double altitudes[GLOBE_PLACES];
    float rivers[GLOBE_PLACES];
    int count = 0;
    for (int y = top; y < bottom; y++) {
        const Row row = row_at(view, y);
        for (int x = left; x < right; x++)
            if (shown_at(globe, row, x, &places[count]))
                pixels[count++] = (PixelAt){ x, y };
            else
                field_row(view->altitude, y)[x] = -1;
    }
    if (count > 0)
        globe->finder(globe->found_on, places, count, altitudes, rivers);
    for (int i = 0; i < count; i++) {
        field_row(view->altitude, pixels[i].y)[pixels[i].x] = (float)altitudes[i];
        field_row(view->river, pixels[i].y)[pixels[i].x] = rivers[i];
    }
}

static void draw_blocks(void *context, int first, int end) {
    const Globe *globe = context;
    for (int row = first; row < end; row++)
        for (int left = 0; left < globe->view->altitude->width; left += SIDE)
            draw_block(globe, left, row * SIDE);
}

// --- both --------------------------------------------------------------------------------------------------

static Globe globe_of(const View *view) {
    return (Globe){ .view = view, .north = turn_by(view->latitude), .east = turn_by(view->longitude) };
}

Vec3 globe_middle(const View *view) {
    const Globe globe = globe_of(view);
    return turned(&globe, seen_at(view, ldexp((double)view->centre_x, -PLACE_BITS) - 0.5,
                                  0.5 - ldexp((double)view->centre_y, -PLACE_BITS)));
}

Vec3 globe_viewer(const View *view) {
    const Globe globe = globe_of(view);
    return view->projection == PROJECTION_ORTHOGRAPHIC ? turned(&globe, (Vec3){ 0, 0, 1 }) : (Vec3){ 0 };
}

// Of a column's middle. Beyond a side of a map that meets itself it is that at the other.
static double column_at(const View *view, int x) {
    const int width = view->altitude->width;
    const double at = pixel_centre(view->x, view->pixel, width, x);
    const Int128 turns = view_goes_round(view) ? whole_64(floor(at)) : 0;
    return turns == 0 ? at : pixel_centre(view->x - turns * ((Int128)1 << PLACE_BITS), view->pixel, width, x);
}

static Status globe_open(Globe *globe, const View *view, Error *error) {
    const int width = view->altitude->width;
    *globe = globe_of(view);
    globe->across = memory_new((size_t)width * 3, sizeof(double), error);
    if (!globe->across)
        return STATUS_MEMORY;
    globe->sines = globe->across + width;
    globe->cosines = globe->sines + width;
    const double turn = (view->projection == PROJECTION_GRID ? 0.5 : 2) * PI;
    for (int x = 0; x < width; x++) {
        globe->across[x] = column_at(view, x) - 0.5;
        globe->sines[x] = sine(turn * globe->across[x]);
        globe->cosines[x] = cosine(turn * globe->across[x]);
    }
    return STATUS_OK;
}

Status globe_draw(const View *view, GlobePainter *painter, void *planet, Error *error) {
    Globe globe;
    Status status = globe_open(&globe, view, error);
    globe.painter = painter;
    globe.planet = planet;
    if (status == STATUS_OK)
        status = parallel_rows(view->run, view->altitude->height, view->altitude->width * 500.0, draw_rows,
                               &globe);
    memory_free(globe.across);
    return status;
}

Status globe_draw_places(const View *view, GlobeFinder *finder, const void *planet, Error *error) {
    Globe globe;
    Status status = globe_open(&globe, view, error);
    globe.finder = finder;
    globe.found_on = planet;
    if (status == STATUS_OK)
        status = parallel_rows(view->run, (view->altitude->height + SIDE - 1) / SIDE,
                               view->altitude->width * SIDE * 100.0, draw_blocks, &globe);
    memory_free(globe.across);
    return status;
}

void globe_find(GlobeFinder *finder, const void *planet, const Vec3 *places, int count, double *altitudes) {
    for (int first = 0; first < count; first += GLOBE_PLACES)
        finder(planet, places + first, min(count - first, GLOBE_PLACES), altitudes + first, NULL);
}
