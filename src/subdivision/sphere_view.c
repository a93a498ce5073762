// Draws a sphere as an equirectangular map: x is the longitude from -180° to 180°, and y so much latitude a
// unit that degrees are as long both ways; the poles lie at y = 0.25 and 0.75. Each pixel looks for the
// smallest face around its centre, from the one of the pixel before it upwards and down again, so that most
// faces are cut once.

#include "core/elementary.h"
#include "core/memory.h"
#include "subdivision/river_lines.h"
#include "subdivision/sphere.h"
#include "subdivision/view.h"

#include <math.h>
#include <string.h>

enum { WALK_MAX = 128 };

typedef struct Turn {
    double sine, cosine;
} Turn;

typedef struct Globe {
    const View *view;
    Turn north, east;
    Facet faces[SPHERE_FACES];
    double *sines, *cosines; // of the columns' longitudes
    double pixel, longest;   // its side; and squared, what facets are cut down to
    int64_t datum;
} Globe;

// The way down to the last point: the facets, and on which side of each new edge it went on.
typedef struct Walk {
    int face, depth; // depth 0: nowhere yet
    Facet facets[WALK_MAX];
    Place3 cuts[WALK_MAX], across[WALK_MAX]; // the ends of the new edge
    bool first_is_positive[WALK_MAX], second[WALK_MAX];
} Walk;

static bool goes_second(const Walk *walk, int i, Place3 at) {
    const double side = facet_side(walk->cuts[i], walk->across[i], at);
    return side == 0 ? !walk->first_is_positive[i] : (side > 0) != walk->first_is_positive[i];
}

// The smallest face around `at`. The way down decides at each cut by the new edge alone, so it is the same
// from wherever the walk was before; what it has in common with the last one is not walked again.
static const Facet *walk_to(const Globe *globe, Walk *walk, Place3 at) {
    const int face = sphere_face_at(at);
    if (walk->depth == 0 || walk->face != face) {
        walk->face = face;
        walk->facets[0] = globe->faces[face];
        walk->depth = 1;
    }
    int common = 0;
    while (common + 1 < walk->depth && goes_second(walk, common, at) == walk->second[common])
        common++;
    walk->depth = common + 1;
    const Facet *facet = &walk->facets[common];
    while (facet->longest > globe->longest && walk->depth < WALK_MAX) {
        const int i = walk->depth - 1;
        Facet halves[2];
        facet_cut(&globe->view->map->constants, facet, halves);
        walk->cuts[i] = halves[0].places[1];
        walk->across[i] = halves[0].places[2];
        walk->first_is_positive[i] = facet_side(walk->cuts[i], walk->across[i], halves[0].places[0]) > 0;
        walk->second[i] = goes_second(walk, i, at);
        walk->facets[walk->depth] = halves[walk->second[i]];
        facet = &walk->facets[walk->depth++];
    }
    return facet;
}

static double altitude_in(const Facet *facet, int64_t datum, Place3 at) {
    double sum = 0, shares = 0;
    for (int i = 0; i < 3; i++) {
        const Place3 a = facet->places[(i + 1) % 3], b = facet->places[(i + 2) % 3];
        const double share = facet_side(a, b, at) / facet_side(a, b, facet->places[i]);
        sum += share * (double)(facet->vertices[i].altitude - datum);
        shares += share;
    }
    return ldexp(sum / shares, -FIXED_BITS);
}

// From what the viewer sees (x to the right, y up, z towards him) to the sphere's own axes: turned so that
// the window's middle looks at the latitude and longitude that are asked for. The faces lie askew, so that no
// side of one runs along a meridian or the equator: by 25° around one axis, then by 40° around another.
static Place3 direction(const Globe *globe, double x, double y, double z) {
    const double sine_25 = 0.42261826174069944, cosine_25 = 0.90630778703664996;
    const double sine_40 = 0.64278760968653933, cosine_40 = 0.76604444311897804;
    const Turn north = globe->north, east = globe->east;
    const double up = north.cosine * y + north.sine * z, near = north.cosine * z - north.sine * y;
    const double right = east.cosine * x + east.sine * near, front = east.cosine * near - east.sine * x;
    const double turned_y = cosine_25 * up - sine_25 * front, turned_z = sine_25 * up + cosine_25 * front;
    return (Place3){ cosine_40 * right - sine_40 * turned_y, sine_40 * right + cosine_40 * turned_y,
                     turned_z };
}

// --- rivers ------------------------------------------------------------------------------------------------

enum { RIVER_LEVELS = 3 }; // rivers are drawn from facets so much coarser, in which several pixels lie

static Place3 point_between(Place3 a, Place3 b, double share) {
    return (Place3){ a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share };
}

static Place3 crossing_of(const Facet *facet, int edge) {
    const int next = (edge + 1) % 3;
    const double off =
        0.25 * (double)seed_value(mix_seeds(facet->vertices[edge].seed, facet->vertices[next].seed));
    // From the end with the smaller seed, from whichever side one looks.
    const bool turn = facet->vertices[next].seed < facet->vertices[edge].seed;
    return point_between(facet->places[edge], facet->places[next], turn ? 0.5 - off : 0.5 + off);
}

static double distance_to(Place3 from, Place3 to, Place3 at) {
    const Place3 along = { to.x - from.x, to.y - from.y, to.z - from.z };
    const Place3 off = { at.x - from.x, at.y - from.y, at.z - from.z };
    const double length = along.x * along.x + along.y * along.y + along.z * along.z;
    const double share = length > 0 ? (off.x * along.x + off.y * along.y + off.z * along.z) / length : 0;
    const Place3 nearest = point_between(from, to, share < 0 ? 0 : share > 1 ? 1 : share);
    const double x = at.x - nearest.x, y = at.y - nearest.y, z = at.z - nearest.z;
    return sqrt(x * x + y * y + z * z);
}

