/// @file
/// Esker's engine for C and C++ programs and for bindings of other languages: any operation by name, with
/// named arguments, on fields whose memory the caller may own. `esker help NAME` and esker_operations_json()
/// say which operations there are and what they take.
///
///     EskerError error;
///     EskerValue *land = NULL;
///     const EskerArgument arguments[] = { esker_number("size", 512), esker_number("seed", 7) };
///     if (esker_run("diamond_square", arguments, 2, NULL, &land, 1, &error) != ESKER_OK)
///         fprintf(stderr, "%s\n", error.text);
///     esker_free(land);
///
/// Ownership: functions that return an EskerValue * or fill one in give it to the caller, who frees it with
/// esker_free. Arguments are never changed and may be used again. Text and arrays that belong to a value live
/// as long as it does. Errors: a function that can fail returns an EskerStatus or NULL, and fills `error`,
/// which may be NULL, with one line for a person. Threads: functions may be called from several threads at
/// once, as long as no two use the same value while one of them changes or frees it. Same arguments, same
/// bytes, on any machine and number of threads.

#ifndef ESKER_H
#define ESKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the library exports.
#define ESKER_API __attribute__((visibility("default")))

/// The version of the library that is linked, as "0.1.0".
ESKER_API const char *esker_version(void);

/// How a call ended.
typedef enum EskerStatus {
    ESKER_OK,      ///< it succeeded
    ESKER_INVALID, ///< an argument is not allowed
    ESKER_MEMORY,  ///< memory ran out, or its limit is reached
    ESKER_FILE,    ///< a file could not be read or written
    ESKER_STOPPED, ///< esker_task_stop was called
} EskerStatus;

/// What went wrong, as one line of UTF-8 without a line end.
typedef struct EskerError {
    char text[512]; ///< ends with a 0 byte
} EskerError;

// --- values ----------------------------------------------------------------------------------------------

/// What operations take and give. Its kind says which functions below can read it.
typedef struct EskerValue EskerValue;

/// Kinds of values and arguments: a bit each.
typedef enum EskerKind {
    ESKER_NONE = 0,        ///< of a missing value, NULL
    ESKER_FIELD = 1,       ///< heights: a grid of 32-bit floats, row by row, all of them finite
    ESKER_IMAGE = 2,       ///< a grid of 8-bit RGBA pixels, alpha not premultiplied
    ESKER_NUMBER = 4,      ///< a double
    ESKER_TEXT = 8,        ///< arguments only
    ESKER_NUMBERS = 16,    ///< a list of doubles
    ESKER_LABELS = 32,     ///< pairs of texts
    ESKER_MAP = 64,        ///< a zoomable map, for "render" and "rivers"
    ESKER_NETWORK = 128,   ///< rivers
    ESKER_MESH = 256,      ///< triangles
    ESKER_POINTS = 512,    ///< places with attributes
    ESKER_LINES = 1024,    ///< lines with attributes
    ESKER_POLYGONS = 2048, ///< polygons with attributes
} EskerKind;

/// The kind of a value; ESKER_NONE of NULL. The functions below take NULL for a value of another kind.
ESKER_API EskerKind esker_kind(const EskerValue *value);

/// Frees a value; NULL is allowed.
ESKER_API void esker_free(EskerValue *value);

/// A 64-bit hash of the value, the same on every machine; 0 for kinds without one (numbers, lists, labels,
/// maps).
ESKER_API uint64_t esker_hash(const EskerValue *value);

/// The sides of a field, image or network in cells; 0 × 0 for other kinds.
ESKER_API void esker_size(const EskerValue *value, int *width, int *height);

/// Called once, when the value that uses the caller's memory is freed.
typedef void EskerRelease(void *context, void *memory);

/// A new field of width × height cells, 1 to 65536 each, all 0. NULL if a side is not allowed or memory runs
/// out.
ESKER_API EskerValue *esker_field_new(int width, int height, EskerError *error);

/// A field in the caller's memory, without a copy: `cells` holds `height` rows of `width` floats, each row
/// `stride` bytes after the one before, or before it if `stride` is negative. The memory must stay until
/// `release` (may be NULL) is called. Only rows that follow each other without a gap (stride = 4 × width) can
/// be used in place; with another stride the cells are copied, and `release` is called before the function
/// returns. Fails with NULL if a cell is infinite or not a number, or if rows overlap; `release` is not
/// called.
ESKER_API EskerValue *esker_field_wrap(float *cells, int width, int height, ptrdiff_t stride,
                                       EskerRelease *release, void *context, EskerError *error);

