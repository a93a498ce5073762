// What coordinate systems are on the ground, by GDAL and PROJ (core/earth.h).

#include "file/system_ground.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "file/gdal.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// "EPSG:26916+5703": the first on the ground, the second of heights.
static int import_codes(const Gdal *gdal, GdalHandle system, const char *name) {
    const char *second = strchr(name, '+');
    if (!second)
        return gdal->OSRImportFromEPSG(system, atoi(name + 5));
    GdalHandle ground = gdal->OSRNewSpatialReference(NULL), heights = gdal->OSRNewSpatialReference(NULL);
    int outcome = gdal->OSRImportFromEPSG(ground, atoi(name + 5));
    if (outcome == 0)
        outcome = gdal->OSRImportFromEPSG(heights, atoi(second + 1));
    if (outcome == 0)
        outcome = gdal->OSRSetCompoundCS(system, name, ground, heights);
    gdal->OSRRelease(ground);
    gdal->OSRRelease(heights);
    return outcome;
}

GdalHandle system_open(const Gdal *gdal, const char *name) {
    GdalHandle system = gdal->OSRNewSpatialReference(NULL);
    char *text = (char *)name; // only read
    const int outcome = strncasecmp(name, "EPSG:", 5) == 0 ? import_codes(gdal, system, name)
                                                           : gdal->OSRImportFromWkt(system, &text);
    if (outcome == 0)
        return system;
    gdal->OSRRelease(system);
    return NULL;
}

// --- the system --------------------------------------------------------------------------------------------

// The latitude and longitude of a projected system, which keep its ellipsoid: no shift of a datum is
// computed, which would want files.
typedef struct Projection {
    char *system;
    SystemGround ground;
    GdalHandle to_degrees, from_degrees;
} Projection;

enum { PROJECTIONS_KEPT = 8 };
static Projection projections[PROJECTIONS_KEPT];
static int next_projection;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // PROJ's objects belong to one thread at a time

static double unit_of_heights(const Gdal *gdal, GdalHandle system, double otherwise) {
    char *name = NULL;
    return gdal->OSRIsCompound(system) || gdal->OSRIsVertical(system)
               ? gdal->OSRGetTargetLinearUnits(system, "VERT_CS", &name)
               : otherwise;
}

static bool read_system(const Gdal *gdal, GdalHandle system, SystemGround *ground) {
    int wrong = 0;
    char *name = NULL;
    const double axis = gdal->OSRGetSemiMajor(system, &wrong);
    const double inverse = gdal->OSRGetInvFlattening(system, &wrong);
    const double flattening = inverse > 0 ? 1 / inverse : 0;
    *ground = (SystemGround){ .axis = axis, .e2 = flattening * (2 - flattening) };
    if (gdal->OSRIsProjected(system)) {
        ground->kind = GROUND_STRETCHED;
        ground->unit = gdal->OSRGetLinearUnits(system, &name);
        ground->height_unit = unit_of_heights(gdal, system, ground->unit);
    } else if (gdal->OSRIsGeographic(system)) {
        ground->kind = GROUND_DEGREES;
        ground->unit = gdal->OSRGetAngularUnits(system, &name);
        ground->height_unit = unit_of_heights(gdal, system, 1);
    } else if (gdal->OSRIsLocal(system)) {
        ground->kind = GROUND_PLANE;
        ground->unit = gdal->OSRGetLinearUnits(system, &name);
        ground->height_unit = unit_of_heights(gdal, system, ground->unit);
    }
    const bool is_sane = ground->unit > 0 && isfinite(ground->unit) && ground->height_unit > 0 &&
                         isfinite(ground->height_unit);
    return ground->kind != GROUND_UNKNOWN && is_sane &&
           (ground->kind == GROUND_PLANE || (axis > 0 && isfinite(axis)));
}

static bool read(const char *name, SystemGround *ground) {
    Error unused;
    pthread_mutex_lock(&lock);
    const Gdal *gdal = gdal_open(&unused);
    GdalHandle system = gdal ? system_open(gdal, name) : NULL;
    const bool is_read = system && read_system(gdal, system, ground);
    if (system)
        gdal->OSRRelease(system);
    pthread_mutex_unlock(&lock);
    return is_read;
}

// --- its scale ---------------------------------------------------------------------------------------------

static void close_projection(const Gdal *gdal, Projection *projection) {
    if (projection->to_degrees)
        gdal->OCTDestroyCoordinateTransformation(projection->to_degrees);
    if (projection->from_degrees)
        gdal->OCTDestroyCoordinateTransformation(projection->from_degrees);
    free(projection->system);
    *projection = (Projection){ 0 };
}

