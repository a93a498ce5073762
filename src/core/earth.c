#include "core/earth.h"

#include "core/elementary.h"
#include "core/math.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DEGREE (PI / 180)
#define EARTH_AXIS 6378137.0         // of WGS 84 and GRS 80
#define FLATTENING_WGS 298.257223563 // the inverse of it
#define FLATTENING_GRS 298.257222101 // NAD83's and ETRS89's
#define FOOT 0.3048                  // EPSG's unit 9002
#define US_FOOT (1200.0 / 3937)      // 9003

// --- units -------------------------------------------------------------------------------------------------

// As files and WKT name them, without regard to capital letters.
double length_unit_metres(const char *name) {
    static const struct {
        const char *name;
        double metres;
    } units[] = {
        { "m", 1 },
        { "metre", 1 },
        { "meter", 1 },
        { "metres", 1 },
        { "meters", 1 },
        { "km", 1000 },
        { "kilometre", 1000 },
        { "kilometer", 1000 },
        { "cm", 0.01 },
        { "centimetre", 0.01 },
        { "centimeter", 0.01 },
        { "dm", 0.1 },
        { "mm", 0.001 },
        { "ft", FOOT },
        { "foot", FOOT },
        { "feet", FOOT },
        { "international foot", FOOT },
        { "us-ft", US_FOOT },
        { "ftus", US_FOOT },
        { "us survey foot", US_FOOT },
        { "us survey feet", US_FOOT },
        { "foot_us", US_FOOT },
        { "yd", 0.9144 },
        { "yard", 0.9144 },
        { "fathom", 1.8288 },
    };
    for (size_t i = 0; name && i < sizeof units / sizeof *units; i++)
        if (strcasecmp(name, units[i].name) == 0)
            return units[i].metres;
    return 0;
}

// --- names of systems --------------------------------------------------------------------------------------

// A part of a text.
typedef struct Part {
    const char *start;
    size_t length;
} Part;

// The length of what begins at `text` up to its closing bracket; names in quotes may have brackets.
static size_t length_of_node(const char *text) {
    int depth = 0;
    bool quoted = false;
    size_t length = 0;
    for (; text[length]; length++) {
        quoted = quoted != (text[length] == '"');
        depth += quoted ? 0 : (text[length] == '[') - (text[length] == ']');
        if (!quoted && text[length] == ']' && depth <= 0)
            return length + 1;
    }
    return length;
}

// The horizontal one of two systems in a compound one, or the whole: COMPD_CS["name",PROJCS[…],VERT_CS[…]].
static Part horizontal_of(const char *system) {
    const bool is_compound =
        strncmp(system, "COMPD_CS[\"", 10) == 0 || strncmp(system, "COMPOUNDCRS[\"", 13) == 0;
    const char *name = is_compound ? strchr(system, '"') : NULL, *end = name ? strchr(name + 1, '"') : NULL;
    const char *start = end && end[1] == ',' ? end + 2 + strspn(end + 2, " ") : system;
    return (Part){ start, start == system ? strlen(system) : length_of_node(start) };
}

// EPSG's number at the end of WKT, AUTHORITY["EPSG","4326"]] or ID["EPSG",4326]], or 0.
static int code_at_end(Part node) {
    const char *at = node.start + node.length;
    while (at > node.start && strchr("]\" ", at[-1]))
        at--;
    while (at > node.start && at[-1] >= '0' && at[-1] <= '9')
        at--;
    const char *const rest = at;
    while (at > node.start && strchr("\", ", at[-1]))
        at--;
    const size_t before = (size_t)(at - node.start);
    const bool is_code =
        before > 6 && strncmp(at - 4, "EPSG", 4) == 0 && strncmp(at - 6, "[\"", 2) == 0 && at < rest;
    const bool is_own = is_code && ((before > 8 && strncmp(at - 8, "ID", 2) == 0) ||
                                    (before > 15 && strncmp(at - 15, "AUTHORITY", 9) == 0));
    return is_own ? atoi(rest) : 0;
}

static char small_letter(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

// Codes of systems with heights, in EPSG's data set 10.
static int without_heights(int code) {
    static const int of[][2] = { { 4327, 4326 }, { 4329, 4326 }, { 4979, 4326 }, { 9518, 4326 },
                                 { 9705, 4326 }, { 9707, 4326 }, { 6871, 3857 } };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i][0] == code)
            return of[i][1];
    return code;
}

// What follows "EPSG:" in a coordinate system, or NULL.
static const char *after_prefix(const char *system) {
    static const char prefix[] = "epsg:";
    size_t same = 0;
    while (prefix[same] && small_letter(system[same]) == prefix[same])
        same++;
    return prefix[same] ? NULL : system + same;
}