/// The cells of a field, row by row, cell (0, 0) at the top left; NULL for other kinds. They may be changed
/// as long as they stay finite.
ESKER_API float *esker_field_cells(EskerValue *field);

/// Whether the field's opposite edges meet (operations that look at neighbours then look across).
ESKER_API bool esker_field_wraps(const EskerValue *field);

/// Sets it; of other kinds than fields nothing changes.
ESKER_API void esker_field_set_wraps(EskerValue *field, bool wraps);

/// Which cells of a field have no data: for each cell 1 if it has none, else 0, row by row. NULL, and 0 in
/// `count`, if all have data, and for other kinds. `count`, the number of cells without, may be NULL.
ESKER_API const uint8_t *esker_field_gaps(const EskerValue *field, size_t *count);

/// Sets it from as many bytes as there are cells: a byte other than 0 takes the cell's data away, whose
/// height becomes 0 and means nothing. NULL: all cells have data.
ESKER_API EskerStatus esker_field_set_gaps(EskerValue *field, const uint8_t *gaps, EskerError *error);

/// Where a value lies. The corner of cell (column, row) is at x + column * right_x + row * down_x, and
/// y + column * right_y + row * down_y.
typedef struct EskerFrame {
    double x, y;             ///< the upper left corner of the first cell, in map units; y grows to the north
    double right_x, right_y; ///< the step to the next column
    double down_x, down_y;   ///< the step to the next row
    const char *system;      ///< coordinate system, as "EPSG:26916" or WKT; NULL: unknown
    const char *unit;        ///< of the heights, as "m"; NULL: unknown
    double sea;              ///< height of the sea; not 0 where heights count from elsewhere
    double top;              ///< how high the ground of the whole map is, above the sea; 0: not known
    bool sealess;            ///< no ground is sea, however low it lies: models of real ground
    bool no_heights;         ///< cells are other numbers than heights, such as angles
} EskerFrame;

/// Where a field, image, network or points lie; false, and nothing set, if that is nowhere. Both texts live
/// as long as the program.
ESKER_API bool esker_frame(const EskerValue *value, EskerFrame *frame);

/// Sets it; NULL: nowhere. Fails for other kinds, and where cells would have no area.
ESKER_API EskerStatus esker_set_frame(EskerValue *value, const EskerFrame *frame, EskerError *error);

/// An image in the caller's memory, 4 bytes a pixel (red, green, blue, alpha); as esker_field_wrap.
ESKER_API EskerValue *esker_image_wrap(uint8_t *pixels, int width, int height, ptrdiff_t stride,
                                       EskerRelease *release, void *context, EskerError *error);

/// The pixels of an image, row by row from the top left, 4 bytes each; NULL for other kinds. They may be
/// changed.
ESKER_API uint8_t *esker_image_pixels(EskerValue *image);

/// The number; 0 for other kinds.
ESKER_API double esker_number_of(const EskerValue *value);

/// The numbers of a list, `count` of them; NULL and 0 for other kinds.
ESKER_API const double *esker_numbers_of(const EskerValue *value, size_t *count);

/// How many pairs of texts labels have; 0 for other kinds.
ESKER_API size_t esker_label_count(const EskerValue *value);

/// The key of a label, and its text; NULL past the end.
ESKER_API const char *esker_label(const EskerValue *value, size_t index, const char **text);

/// A point of a river, in cells of the window from the upper left corner of its first cell.
typedef struct EskerRiverPoint {
    double x, y;    ///< 0 … width and 0 … height of the window
    double area;    ///< what drains through here, in map units squared
    float altitude; ///< -1 to 1, the sea at 0
    float width;    ///< cells
    float distance; ///< along the river to where it ends or leaves the window, in cells
    float water;    ///< of maps with a climate: what flows here, m³/s in the mean of the year; otherwise 0
} EskerRiverPoint;

/// A stretch of a river from a spring or confluence to the next confluence, mouth or border: points `first`
/// to `first + count - 1`, downstream.
typedef struct EskerReach {
    int first, count; ///< of its points
    int downstream;   ///< the reach into which it flows, or -1
    int order;        ///< Strahler's
    bool mouth; ///< it ends in the sea; otherwise in a lake, leaves the window or flows into `downstream`
    bool wadi;  ///< of maps with a climate: its bed is dry for most of the year
    bool salt;  ///< the outline of a lake that has no outflow
} EskerReach;

/// The reaches of a network, `count` of them; NULL and 0 for other kinds.
ESKER_API const EskerReach *esker_reaches(const EskerValue *network, size_t *count);

