#include "core/frame.h"
#include "core/whole.h"

#include "core/elementary.h"
#include "core/math.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- texts -------------------------------------------------------------------------------------------------

typedef struct Text {
    struct Text *next;
    char bytes[];
} Text;

static _Atomic(Text *) texts;
static atomic_int text_count;

static const char *find_text(const char *text) {
    for (const Text *each = atomic_load(&texts); each; each = each->next)
        if (strcmp(each->bytes, text) == 0)
            return each->bytes;
    return NULL;
}

static bool is_plain(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return false;
    return true;
}

// Not from memory_new: it outlives all values. Two threads at once may keep two of a text, which costs only
// memory: texts are compared as texts.
Status frame_text(const char *text, size_t most, const char **kept, Error *error) {
    *kept = NULL;
    if (!text || !*text)
        return STATUS_OK;
    const size_t size = strlen(text) + 1;
    if (size > most + 1 || !is_plain(text))
        return fail(error, STATUS_INVALID,
                    "a coordinate system or unit must be at most %zu bytes without line breaks", most);
    if ((*kept = find_text(text)))
        return STATUS_OK;
    if (atomic_fetch_add(&text_count, 1) >= FRAME_TEXTS_MAX) {
        atomic_fetch_sub(&text_count, 1);
        return fail(error, STATUS_INVALID, "more than %d coordinate systems in one process", FRAME_TEXTS_MAX);
    }
    Text *node = malloc(sizeof *node + size);
    if (!node)
        return fail(error, STATUS_MEMORY, "not enough memory");
    memcpy(node->bytes, text, size);
    node->next = atomic_load(&texts);
    while (!atomic_compare_exchange_weak(&texts, &node->next, node)) {
    }
    *kept = node->bytes;
    return STATUS_OK;
}

// --- places ------------------------------------------------------------------------------------------------

bool frame_is_valid(const Frame *frame) {
    const double numbers[] = { frame->x,      frame->y,      frame->right_x, frame->right_y,
                               frame->down_x, frame->down_y, frame->sea,     frame->top };
    bool finite = frame->top >= 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        finite = finite && fabs(numbers[i]) <= 1e100;
    const double area = frame->right_x * frame->down_y - frame->right_y * frame->down_x;
    return finite && area != 0;
}

void frame_locate(const Frame *frame, double x, double y, double place[2]) {
    place[0] = frame->x + x * frame->right_x + y * frame->down_x;
    place[1] = frame->y + x * frame->right_y + y * frame->down_y;
}

bool frame_cell_at(const Frame *frame, const double place[2], double cell[2]) {
    const double area = frame->right_x * frame->down_y - frame->right_y * frame->down_x;
    const double x = place[0] - frame->x, y = place[1] - frame->y;
    cell[0] = (x * frame->down_y - y * frame->down_x) / area;
    cell[1] = (y * frame->right_x - x * frame->right_y) / area;
    return isfinite(cell[0]) && isfinite(cell[1]);
}

double frame_cell(const Frame *frame) {
    return sqrt(fabs(frame->right_x * frame->down_y - frame->right_y * frame->down_x));
}

static double length_of(double x, double y) {
    return sqrt(x * x + y * y);
}

static CellShape shape_of(const Frame *frame) {
    const double cell = frame_cell(frame);
    const CellShape shape = { length_of(frame->right_x, frame->right_y) / cell,
                              length_of(frame->down_x, frame->down_y) / cell };
    const double rounding = 1e-9; // of turned squares
    const bool is_square = fabs(shape.across - 1) < rounding && fabs(shape.down - 1) < rounding;
    return is_square ? (CellShape){ 1, 1 } : shape;
}

double frame_unit_metres(const Frame *frame) {
    return length_unit_metres(frame->unit);
}