// How much of the pixel the facet's rivers cover; what lies in the neighbours is theirs to draw.
static float river_cover(const Facet *facet, Place3 at, double pixel) {
    Place3 crossings[3] = { { 0, 0, 0 } }, middle;
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (facet->edges[i].river)
            crossings[count++] = crossing_of(facet, i);
    if (count == 0)
        return 0;
    const Place3 *ends = count == 3 ? crossings : facet->places;
    middle = point_between(point_between(ends[0], ends[1], 0.5), ends[2], 1 / 3.0);
    double nearest =
        count == 2 ? distance_to(crossings[0], crossings[1], at) : distance_to(crossings[0], middle, at);
    for (int i = 1; count == 3 && i < 3; i++) {
        const double distance = distance_to(crossings[i], middle, at);
        nearest = distance < nearest ? distance : nearest;
    }
    const double inside = (double)RIVER_HALF_WIDTH + 0.5 - nearest / pixel;
    return (float)(inside < 0 ? 0 : inside > 1 ? 1 : inside);
}

static void draw_pixel(const Globe *globe, Walk *walk, Place3 at, int x, int y) {
    const View *view = globe->view;
    const Facet *facet = walk_to(globe, walk, at);
    field_row(view->altitude, y)[x] = (float)altitude_in(facet, globe->datum, at);
    if (view->whole_pixels) {
        const Crossing *edges = facet->edges;
        field_row(view->river, y)[x] = edges[0].river || edges[1].river || edges[2].river ? 1 : 0;
        return;
    }
    const int above = walk->depth - 1 - RIVER_LEVELS;
    field_row(view->river, y)[x] = river_cover(&walk->facets[above > 0 ? above : 0], at, globe->pixel);
}

static void draw_map_rows(void *context, int first, int end) {
    const Globe *globe = context;
    const View *view = globe->view;
    const int width = view->altitude->width, height = view->altitude->height;
    Walk walk = { .depth = 0 };
    for (int y = first; y < end; y++) {
        const double latitude = (0.5 - pixel_centre(view->y, view->pixel, height, y)) * 2 * PI;
        const double up = sine(latitude), out = cosine(latitude);
        for (int x = 0; x < width; x++)
            draw_pixel(globe, &walk, direction(globe, out * globe->sines[x], up, out * globe->cosines[x]), x,
                       y);
    }
}

// As seen from far away: the disk of radius 1/2 around (0.5, 0.5). Beside it lies the deepest sea.
static void draw_disk_rows(void *context, int first, int end) {
    const Globe *globe = context;
    const View *view = globe->view;
    const int width = view->altitude->width, height = view->altitude->height;
    Walk walk = { .depth = 0 };
    for (int y = first; y < end; y++) {
        const double up = (0.5 - pixel_centre(view->y, view->pixel, height, y)) * 2;
        for (int x = 0; x < width; x++) {
            const double right = (pixel_centre(view->x, view->pixel, width, x) - 0.5) * 2;
            const double rest = 1 - up * up - right * right;
            if (rest > 0)
                draw_pixel(globe, &walk, direction(globe, right, up, sqrt(rest)), x, y);
            else
                field_row(view->altitude, y)[x] = -1;
        }
    }
}

static Turn turn_by(double degrees) {
    return (Turn){ sine(degrees * (PI / 180)), cosine(degrees * (PI / 180)) };
}

// The direction of the window's middle.
static Place3 middle_of(const Globe *globe) {
    const View *view = globe->view;
    const double x = ldexp((double)view->x, -PLACE_BITS) - 0.5, y = 0.5 - ldexp((double)view->y, -PLACE_BITS);
    if (view->disk) {
        const double rest = 1 - 4 * (x * x + y * y);
        return direction(globe, 2 * x, 2 * y, rest > 0 ? sqrt(rest) : 0);
    }
    const double out = cosine(2 * PI * y);
    return direction(globe, out * sine(2 * PI * x), sine(2 * PI * y), out * cosine(2 * PI * x));
}

Status draw_sphere(const View *view, Error *error) {
    const int width = view->altitude->width;
    const double pixel = (view->disk ? 2 : 2 * PI) / view->pixels;
    Globe globe = { .view = view,
                    .north = turn_by(view->latitude),
                    .east = turn_by(view->longitude),
                    .pixel = pixel,
                    .longest = pixel * pixel };
    globe.sines = memory_new((size_t)width * 2, sizeof(double), error);
    if (!globe.sines)
        return STATUS_MEMORY;
    globe.cosines = globe.sines + width;
    for (int x = 0; x < width; x++) {
        const double longitude = (pixel_centre(view->x, view->pixel, width, x) - 0.5) * 2 * PI;
        globe.sines[x] = sine(longitude);
        globe.cosines[x] = cosine(longitude);
    }
    sphere_faces(view->map, globe.faces);
    if (view->relative) {
        Walk walk = { .depth = 0 };
        globe.datum = walk_to(&globe, &walk, middle_of(&globe))->vertices[0].altitude;
    }
    const Status status = parallel_rows(view->run, view->altitude->height, width * 500.0,
                                        view->disk ? draw_disk_rows : draw_map_rows, &globe);
    memory_free(globe.sines);
    return status;
}