/// The points of all reaches of a network, `count` of them; NULL and 0 for other kinds.
ESKER_API const EskerRiverPoint *esker_river_points(const EskerValue *network, size_t *count);

/// The points of a mesh as x (east), y (north), z (up) in the units that its operation says; NULL and 0 for
/// other kinds.
ESKER_API const float (*esker_mesh_points(const EskerValue *mesh, size_t *count))[3];

/// The triangles of a mesh as the indices of three points each, counterclockwise from outside;
/// NULL and 0 for other kinds.
ESKER_API const uint32_t (*esker_mesh_triangles(const EskerValue *mesh, size_t *count))[3];

/// A place with attributes, as `scatter` gives them.
typedef struct EskerPoint {
    double x, y;     ///< cells, (0, 0) the upper left corner of the first
    float altitude;  ///< of the ground
    float radius;    ///< half the distance to others of its species, in cells
    float variation; ///< a random number of its own, 0 to 1
    int species;     ///< from 1
} EskerPoint;

/// The places of a value of the kind ESKER_POINTS, `count` of them; NULL and 0 for other kinds.
ESKER_API const EskerPoint *esker_points(const EskerValue *points, size_t *count);

/// Places in a window of width × height cells, 1 to 65536 each. The points are copied; coordinates up to
/// 1e30, radius from 0, species from 1. NULL if one is not allowed or memory runs out.
ESKER_API EskerValue *esker_points_new(int width, int height, const EskerPoint *points, size_t count,
                                       EskerError *error);

/// A point of a line, or of a ring of a polygon.
typedef struct EskerShapePoint {
    double x, y;    ///< cells, (0, 0) the upper left corner of the first
    float altitude; ///< 0 throughout where shapes have no altitudes
} EskerShapePoint;

/// A line, or a ring of a polygon, which ends with its first point again: points `first` to
/// `first + count - 1`.
typedef struct EskerShapePart {
    int first, count; ///< of its points
    bool hole;        ///< of a polygon: cut out of the ring before it that is none
} EskerShapePart;

/// One of several lines, or polygons: parts `first` to `first + count - 1`.
typedef struct EskerShape {
    int first, count; ///< of its parts
} EskerShape;

/// The shapes of a value of the kind ESKER_LINES or ESKER_POLYGONS, `count` of them; NULL and 0 for other
/// kinds.
ESKER_API const EskerShape *esker_shapes(const EskerValue *shapes, size_t *count);

/// The parts of all its shapes, likewise.
ESKER_API const EskerShapePart *esker_shape_parts(const EskerValue *shapes, size_t *count);

/// The points of all its parts, likewise.
ESKER_API const EskerShapePoint *esker_shape_points(const EskerValue *shapes, size_t *count);

/// What `esker_shapes_new` makes shapes of: each shape's parts, and each part's points, follow those of the
/// one before.
typedef struct EskerShapeList {
    const EskerShape *shapes;
    const EskerShapePart *parts;
    const EskerShapePoint *points;
    size_t shape_count, part_count, point_count;
} EskerShapeList;

/// Lines or polygons (`kind`) in a window of width × height cells, 1 to 65536 each. All is copied. A line has
/// two points or more; a ring three and its first one again, and crosses no ring of its polygon. Coordinates
/// are at most 1e30. NULL if something is not allowed or memory runs out.
ESKER_API EskerValue *esker_shapes_new(EskerKind kind, int width, int height, const EskerShapeList *list,
                                       EskerError *error);

/// How many attributes points, lines or polygons have; 0 for other kinds.
ESKER_API size_t esker_attribute_count(const EskerValue *value);

/// The name of an attribute; NULL past the end. It lives until the value gets another attribute.
ESKER_API const char *esker_attribute_name(const EskerValue *value, size_t attribute);

/// The attribute of one of the points, lines or polygons, the first is 0: ESKER_NUMBER sets `number` (1 and 0
/// of true and false), ESKER_TEXT sets `text` (of lists and objects of GeoJSON their JSON), which lives as
/// long as a name. ESKER_NONE: it has none. Both may be NULL.
ESKER_API EskerKind esker_attribute(const EskerValue *value, size_t index, size_t attribute, double *number,
                                    const char **text);

/// Sets it, by name: to `text`, or where that is NULL to `number`. Fails for other kinds, past the last of
/// the points, lines or polygons, with more than 256 attributes, and for names of more than 255 bytes.
ESKER_API EskerStatus esker_set_attribute(EskerValue *value, size_t index, const char *name, double number,
                                          const char *text, EskerError *error);

// --- tasks -----------------------------------------------------------------------------------------------