int frame_system_code(const char *system) {
    const char *code = system ? after_prefix(system) : NULL;
    if (!code)
        return system ? without_heights(code_at_end(horizontal_of(system))) : 0;
    const size_t digits = strspn(code, "0123456789");
    const char *rest = code + digits;
    const size_t more = *rest == '+' ? strspn(rest + 1, "0123456789") : 0;
    rest += more > 0 ? 1 + more : 0;
    return digits > 0 && digits < 9 && *rest == '\0' ? without_heights(atoi(code)) : 0;
}

bool system_is_wrong_code(const char *system) {
    return after_prefix(system) && frame_system_code(system) <= 0;
}

bool systems_agree(const char *a, const char *b) {
    const int code = frame_system_code(a);
    if (!a || !b || (code && code == frame_system_code(b)))
        return true;
    const Part one = horizontal_of(a), other = horizontal_of(b);
    size_t same = 0;
    while (same < one.length && same < other.length &&
           small_letter(one.start[same]) == small_letter(other.start[same]))
        same++;
    return same == one.length && same == other.length;
}

// The radius of `GEOGCS["…",DATUM["…",SPHEROID["…",1737400,0]]…]`, without flattening; 0: it is none.
double system_sphere_radius(const char *whole) {
    const char *const system = horizontal_of(whole).start;
    const char *const spheroid = strncmp(system, "GEOGCS[", 7) == 0 ? strstr(system, "SPHEROID[\"") : NULL;
    const char *const named = spheroid ? strstr(spheroid, "\",") : NULL;
    char *end = NULL;
    const double radius = named ? strtod(named + 2, &end) : 0;
    const bool round = named && *end == ',' && strtod(end + 1, NULL) == 0;
    return round && radius > 0 && radius < INFINITY ? radius : 0;
}

// --- systems -----------------------------------------------------------------------------------------------

static double squared_eccentricity(double inverse_flattening) {
    const double flattening = inverse_flattening > 0 ? 1 / inverse_flattening : 0;
    return flattening * (2 - flattening);
}

static SystemGround degrees_of(double inverse_flattening) {
    return (SystemGround){ GROUND_DEGREES, DEGREE, EARTH_AXIS, squared_eccentricity(inverse_flattening), 1 };
}

// What most models are in, without any library: UTM, degrees and web maps.
static SystemGround well_known(int code) {
    const SystemGround plane = { GROUND_PLANE, 1, EARTH_AXIS, squared_eccentricity(FLATTENING_WGS), 1 };
    const bool utm = (code > 32600 && code <= 32660) || (code > 32700 && code <= 32760) ||
                     (code > 26900 && code <= 26923) || (code >= 25828 && code <= 25838);
    if (utm)
        return plane;
    switch (code) {
    case 3857:
        return (SystemGround){ GROUND_MERCATOR, 1, EARTH_AXIS, squared_eccentricity(FLATTENING_WGS), 1 };
    case 4326:
        return degrees_of(FLATTENING_WGS);
    case 4269:
    case 4258:
        return degrees_of(FLATTENING_GRS);
    default:
        return (SystemGround){ 0 };
    }
}

// The second number of `KEY["name",1,2]`, the last such node before `end`; 0: there is none.
static double number_of_node(const char *from, const char *end, const char *key, int which) {
    const char *found = NULL;
    for (const char *at = from; (at = strstr(at, key)) && at < end; at++)
        found = at;
    const char *name = found ? strstr(found, "\",") : NULL, *at = name ? name + 2 : NULL;
    char *after = NULL;
    for (int i = 0; at && at < end; i++) {
        const double number = strtod(at, &after);
        if (after == at)
            return 0;
        if (i == which)
            return number;
        at = *after == ',' ? after + 1 : NULL;
    }
    return 0;
}

// WKT 1 of degrees, and of transverse Mercator with a scale of about 1, which is what zones of surveys are
// in: without any library. Others are for PROJ.
static SystemGround read_wkt(const char *system) {
    const char *const compound = strncmp(system, "COMPD_CS[", 9) == 0 ? system : NULL;
    const char *const heights = compound ? strstr(system, "VERT_CS[") : NULL;
    const char *const end = heights ? heights : system + strlen(system);
    const char *const projected = strstr(system, "PROJCS["), *const degrees = strstr(system, "GEOGCS[");
    const double axis = number_of_node(system, end, "SPHEROID[\"", 0),
                 flattening = number_of_node(system, end, "SPHEROID[\"", 1),
                 unit = number_of_node(system, end, "UNIT[\"", 0);
    const double above = heights ? number_of_node(heights, heights + strlen(heights), "UNIT[\"", 0) : 0;
    if (!(axis > 0) || !(unit > 0) || !isfinite(axis) || !isfinite(unit))
        return (SystemGround){ 0 };
    SystemGround ground = { .unit = unit, .axis = axis, .e2 = squared_eccentricity(flattening) };
    if (projected && projected < end) {
        const double scale = number_of_node(system, end, "PARAMETER[\"scale_factor", 0) +
                             number_of_node(system, end, "PARAMETER[\"Scale_Factor", 0);
        const bool zone = strstr(system, "PROJECTION[\"Transverse_Mercator\"") && fabs(scale - 1) < 0.002;
        ground.kind = zone ? GROUND_PLANE : GROUND_UNKNOWN;
        ground.height_unit = above > 0 ? above : unit;
    } else if (degrees && degrees < end) {
        ground.kind = GROUND_DEGREES;
        ground.height_unit = above > 0 ? above : 1;
    }
    return ground;
}