double frame_height_metres(const Frame *frame) {
    if (frame->unit)
        return frame_unit_metres(frame);
    if (!frame_is_set(frame) || (frame->no_heights && !frame->system))
        return 0;
    return ground_of_system(frame->system)->height_unit;
}

static bool units_differ(const Frame *a, const Frame *b) {
    const double metres = frame_unit_metres(a);
    return a->unit && b->unit && strcasecmp(a->unit, b->unit) != 0 &&
           (metres == 0 || metres != frame_unit_metres(b));
}

// A mask says nothing of heights, and lies in a frame like theirs.
static bool says_heights(const Frame *frame) {
    return frame->unit || frame->sea != 0;
}

// Whether one of both declares a unit, and the other, no mask, is assumed to have another one.
static bool assumed_units_differ(const Frame *a, const Frame *b) {
    const Frame *bare = a->unit ? b : a;
    if ((a->unit != NULL) == (b->unit != NULL) || bare->no_heights)
        return false;
    const double one = frame_height_metres(a), other = frame_height_metres(b), rounding = 1e-9;
    return one > 0 && other > 0 && fabs(one / other - 1) > rounding;
}

Status frame_join_heights(Frame *to, const Frame *from, const char *name, Error *error) {
    if (assumed_units_differ(to, from))
        return from->unit
                   ? fail(error, STATUS_INVALID,
                          "%s has heights in %s, and the others are taken in the unit of the coordinates: "
                          "multiply them, or say with georeference{ unit = \"%s\" } that they are in it",
                          name, from->unit, from->unit)
                   : fail(error, STATUS_INVALID,
                          "%s is taken in the unit of the coordinates, and the others have heights in %s: "
                          "multiply it, or say with georeference{ unit = \"%s\" } that it is in it",
                          name, to->unit, to->unit);
    if (units_differ(to, from))
        return fail(error, STATUS_INVALID,
                    "%s has heights in %s, not in %s: multiply them, and set frame.unit with georeference",
                    name, from->unit, to->unit);
    if (says_heights(to) && says_heights(from) && to->sea != from->sea)
        return fail(
            error, STATUS_INVALID,
            "%s has the sea at %s, not at %s: add the difference, and set frame.sea with georeference", name,
            digits_of(from->sea).text, digits_of(to->sea).text);
    if (!says_heights(to) && !from->no_heights) {
        to->sea = from->sea;
        to->sealess = from->sealess;
        to->top = from->top;
    }
    if (!to->unit)
        to->unit = from->unit;
    to->no_heights = to->no_heights && from->no_heights;
    return STATUS_OK;
}

Compass frame_compass(const Frame *frame) {
    const double area = frame->right_x * frame->down_y - frame->right_y * frame->down_x;
    if (!frame_is_set(frame))
        return (Compass){ 0 };
    const CellShape shape = shape_of(frame);
    const double right = -frame->down_x / area * shape.across,
                 up = -frame->right_x / area * shape.down; // north
    const bool upright = right == 0 && up > 0;
    return (Compass){ upright ? 0 : arctangent2(right, up) * (180 / PI), area > 0 };
}

static double full_turn(double degrees) {
    const double turned = degrees - 360 * floor(degrees / 360);
    return turned < 360 ? turned : 0;
}

double compass_to_cells(Compass compass, double azimuth) {
    const bool is_up = compass.turn == 0 && !compass.mirrored;
    return is_up ? azimuth : full_turn(compass.turn + (compass.mirrored ? -azimuth : azimuth));
}

double compass_from_cells(Compass compass, double direction) {
    const double turned = direction - compass.turn;
    return full_turn(compass.mirrored ? -turned : turned);
}

// --- systems -----------------------------------------------------------------------------------------------

Status frame_system(const char *text, const char **kept, Error *error) {
    if (text && system_is_wrong_code(text))
        return fail(error, STATUS_INVALID, "system must be \"EPSG:\" and a number, or WKT, got '%.60s'",
                    text);
    return frame_text(text, FRAME_SYSTEM_MAX, kept, error);
}