/// The settings under which operations run: number of threads, progress callback, and stopping.
typedef struct EskerTask EskerTask;

/// A new task with the default settings; NULL if memory runs out.
ESKER_API EskerTask *esker_task_new(EskerError *error);

/// Frees a task that no call uses any more; NULL is allowed.
ESKER_API void esker_task_free(EskerTask *task);

/// 1 to 256; 0: one per processor, as without a task.
ESKER_API EskerStatus esker_task_set_threads(EskerTask *task, int threads, EskerError *error);

/// Sets a callback that gets 0 to 1 from time to time, from the thread that called esker_run.
ESKER_API void esker_task_set_progress(EskerTask *task, void (*progress)(void *context, double fraction),
                                       void *context);

/// Stops the task's current operation promptly, and all later ones, until called with false. May be called
/// from any thread or a signal handler.
ESKER_API void esker_task_stop(EskerTask *task, bool stop);

// --- ground for games ------------------------------------------------------------------------------------

/// The land of a map for an engine that asks for tiles of it while it runs (docs/streaming.md). Any number of
/// threads may call the functions on one ground at once. What a tile needs of coarser land is computed by
/// whoever asks first; others wait for it or compute other parts. Same bytes for any number of callers.
typedef struct EskerGround EskerGround;

/// Opens the ground of a map with eroded land. Other functions may use the map meanwhile, and it may be freed
/// before the ground is closed. The map's first level is computed now, which takes a fraction of a second.
/// `memory`: bytes for land that is kept between calls, and for calls of up to 256 × 256 cells; at least 128
/// MiB; 0: 256 MiB. NULL if an argument is not allowed, 256 grounds are open or memory runs out.
ESKER_API EskerGround *esker_ground_open(const EskerValue *map, size_t memory, EskerError *error);

/// Closes it; calls that compute are waited for. The map's land is freed, and the memory of the process that
/// is kept for reuse goes back to the system. NULL is allowed, and so is a ground that was closed: other
/// functions fail with ESKER_INVALID for it. In a forked process nothing is freed.
ESKER_API void esker_ground_close(EskerGround *ground);

/// Numbers of a tile in the caller's memory: a float for each cell. Step and stride are multiples of a
/// float's bytes, and no two cells share any: rows do not overlap, or columns do not.
typedef struct EskerLayer {
    float *cells;     ///< of the first cell, the north-western one, with the border; NULL: not wanted
    ptrdiff_t step;   ///< bytes from a cell to the next one to the east; 0: those of a float
    ptrdiff_t stride; ///< bytes from a row to the next one to the south, may be negative; 0: rows follow each
                      ///< other
} EskerLayer;

/// Cells of a ground. The same cell has the same numbers in all tiles, to the bit. All layers except `level`
/// are also results of the operation "render", with the same numbers.
typedef struct EskerTile {
    double x, y;       ///< north-west corner of the first cell inside the border, in metres: x east of the
                       ///< map's west edge, y north of its south edge, as in EskerFrame. On a planet the six
                       ///< faces of its cube lie beside each other: front, right, back, left, top, bottom.
                       ///< Each is twice the radius wide, on the plane that touches the planet there
    double cell;       ///< a cell's side in metres: the map's or face's divided by 1 to 2^36
    int width, height; ///< cells, 1 to 65536 with the border
    int border;        ///< as many more on each side, 0 to 1024; beyond the map the nearest cell's numbers,
                       ///< beyond a face the ground that its plane shows
    bool ahead;        ///< for later: begins when no call computes that is not ahead
    EskerLayer altitude; ///< metres above the sea; of lakes that of the water
    EskerLayer river;    ///< width in cells of the river that covers the cell; below 1 the share covered
    EskerLayer flow;     ///< what drains through the cell, in cells; 0 in the sea
    EskerLayer water;    ///< depth of a lake in metres; 0: none
    EskerLayer level;    ///< metres above the sea of the water's surface, in the sea 0; of dry ground, and of
                         ///< rivers below 3 cells, which lie on it, the altitude; of rivers
                         ///< on planets, too
} EskerTile;

/// Computes a tile. Without any layer it only computes and keeps the land that the tile needs, so that it
/// comes faster later. `task` may be NULL; esker_task_stop ends the call with ESKER_STOPPED. After an error
/// the layers are as before.
ESKER_API EskerStatus esker_ground_tile(EskerGround *ground, const EskerTile *tile, const EskerTask *task,
                                        EskerError *error);

