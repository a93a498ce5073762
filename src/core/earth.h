// What the coordinates of a system are on the ground: lengths in a plane, degrees on an ellipsoid, or lengths
// that a projection stretches from place to place. All sides of cells in metres come from here.

#ifndef ESKER_EARTH_H
#define ESKER_EARTH_H

#include <stdbool.h>

typedef enum GroundKind {
    GROUND_UNKNOWN,  // a system that only PROJ can explain, where it is missing; or no system of the earth
    GROUND_PLANE,    // lengths, whose scale is 1 (of UTM's and national zones within a thousandth)
    GROUND_DEGREES,  // longitude and latitude, in degrees or another angle
    GROUND_MERCATOR, // the metres of web maps (EPSG:3857)
    GROUND_STRETCHED // lengths, whose scale PROJ gives at each place
} GroundKind;

typedef struct SystemGround {
    GroundKind kind;
    double unit;        // metres of one coordinate; of degrees radians
    double axis, e2;    // of the ellipsoid: semi-major axis in metres, square of the eccentricity
    double height_unit; // metres of heights that have no unit of their own: GDAL's and GRASS's assumption
} SystemGround;

// The ground of a coordinate system as frames name it: "EPSG:2274", "EPSG:2274+6360", or WKT. The same text
// is asked about once. NULL is a plane in metres.
const SystemGround *ground_of_system(const char *system);

// East and north, in metres, of steps of one coordinate in x and y: at latitude `radians` on the ellipsoid,
// on a web map at ordinate y. Both are at least a billionth of the axis, at the poles too.
typedef struct GroundScale {
    double east, north;
} GroundScale;

GroundScale ground_scale_of_degrees(const SystemGround *ground, double latitude);
GroundScale ground_scale_of_mercator(const SystemGround *ground, double y);

// The EPSG code of a coordinate system on the ground, without heights: 4326 for "EPSG:4326", for the compound
// "EPSG:4326+3855", for codes of WGS 84 with heights (EPSG:4979, EPSG:9518), and for WKT that ends in this
// code. 0: it has none, or is NULL.
int frame_system_code(const char *system);

// Whether a system begins as a code, "EPSG:", and is none.
bool system_is_wrong_code(const char *system);

// Whether two systems may be one on the ground: their codes or texts are the same, or one is not known
// (NULL).
bool systems_agree(const char *a, const char *b);

// The radius of a system in degrees on a sphere, in WKT; 0: it is none.
double system_sphere_radius(const char *system);

// Metres of a unit of length by its name: "m", "ft", "us-ft", "km". 0: it is none that is known.
double length_unit_metres(const char *name);

// How the scale of a projection is found, set by src/file, which knows GDAL: core has no libraries.
typedef struct GroundReader {
    bool (*read)(const char *system,
                 SystemGround *ground); // false: it is not there, or does not know the system
    // The jacobian at (x, y): metres to the east of a step in x and in y, and to the north. False: no place
    // on the ground.
    bool (*stretch)(const char *system, double x, double y, double jacobian[4]);
    // The coordinates of a longitude and a latitude in degrees. False: it is not there.
    bool (*place)(const char *system, double longitude, double latitude, double place[2]);
    bool (*degrees)(const char *system, const double place[2], double degrees[2]); // the reverse
} GroundReader;

void ground_set_reader(const GroundReader *reader);
const GroundReader *ground_reader(void);

#endif