// --- lengths -----------------------------------------------------------------------------------------------

// Of a system that is not known: its coordinates could be degrees.
static bool is_in_degrees(const Frame *frame, int width, int height) {
    bool within = frame->system;
    for (int corner = 0; corner < 4; corner++) {
        double place[2];
        frame_locate(frame, corner & 1 ? width : 0, corner & 2 ? height : 0, place);
        within = within && fabs(place[0]) <= 361 && fabs(place[1]) <= 91; // half a cell beyond the pole, too
    }
    return within;
}

static bool is_of_planet(const Frame *frame) {
    return frame->unit && strcasecmp(frame->unit, PLANET_UNIT) == 0;
}

bool frame_is_of_map(const Frame *frame) {
    return is_of_planet(frame) || (frame->unit && strcasecmp(frame->unit, MAP_UNIT) == 0);
}

double frame_top(const Frame *frame) {
    return frame->top == 0 && frame_is_of_map(frame) ? 1 : frame->top;
}

// --- on a sphere -------------------------------------------------------------------------------------------

#define RADIAN (180 / PI)    // in degrees
#define WEB_RADIAN 6378137.0 // in the metres of web maps

// Windows of planets in metres on a web map, whose metres are those of the earth, have its radius.
FrameSphere frame_sphere(const Frame *frame) {
    const bool web = frame_system_code(frame->system) == 3857;
    if (is_of_planet(frame))
        return (FrameSphere){ 1, web ? WEB_RADIAN : RADIAN, web };
    if (web && frame->top > 0 && frame_unit_metres(frame) > 0)
        return (FrameSphere){ WEB_RADIAN, WEB_RADIAN, true };
    return (FrameSphere){ frame->system ? system_sphere_radius(frame->system) : 0, RADIAN, false };
}

static Frame stretch(const Frame *frame, const double jacobian[4]) {
    Frame ground = *frame;
    ground.right_x = jacobian[0] * frame->right_x + jacobian[1] * frame->right_y;
    ground.right_y = jacobian[2] * frame->right_x + jacobian[3] * frame->right_y;
    ground.down_x = jacobian[0] * frame->down_x + jacobian[1] * frame->down_y;
    ground.down_y = jacobian[2] * frame->down_x + jacobian[3] * frame->down_y;
    return ground;
}

// --- under a projection whose scale varies -----------------------------------------------------------------

// The scale of the projection along the middle column of a field. Where it is that of the ground everywhere,
// within SAME_SCALE, coordinates count as lengths: as other programs do in the zones of surveys.
enum { STRETCH_ROWS = 64, STRETCHES_KEPT = 4 };
#define SAME_SCALE 0.005

typedef struct Stretching {
    Frame frame;
    int width, height;
    bool is_plane, is_placed;
    double uneven; // how much the scale at the ends of a row differs from that in its middle
    double jacobians[STRETCH_ROWS + 1][4];
} Stretching;

static Stretching stretchings[STRETCHES_KEPT];
static int next_stretching;
static pthread_mutex_t stretching_lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_for(const Stretching *kept, const Frame *frame, int width, int height) {
    const Frame *a = &kept->frame;
    return kept->width == width && kept->height == height && a->x == frame->x && a->y == frame->y &&
           a->right_x == frame->right_x && a->right_y == frame->right_y && a->down_x == frame->down_x &&
           a->down_y == frame->down_y && a->system && strcmp(a->system, frame->system) == 0;
}

// Digits that depend on the version of PROJ are left out.
static bool jacobian_at(const Frame *frame, double x, double y, double jacobian[4]) {
    double place[2];
    frame_locate(frame, x, y, place);
    const GroundReader *reader = ground_reader();
    if (!reader || !reader->stretch(frame->system, place[0], place[1], jacobian))
        return false;
    const double digits = 0x1p30;
    for (int i = 0; i < 4; i++)
        jacobian[i] = floor(jacobian[i] * digits + 0.5) / digits;
    return jacobian[0] * jacobian[3] - jacobian[1] * jacobian[2] != 0;
}