/// Computes tiles around a camera, each with cells twice as large as the one before (Losasso and Hoppe 2004).
/// The caller sets the layers of `count` tiles, 1 to 20, and cell, width and ahead of the first: its width is
/// a multiple of 4 and one more, 9 to 4097, and that of the others. The call sets x, y, cell, width, height
/// and border. Cells are points here, their middles: those of a tile lie on every second one of the next
/// finer tile. So that there are no cracks, altitudes on the outermost cells of a tile are those of the next
/// coarser one, or the mean of two. All tiles have a layer of altitudes, or none has. A tile that stands
/// where it should, because its members are still those that the last call set, is not computed again; set
/// its x to 0 to have it computed. The coarsest tile comes first; after an error those that were computed are
/// whole.
ESKER_API EskerStatus esker_ground_ring(EskerGround *ground, double x, double y, EskerTile *tiles, int count,
                                        const EskerTask *task, EskerError *error);

/// One place of a ground.
typedef struct EskerSpot {
    double altitude;       ///< metres above the sea; of a lake that of its water
    double slope;          ///< rise over run, at least 0
    double down_x, down_y; ///< the steepest way down: a unit vector to the east and north; 0, 0 where level
    double river;          ///< width in metres of the river that covers the place; 0: none
    double drained;        ///< square metres that drain through it; 0 in the sea
    double water;          ///< depth of a lake in metres; 0: none
} EskerSpot;

/// Describes the ground around x, y, in metres as in EskerTile, as cells of the side `cell` show it.
ESKER_API EskerStatus esker_ground_at(EskerGround *ground, double x, double y, double cell,
                                      const EskerTask *task, EskerSpot *spot, EskerError *error);

// --- operations ------------------------------------------------------------------------------------------

/// An input or parameter by its name. `kind` says which member counts. A boolean is a number, 0 or 1. A
/// number with more digits than a double holds may be a text. Lists of rows are flattened; a palette is its
/// name or rows of height, red, green and blue (0 to 255). Several colours are a text with spaces between
/// them, and a list of fields (the kind "fields") is the same name several times. Where an input and a
/// parameter have one name, as `height` of "crop", the kind of the value says which is meant: a field is the
/// input, a number the parameter.
typedef struct EskerArgument {
    const char *name;        ///< as `esker help` lists it
    EskerKind kind;          ///< which of the following counts
    double number;           ///< of ESKER_NUMBER
    const char *text;        ///< of ESKER_TEXT, UTF-8
    const double *numbers;   ///< of ESKER_NUMBERS,
    size_t count;            ///< how many numbers
    const EskerValue *value; ///< of all other kinds
} EskerArgument;

/// An argument that is a number or a boolean.
static inline EskerArgument esker_number(const char *name, double number) {
    EskerArgument argument = { name, ESKER_NUMBER, number, NULL, NULL, 0, NULL };
    return argument;
}

/// An argument that is a text: a choice, a path, a palette, long digits. The text must live as long as the
/// call.
static inline EskerArgument esker_text(const char *name, const char *text) {
    EskerArgument argument = { name, ESKER_TEXT, 0, text, NULL, 0, NULL };
    return argument;
}

/// An argument that is a list; it must live as long as the call.
static inline EskerArgument esker_numbers(const char *name, const double *numbers, size_t count) {
    EskerArgument argument = { name, ESKER_NUMBERS, 0, NULL, numbers, count, NULL };
    return argument;
}

/// An argument that is a value.
static inline EskerArgument esker_value(const char *name, const EskerValue *value) {
    EskerArgument argument = { name, esker_kind(value), 0, NULL, NULL, 0, value };
    return argument;
}

/// Runs the operation of this name with `count` arguments; parameters that are not given have their defaults.
/// `task` may be NULL. Fills `results` with the operation's results in their declared order, at most `room`
/// of them, NULL for those that there are not; when it fails all are NULL. `arguments` and `results` may be
/// NULL where their numbers are 0.
ESKER_API EskerStatus esker_run(const char *operation, const EskerArgument *arguments, size_t count,
                                const EskerTask *task, EskerValue **results, size_t room, EskerError *error);

/// All operations with inputs, parameters (kind, default, range, choices, unit, text) and results, as a JSON
/// array. The text is the library's; NULL if memory runs out.
ESKER_API const char *esker_operations_json(void);

/// Sets the maximum memory that the engine may use at once, in bytes: at first nine tenths of the machine's.
/// What needs more fails with ESKER_MEMORY.
ESKER_API void esker_set_memory_limit(size_t bytes);

/// The memory that the engine uses, in bytes.
ESKER_API size_t esker_memory_in_use(void);

#ifdef __cplusplus
}
#endif

#endif