static bool open_projection(const Gdal *gdal, const char *name, Projection *to) {
    GdalHandle system = system_open(gdal, name);
    if (!system)
        return false;
    if (gdal->OSRIsCompound(system))
        gdal->OSRStripVertical(system);
    GdalHandle degrees = gdal->OSRCloneGeogCS(system);
    enum { LONGITUDE_FIRST = 0 }; // OAMS_TRADITIONAL_GIS_ORDER
    gdal->OSRSetAxisMappingStrategy(system, LONGITUDE_FIRST);
    if (degrees)
        gdal->OSRSetAxisMappingStrategy(degrees, LONGITUDE_FIRST);
    *to = (Projection){ .system = strdup(name),
                        .to_degrees = degrees ? gdal->OCTNewCoordinateTransformation(system, degrees) : NULL,
                        .from_degrees =
                            degrees ? gdal->OCTNewCoordinateTransformation(degrees, system) : NULL };
    const bool is_read = read_system(gdal, system, &to->ground);
    const double angle = degrees ? gdal->OSRGetAngularUnits(degrees, &(char *){ NULL }) : 0;
    if (degrees)
        gdal->OSRRelease(degrees);
    gdal->OSRRelease(system);
    const double length = to->ground.unit;
    to->ground.unit = angle; // of the degrees
    if (is_read && to->system && to->to_degrees && to->from_degrees && angle > 0 && length > 0)
        return true;
    close_projection(gdal, to);
    return false;
}

static Projection *projection_of(const Gdal *gdal, const char *name) {
    for (int i = 0; i < PROJECTIONS_KEPT; i++)
        if (projections[i].system && strcmp(projections[i].system, name) == 0)
            return &projections[i];
    Projection opened;
    if (!open_projection(gdal, name, &opened))
        return NULL;
    Projection *kept = &projections[next_projection];
    next_projection = (next_projection + 1) % PROJECTIONS_KEPT;
    close_projection(gdal, kept);
    *kept = opened;
    return kept;
}

// By differences over a thousand coordinates: of a projection's bend and PROJ's rounding a few parts in 10⁸
// remain.
static bool stretch(const char *name, double x, double y, double jacobian[4]) {
    enum { STEP = 1000 };
    double xs[5] = { x, x - STEP, x + STEP, x, x }, ys[5] = { y, y, y, y - STEP, y + STEP };
    Error unused;
    pthread_mutex_lock(&lock);
    const Gdal *gdal = gdal_open(&unused);
    const Projection *projection = gdal ? projection_of(gdal, name) : NULL;
    bool is_found = projection && gdal->OCTTransform(projection->to_degrees, 5, xs, ys, NULL) != 0;
    const SystemGround ground = projection ? projection->ground : (SystemGround){ 0 };
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 5; i++)
        is_found = is_found && isfinite(xs[i]) && isfinite(ys[i]) && fabs(ys[i] * ground.unit) < PI;
    if (!is_found)
        return false;
    const GroundScale scale = ground_scale_of_degrees(&ground, ys[0] * ground.unit);
    const double turn = 2 * PI / ground.unit;
    for (int k = 0; k < 2; k++) {
        const double east = xs[2 * k + 2] - xs[2 * k + 1];
        jacobian[k] = (east - turn * floor(east / turn + 0.5)) * scale.east / (2 * STEP);
        jacobian[2 + k] = (ys[2 * k + 2] - ys[2 * k + 1]) * scale.north / (2 * STEP);
    }
    return true;
}

static bool place(const char *name, double longitude, double latitude, double at[2]) {
    Error unused;
    pthread_mutex_lock(&lock);
    const Gdal *gdal = gdal_open(&unused);
    const Projection *projection = gdal ? projection_of(gdal, name) : NULL;
    const double unit = projection ? PI / 180 / projection->ground.unit : 1;
    at[0] = longitude * unit;
    at[1] = latitude * unit;
    const bool is_found =
        projection && gdal->OCTTransform(projection->from_degrees, 1, &at[0], &at[1], NULL) != 0;
    pthread_mutex_unlock(&lock);
    return is_found && isfinite(at[0]) && isfinite(at[1]);
}

static bool degrees(const char *name, const double at[2], double found[2]) {
    Error unused;
    pthread_mutex_lock(&lock);
    const Gdal *gdal = gdal_open(&unused);
    const Projection *projection = gdal ? projection_of(gdal, name) : NULL;
    const double unit = projection ? projection->ground.unit * (180 / PI) : 1;
    found[0] = at[0];
    found[1] = at[1];
    const bool is_found =
        projection && gdal->OCTTransform(projection->to_degrees, 1, &found[0], &found[1], NULL) != 0;
    pthread_mutex_unlock(&lock);
    found[0] *= unit;
    found[1] *= unit;
    return is_found && isfinite(found[0]) && isfinite(found[1]);
}

// -----------------------------------------------------------------------------------------------------------

// Before main: core asks for lengths wherever a frame has any, and must not know this folder.
__attribute__((constructor)) static void set_reader(void) {
    static const GroundReader reader = { read, stretch, place, degrees };
    ground_set_reader(&reader);
}