static double times_of(const double jacobian[4], double unit, bool down) {
    return length_of(jacobian[down ? 1 : 0], jacobian[down ? 3 : 2]) / unit;
}

static void find_stretching(const Frame *frame, int width, int height, Stretching *found) {
    const double unit = ground_of_system(frame->system)->unit;
    *found = (Stretching){
        .frame = *frame, .width = width, .height = height, .is_plane = true, .is_placed = true
    };
    for (int i = 0; i <= STRETCH_ROWS && found->is_placed; i++) {
        const double y = (double)height * i / STRETCH_ROWS;
        double *middle = found->jacobians[i], ends[2][4];
        found->is_placed = jacobian_at(frame, 0.5 * width, y, middle) && jacobian_at(frame, 0, y, ends[0]) &&
                           jacobian_at(frame, width, y, ends[1]);
        for (int k = 0; k < 4 && found->is_placed; k++) {
            const double here = times_of(middle, unit, k & 1), end = times_of(ends[k / 2], unit, k & 1);
            found->uneven = max(found->uneven, fabs(end / here - 1));
            found->is_plane = found->is_plane && fabs(here - 1) <= SAME_SCALE && fabs(end - 1) <= SAME_SCALE;
        }
    }
}

static Stretching *stretching_of(const Frame *frame, int width, int height) {
    for (Stretching *kept = stretchings; kept < stretchings + STRETCHES_KEPT; kept++)
        if (is_for(kept, frame, width, height))
            return kept;
    Stretching *made = &stretchings[next_stretching];
    next_stretching = (next_stretching + 1) % STRETCHES_KEPT;
    find_stretching(frame, width, height, made);
    return made;
}

static Frame stretched_at(const Frame *frame, int width, int height, double y) {
    pthread_mutex_lock(&stretching_lock);
    const Stretching *kept = stretching_of(frame, width, height);
    const double unit = ground_of_system(frame->system)->unit;
    double jacobian[4] = { unit, 0, 0, unit };
    if (kept->is_placed && !kept->is_plane) {
        const double at = clamp(y / height, 0.0, 1.0) * STRETCH_ROWS;
        const int row = whole_within(at, 0, STRETCH_ROWS - 1);
        for (int i = 0; i < 4; i++)
            jacobian[i] = lerp(kept->jacobians[row][i], kept->jacobians[row + 1][i], at - row);
    }
    pthread_mutex_unlock(&stretching_lock);
    return stretch(frame, jacobian);
}

// -----------------------------------------------------------------------------------------------------------

// Lengths on the ground around a place in cells, in metres.
static Frame ground_at(const Frame *frame, int width, int height, double x, double y) {
    double place[2];
    frame_locate(frame, x, y, place);
    const FrameSphere sphere = frame_sphere(frame);
    if (sphere.radius > 0) {
        const double north = place[1] / sphere.radian, unit = sphere.radius / sphere.radian, least = 1e-9;
        const double e = sphere.mercator ? exponential(north) : 1;
        const double narrowed = sphere.mercator ? 2 / (e + 1 / e) : cosine(north);
        const double east = unit * max(narrowed, least), up = sphere.mercator ? east : unit;
        return stretch(frame, (const double[]){ east, 0, 0, up });
    }
    const SystemGround *ground = ground_of_system(frame->system);
    GroundScale scale = { ground->unit, ground->unit };
    switch (ground->kind) {
    case GROUND_STRETCHED:
        return stretched_at(frame, width, height, y);
    case GROUND_DEGREES:
        scale = ground_scale_of_degrees(ground, place[1] * ground->unit);
        break;
    case GROUND_MERCATOR:
        scale = ground_scale_of_mercator(ground, place[1]);
        break;
    case GROUND_PLANE:
        break;
    default:
        return *frame;
    }
    return stretch(frame, (const double[]){ scale.east, 0, 0, scale.north });
}