static const GroundReader *_Atomic reader;

void ground_set_reader(const GroundReader *how) {
    atomic_store(&reader, how);
}

const GroundReader *ground_reader(void) {
    return atomic_load(&reader);
}

// "EPSG:26916+6360" has heights of a system of their own, which GDAL knows.
static SystemGround find_ground(const char *system) {
    SystemGround ground = { 0 };
    const bool is_code = strncasecmp(system, "EPSG:", 5) == 0;
    const bool is_compound = is_code && strchr(system, '+') != NULL;
    const GroundReader *how = ground_reader();
    ground = is_code ? well_known(frame_system_code(system)) : read_wkt(system);
    if ((ground.kind == GROUND_UNKNOWN || is_compound) && how) {
        SystemGround read = { 0 };
        if (how->read(system, &read) && read.kind != GROUND_UNKNOWN) {
            read.kind = ground.kind != GROUND_UNKNOWN ? ground.kind : read.kind;
            ground = read;
        }
    }
    if (ground.kind == GROUND_UNKNOWN && !is_code)
        ground = well_known(frame_system_code(system));
    return ground;
}

typedef struct Known {
    struct Known *next;
    const char *system; // its text, kept by frame_text or copied
    SystemGround ground;
} Known;

static _Atomic(Known *) known;

const SystemGround *ground_of_system(const char *system) {
    static const SystemGround plane = { GROUND_PLANE, 1, EARTH_AXIS, 0, 1 }, nothing = { 0 };
    if (!system)
        return &plane;
    for (const Known *each = atomic_load(&known); each; each = each->next)
        if (each->system == system || strcmp(each->system, system) == 0)
            return &each->ground;
    const size_t size = strlen(system) + 1;
    Known *node = malloc(sizeof *node + size); // for the lifetime of the process, as the texts of frames
    if (!node)
        return &nothing;
    memcpy(node + 1, system, size);
    node->system = (const char *)(node + 1);
    node->ground = find_ground(system);
    node->next = atomic_load(&known);
    while (!atomic_compare_exchange_weak(&known, &node->next, node)) {
    }
    return &node->ground;
}

// --- scales ------------------------------------------------------------------------------------------------

#define LEAST 1e-9 // of a radius: at the poles cells have no width

// A radian along a meridian is a (1 - e²) / (1 - e² sin² φ)^(3/2) long, along a parallel a cos φ / (1 - e²
// sin² φ)^(1/2) (Snyder 1987, "Map projections: a working manual", equations 4-18 to 4-20).
static GroundScale radians_at(const SystemGround *ground, double sine_of, double cosine_of) {
    const double w2 = 1 - ground->e2 * sine_of * sine_of, w = sqrt(w2);
    return (GroundScale){ ground->axis * max(cosine_of, LEAST) / w,
                          ground->axis * (1 - ground->e2) / (w2 * w) };
}

GroundScale ground_scale_of_degrees(const SystemGround *ground, double latitude) {
    const GroundScale radian = radians_at(ground, sine(latitude), cosine(latitude));
    return (GroundScale){ radian.east * ground->unit, radian.north * ground->unit };
}

// Web maps treat latitudes on the ellipsoid as those on a sphere: y = a ln tan(π/4 + φ/2), so that dy = a dφ
// / cos φ, and cos φ = 1 / cosh(y / a).
GroundScale ground_scale_of_mercator(const SystemGround *ground, double y) {
    const double e = exponential(min(fabs(y) / ground->axis, 20.0)), cosine_of = 2 / (e + 1 / e),
                 sine_of = (e - 1 / e) / (e + 1 / e);
    const GroundScale radian = radians_at(ground, sine_of, max(cosine_of, LEAST));
    return (GroundScale){ radian.east / ground->axis, radian.north * max(cosine_of, LEAST) / ground->axis };
}