static Frame ground_of(const Frame *frame, int width, int height) {
    return ground_at(frame, width, height, 0.5 * width, 0.5 * height);
}

// Whether rows have cells of their own size.
static bool has_rows(const Frame *frame) {
    return frame_sphere(frame).radius > 0 || ground_of_system(frame->system)->kind > GROUND_PLANE;
}

static bool has_length(const Frame *frame, int width, int height) {
    return frame_is_set(frame) &&
           (frame_sphere(frame).radius > 0 || ground_of_system(frame->system)->kind != GROUND_UNKNOWN ||
            !is_in_degrees(frame, width, height));
}

// Centres of cells, since the first and the last of a grid may lie at the poles themselves.
static Status check_latitudes(const Frame *frame, int width, int height, Error *error) {
    const double degrees = ground_of_system(frame->system)->unit * 180 / PI, most = 90 + 1e-9;
    for (int i = 0; i < 4; i++) {
        double place[2];
        frame_locate(frame, i & 1 ? width - 0.5 : 0.5, i & 2 ? height - 0.5 : 0.5, place);
        const double latitude = place[1] * degrees;
        if (!(latitude >= -most && latitude <= most))
            return fail(error, STATUS_INVALID,
                        "a latitude must be -90 to 90, and the %s row of cells is at %s: check y, cell and "
                        "system with georeference",
                        i & 2 ? "last" : "first", digits_of(latitude).text);
    }
    return STATUS_OK;
}

static bool is_proj_there(void) {
    const GroundReader *reader = ground_reader();
    return reader && reader->read("EPSG:4326", &(SystemGround){ 0 });
}

// The error for a system without lengths: it is no system, PROJ does not know it, or PROJ is missing.
static Status refuse_system(const char *system, Error *error) {
    if (!strpbrk(system, ":["))
        return fail(error, STATUS_INVALID,
                    "'%.60s' is no coordinate system, so lengths are not known: systems are written "
                    "\"EPSG:4326\", or as WKT, as in georeference{ system = \"EPSG:26911\" }",
                    system);
    if (is_proj_there())
        return fail(error, STATUS_INVALID,
                    "PROJ knows no coordinate system '%.60s' with lengths on the ground: set another, as in "
                    "georeference{ system = \"EPSG:26911\" }",
                    system);
    return fail(
        error, STATUS_INVALID,
        "lengths in '%.60s' only PROJ knows, which comes with GDAL (Debian: apt install gdal-bin) and "
        "is missing: install it, or project the map to a UTM zone (gdalwarp -t_srs)",
        system);
}

Status frame_check_ground(const Frame *frame, int width, int height, double *uneven, Error *error) {
    *uneven = 0;
    if (!frame_is_set(frame) || !frame->system || frame_sphere(frame).radius > 0 || frame_is_of_map(frame))
        return STATUS_OK;
    const GroundKind kind = ground_of_system(frame->system)->kind;
    if (kind == GROUND_UNKNOWN)
        return refuse_system(frame->system, error);
    if (kind == GROUND_DEGREES)
        return check_latitudes(frame, width, height, error);
    if (kind != GROUND_STRETCHED)
        return STATUS_OK;
    pthread_mutex_lock(&stretching_lock);
    const Stretching *kept = stretching_of(frame, width, height);
    const bool is_placed = kept->is_placed;
    *uneven = kept->is_plane ? 0 : kept->uneven;
    pthread_mutex_unlock(&stretching_lock);
    char text[160];
    frame_describe(frame, text, sizeof text);
    return is_placed ? STATUS_OK
                     : fail(error, STATUS_INVALID,
                            "%d × %d %s reach beyond where this system has ground: check x, y and system "
                            "with georeference",
                            width, height, text);
}

double frame_cell_metres(const Frame *frame, int width, int height) {
    const Frame ground = ground_of(frame, width, height);
    return has_length(frame, width, height) ? frame_cell(&ground) : 0;
}

double frame_unit(const Frame *frame) {
    return frame_is_of_map(frame) ? MAP_HEIGHT : frame_height_metres(frame);
}

double frame_cell_heights(const Frame *frame, int width, int height) {
    const double unit = frame_unit(frame);
    return unit > 0 ? frame_cell_metres(frame, width, height) / unit : 0;
}

CellShape frame_cell_shape(const Frame *frame, int width, int height) {
    const Frame ground = ground_of(frame, width, height);
    return has_length(frame, width, height) ? shape_of(&ground) : (CellShape){ 1, 1 };
}

CellShape frame_row_shape(const Frame *frame, int width, int height, int row) {
    const CellShape shape = frame_cell_shape(frame, width, height);
    if (!frame_is_set(frame) || !has_rows(frame))
        return shape;
    const Frame middle = ground_of(frame, width, height),
                ground = ground_at(frame, width, height, 0.5 * width, row + 0.5);
    const CellShape own = shape_of(&ground);
    const double larger = frame_cell(&ground) / frame_cell(&middle);
    return (CellShape){ own.across * larger, own.down * larger };
}

// The error for degrees that cannot be found; `what` says which.
static Status refuse_place(const char *what, const char *system, Error *error) {
    if (system && is_proj_there())
        return fail(error, STATUS_INVALID,
                    "PROJ does not know %s in '%.60s', because the system is unknown or does not reach that "
                    "far: set another system with georeference, or give coordinates = \"map\"",
                    what, system);
    return fail(error, STATUS_INVALID,
                "%s in '%.60s' only PROJ knows, which comes with GDAL (Debian: apt install gdal-bin) and is "
                "missing: give coordinates = \"map\"",
                what, system ? system : "a frame without a system");
}

Status frame_place_of_degrees(const Frame *frame, double longitude, double latitude, double place[2],
                              Error *error) {
    const FrameSphere sphere = frame_sphere(frame);
    const SystemGround *ground = ground_of_system(frame->system);
    const GroundReader *reader = ground_reader();
    const bool mercator = sphere.radius > 0 ? sphere.mercator : ground->kind == GROUND_MERCATOR;
    const bool degrees = sphere.radius > 0 ? !mercator : ground->kind == GROUND_DEGREES;
    if (fabs(latitude) > 90)
        return fail(error, STATUS_INVALID, "a latitude must be -90 to 90, got %s", digits_of(latitude).text);
    if (sphere.radius == 0 && !frame->system)
        return fail(
            error, STATUS_INVALID,
            "the frame has no coordinate system, so that it has no degrees: coordinates = \"map\", or "
            "set system with georeference");
    if (degrees) {
        const double unit = sphere.radius > 0 ? 1 : PI / 180 / ground->unit;
        place[0] = longitude * unit;
        place[1] = latitude * unit;
        return STATUS_OK;
    }
    if (mercator) {
        const double s = sine(latitude * (PI / 180)), radian = WEB_RADIAN;
        place[0] = longitude * (PI / 180) * radian;
        place[1] = 0.5 * logarithm((1 + s) / (1 - s)) * radian;
        return fabs(s) < 1 ? STATUS_OK
                           : fail(error, STATUS_INVALID, "web maps have no pole, got a latitude of %s",
                                  digits_of(latitude).text);
    }
    if (reader && reader->place(frame->system, longitude, latitude, place))
        return STATUS_OK;
    char what[100];
    snprintf(what, sizeof what, "where %s, %s lies", digits_of(longitude).text, digits_of(latitude).text);
    return refuse_place(what, frame->system, error);
}

// Latitude on a web map (ground_scale_of_mercator): cos φ = 1 / cosh(y / a).
Status frame_degrees_of_place(const Frame *frame, const double place[2], double degrees[2], Error *error) {
    const FrameSphere sphere = frame_sphere(frame);
    const SystemGround *ground = ground_of_system(frame->system);
    const GroundReader *reader = ground_reader();
    const bool mercator = sphere.radius > 0 ? sphere.mercator : ground->kind == GROUND_MERCATOR;
    if (sphere.radius > 0 || ground->kind == GROUND_DEGREES || mercator) {
        const double unit = sphere.radius > 0 || mercator ? 1 : ground->unit * (180 / PI);
        const double e = exponential(clamp(place[1] / WEB_RADIAN, -20.0, 20.0));
        degrees[0] = mercator ? place[0] / WEB_RADIAN * (180 / PI) : place[0] * unit;
        degrees[1] = mercator ? arctangent2(0.5 * (e - 1 / e), 1) * (180 / PI) : place[1] * unit;
        return STATUS_OK;
    }
    if (frame->system && reader && reader->degrees(frame->system, place, degrees))
        return STATUS_OK;
    return refuse_place("what longitude and latitude it is", frame->system, error);
}

CellForm frame_cell_form(const Frame *frame, int width, int height) {
    if (!has_length(frame, width, height))
        return CELLS_SQUARE;
    const Frame ground = ground_of(frame, width, height);
    const double across = length_of(ground.right_x, ground.right_y), most = 1.0 / 32;
    const double down = length_of(ground.down_x, ground.down_y);
    const double lean = ground.right_x * ground.down_x + ground.right_y * ground.down_y;
    if (fabs(lean) >= most * across * down)
        return CELLS_SKEWED;
    return fabs(across - down) >= most * (across < down ? across : down) ? CELLS_OBLONG : CELLS_SQUARE;
}

Frame frame_of_part(const Frame *frame, const Frame *part) {
    if (!frame_is_set(frame))
        return (Frame){ 0 };
    Frame result = *frame;
    double place[2];
    frame_locate(frame, part->x, part->y, place);
    result.x = place[0];
    result.y = place[1];
    result.right_x = part->right_x * frame->right_x + part->right_y * frame->down_x;
    result.right_y = part->right_x * frame->right_y + part->right_y * frame->down_y;
    result.down_x = part->down_x * frame->right_x + part->down_y * frame->down_x;
    result.down_y = part->down_x * frame->right_y + part->down_y * frame->down_y;
    return frame_is_valid(&result) ? result : (Frame){ 0 };
}

Frame frame_of_cells(const Frame *frame, int width, int height, int new_width, int new_height) {
    if (width == new_width && height == new_height)
        return *frame;
    const Frame part = { .right_x = (double)width / new_width, .down_y = (double)height / new_height };
    return frame_of_part(frame, &part);
}

Frame frame_of_points(const Frame *frame, int width, int height, int new_width, int new_height) {
    const double across = new_width > 1 ? (width - 1.0) / (new_width - 1) : width;
    const double down = new_height > 1 ? (height - 1.0) / (new_height - 1) : height;
    const Frame part = { .x = 0.5 * (1 - across), .y = 0.5 * (1 - down), .right_x = across, .down_y = down };
    return frame_of_part(frame, &part);
}

bool frames_agree(const Frame *a, const Frame *b, int width, int height) {
    const double nearly = 0.01 * frame_cell(a);
    for (int corner = 0; corner < 4; corner++) {
        const double x = corner & 1 ? width : 0, y = corner & 2 ? height : 0;
        double one[2], other[2];
        frame_locate(a, x, y, one);
        frame_locate(b, x, y, other);
        if (!(fabs(one[0] - other[0]) <= nearly && fabs(one[1] - other[1]) <= nearly))
            return false;
    }
    return systems_agree(a->system, b->system);
}

void frame_describe(const Frame *frame, char *text, size_t size) {
    const double across = sqrt(frame->right_x * frame->right_x + frame->right_y * frame->right_y);
    const double down = sqrt(frame->down_x * frame->down_x + frame->down_y * frame->down_y);
    snprintf(text, size, "cells of %.9g × %.9g from %.9g, %.9g%s%.60s", across, down, frame->x, frame->y,
             frame->system ? " in " : "", frame->system ? frame->system : "");
}

void frame_describe_field(const Frame *frame, int width, int height, bool degrees, char *text, size_t size) {
    char where[160] = "it has no frame", around[100] = "";
    double place[2], first[2] = { 0 }, last[2] = { 0 };
    Error ignored;
    if (frame_is_set(frame)) {
        frame_describe(frame, where, sizeof where);
        frame_locate(frame, 0, 0, place);
        degrees = degrees && frame_degrees_of_place(frame, place, first, &ignored) == STATUS_OK;
        frame_locate(frame, width, height, place);
        if (degrees && frame_degrees_of_place(frame, place, last, &ignored) == STATUS_OK)
            snprintf(around, sizeof around, ", degrees %.6f, %.6f to %.6f, %.6f", first[0], first[1], last[0],
                     last[1]);
    }
    snprintf(text, size, "%d × %d cells, %s%s", width, height, where, around);
}

// --- between processes -------------------------------------------------------------------------------------

static void write_text(const char *text, ByteWriter *to) {
    const uint32_t length = text ? (uint32_t)strlen(text) : 0;
    bytes_put(to, &length, sizeof length);
    bytes_put(to, text, length);
}

static Status read_text(FILE *from, size_t most, const char **text, Error *error) {
    static _Thread_local char bytes[FRAME_SYSTEM_MAX + 1];
    uint32_t length = 0;
    Status status = bytes_get(from, &length, sizeof length, error);
    if (status == STATUS_OK)
        status = length <= most ? bytes_get(from, bytes, length, error) : bytes_damaged(error);
    if (status != STATUS_OK)
        return status;
    bytes[length] = '\0';
    return frame_text(bytes, most, text, error);
}

void frame_write(const Frame *frame, ByteWriter *to) {
    const unsigned char is_set = frame_is_set(frame);
    bytes_put(to, &is_set, 1);
    if (!is_set)
        return;
    const double numbers[] = { frame->x,      frame->y,      frame->right_x, frame->right_y,
                               frame->down_x, frame->down_y, frame->sea,     frame->top };
    bytes_put(to, numbers, sizeof numbers);
    const unsigned char flags[2] = { frame->no_heights, frame->sealess };
    bytes_put(to, flags, sizeof flags);
    write_text(frame->system, to);
    write_text(frame->unit, to);
}

Status frame_read(Frame *frame, FILE *from, Error *error) {
    *frame = (Frame){ 0 };
    unsigned char is_set = 0;
    double numbers[8] = { 0 };
    Status status = bytes_get(from, &is_set, 1, error);
    if (status != STATUS_OK || !is_set)
        return status;
    status = bytes_get(from, numbers, sizeof numbers, error);
    Frame read = { numbers[0], numbers[1], numbers[2],        numbers[3],
                   numbers[4], numbers[5], .sea = numbers[6], .top = numbers[7] };
    if (status == STATUS_OK && !frame_is_valid(&read))
        status = bytes_damaged(error);
    unsigned char flags[2] = { 0 };
    if (status == STATUS_OK)
        status = bytes_get(from, flags, sizeof flags, error);
    read.no_heights = flags[0] != 0;
    read.sealess = flags[1] != 0;
    if (status == STATUS_OK)
        status = read_text(from, FRAME_SYSTEM_MAX, &read.system, error);
    if (status == STATUS_OK)
        status = read_text(from, FRAME_UNIT_MAX, &read.unit, error);
    if (status == STATUS_OK)
        *frame = read;
    return status;
}
