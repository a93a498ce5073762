// An Operation is a function from fields and parameters to fields, images or numbers, declared once, beside
// its code. From the declaration come the Lua function and method, argument checking, help, the reference
// manual, completion and the annotations for editors. A new operation is one file and one line in
// operations.h.
//
//     typedef struct OlsenErosion { int iterations; double talus; } OlsenErosion;
//     static const Param params[] = {
//         PARAM(OlsenErosion, iterations, .initial = 50, .max = 1e6, .doc = "passes over the field"),
//         PARAM(OlsenErosion, talus, .initial = 16, .max = 1e4, .unit = UNIT_PER_SIDE, .doc = "…"),
//         { 0 } };
//     const Operation op_olsen_erosion = { .name = "olsen_erosion", …, .params = params,
//         .params_size = sizeof(OlsenErosion), .run = run };

#ifndef ESKER_OPERATION_H
#define ESKER_OPERATION_H

#include "core/error.h"
#include "core/field.h"
#include "core/image.h"
#include "core/parallel.h"
#include "core/param.h"
#include "core/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- calls -----------------------------------------------------------------------------------------------

enum { INPUTS_MAX = 3, OUTPUTS_MAX = 24, ACCEPTS_MAX = 6 };

// Whether the output fields of an operation wrap (Field.wraps).
typedef enum Wrapping {
    WRAPPING_KEPT,   // if all its fields do (of .any_sizes the first): cell by cell. Not if there are none
    WRAPPING_MADE,   // always: noise that tiles
    WRAPPING_CHOSEN, // it looks at neighbours and has the parameter `wrap`, by default that of its first
                     // field; then outputs wrap if all its fields do
    WRAPPING_ASKED,  // likewise, but by default off: it drains, and other operations drain over edges
    WRAPPING_LOST,   // never
} Wrapping;

// Where the outputs of an operation lie (core/frame.h). Inputs whose cells belong together must lie in one
// place; one without a frame lies where the others do.
typedef enum Framing {
    FRAMING_KEPT, // on the ground of the first input that has a frame, in whatever number of cells
    FRAMING_SET,  // as the operation says: it cuts, mirrors or turns that ground
    FRAMING_LOST, // nowhere: its cells are no places of the input
} Framing;

// What an operation does with cells without data (core/gaps.h). Field.gaps tells it where they are.
typedef enum GapRule {
    GAPS_REFUSED, // an error: it would take them for ground
    GAPS_KEPT,    // it takes them as cells beyond an edge: the heights beside them go on there. Results
               // of that size have no data where an input has none, and pixels of pictures are transparent:
               // images of the field's height hold it in their first columns; a legend follows
    GAPS_MOVED, // it moves the cells of its first input, and gaps with them
    GAPS_SEA,   // as GAPS_KEPT, but in its first input they are sea, into which water leaves: lower than all
                // else and than its parameter sea_level
    GAPS_OWN,   // it reads Field.gaps itself
} GapRule;

// Whether an operation measures distances, slopes or directions over the ground.
typedef enum Measurement {
    MEASURES_NOTHING, // or it reads the frame itself
    MEASURES_CELLS,   // with the sides that cells have (frame_cell_shape): none may be skewed
    MEASURES_SHAPES,  // likewise, but only how long the sides are beside each other counts
    MEASURES_SQUARES, // it takes cells for squares: it tells where they are not. So does any other operation
                      // that gets a slope
    NEEDS_SQUARES,    // likewise, and in degrees an error: what it moves or places would be wrong by the
                      // latitude
} Measurement;

// What Operation.reach returns where the result depends on cells at any distance.
enum { SEES_ALL = -1 };

// What the parameters of places (UNIT_PLACE) are given in: the values of the parameter `coordinates`.
typedef enum Coordinates {
    COORDINATES_SHARES,  // of the width and height
    COORDINATES_CELLS,   // (0, 0) the upper left corner of the first cell
    COORDINATES_MAP,     // of the frame
    COORDINATES_DEGREES, // longitude and latitude
} Coordinates;

// The values of the parameter `wrap`.
typedef enum Wrap { WRAP_AS_FIELD, WRAP_OFF, WRAP_ON } Wrap;

typedef struct Input { // the member that is set says what was given
    const Field *field;
    const Image *image;
    const void *value; // of any other type with a class
    const char *text;
    double number;         // when all others are NULL
    const ValueType *type; // of `value`
} Input;

// The argument of an operation's run function. Field and image outputs already have cells, in the size of
// the call, and wrap according to `wraps`, unless the operation is declared .shapes_outputs.
typedef struct Call {
    const Run *run;
    int width,
        height;     // of the outputs: the first field or image input's, or the arguments of a sized operation
    bool only_size; // they are both `size` or its default: not given as width and height
    uint64_t seed;  // of a seeded operation
    Wrap wrap;      // of an operation that takes it
    bool wraps;     // whether opposite edges of the first field meet; set by operation_run
    int coordinates; // Coordinates, of an operation that takes places
    bool of_gaps;    // GAPS_MOVED: the first field is 1 in gaps, to see which cells take part of them; set as
                     // well
    Frame frame;     // of the first input that has a frame; set by operation_run
    int frame_width, frame_height;
    Whole whole;   // of which the first field is a window
    bool surveyed; // operation_locality: warnings about a window's cells are given now, once for all windows
    Input inputs[INPUTS_MAX];
    const void *params;   // the operation's parameter struct, per-side values and lengths resolved
    Output *outputs;      // OUTPUTS_MAX of them
    Error *notice;        // receives a line for the user (`tell`); may be NULL
    const Labels *labels; // how the result was made: written into files by operations declared .writes_labels
} Call;

// What a result measures: where a field has a frame in its units, on the ground.
typedef enum Dimension {
    DIMENSION_NONE,      // a share, a count, or what its description says
    DIMENSION_HEIGHT,    // the unit of the heights
    DIMENSION_LENGTH,    // metres; without a frame shares of N
    DIMENSION_AREA,      // square metres; without a frame cells
    DIMENSION_CURVATURE, // 1 / metres; without a frame 1 / N
    DIMENSION_ANGLE,     // degrees
    DIMENSION_CELLS,     // cells, in any frame
} Dimension;

// Its unit in words: "m; without a frame N". NULL for DIMENSION_NONE.
const char *dimension_name(Dimension dimension);

typedef struct InputSpec {
    const char *name; // NULL: none
    const char *doc;
    const ValueType *accepts[ACCEPTS_MAX]; // none: a field
    bool optional;      // the last one: a call may leave it out, and gives its arguments by name then
    bool accepts_saved; // instead: every type that has a file format; `doc` is input_doc's (values.h)
} InputSpec;

typedef struct OutputSpec {
    const char *name;
    const char *doc;
    const ValueType *type; // NULL: a field
    bool heights;          // a field in the unit of its inputs' heights
    bool optional;         // it may stay empty: then it is not returned
    Dimension dimension;   // of what is not heights
} OutputSpec;

typedef struct Operation {
    const char *name, *category; // category: a heading of the reference manual
    const char *keywords;        // other words that users search for, separated by spaces; may be NULL
    const char *summary;         // one sentence, no full stop
    const char *description;     // further paragraphs for the manual; may be NULL
    const char *source;          // paper and section
    InputSpec inputs[INPUTS_MAX];
    OutputSpec outputs[OUTPUTS_MAX];
    const Param *params;
    size_t params_size;
    const char *example;  // a few lines of Lua, run by the tests; `height` is there, a field of 64 × 64
    const char *picture;  // Lua for the reference: returns what its picture shows; NULL: as
                          // scripts/pictures.lua makes it
    const char *see_also; // names of related operations, separated by spaces; may be NULL
    const struct Operation *drawn_by; // draws its result, with arguments that users give to it; may be NULL
    bool sized;                       // takes size, or width and height
    bool seeded;                      // takes seed
    Wrapping wrapping;                // WRAPPING_CHOSEN and WRAPPING_ASKED take wrap
    Framing framing;
    GapRule gaps;
    Measurement measures;
    bool record;         // returns one table with the outputs' names, not several results
    bool one_output;     // returns the output that was filled, not all (a file holds heights or colours)
    bool any_sizes;      // its fields may differ in size
    bool negates;        // its results' heights are those of its input, downwards
    bool shapes_outputs; // creates its outputs' cells itself and sets whether they wrap
    int (*reach)(
        const Call *call);     // how many cells away it sees: then it can be computed window by window, and
                               // gives each cell the same bits. NULL, or SEES_ALL returned: it sees all
    const char *always_finite; // why its results need no check; NULL: a cell that is not finite is an error
    bool writes_labels;        // writes the file that its second input names; gets Call.labels
    Status (*run)(const Call *call, Error *error);
} Operation;

// --- for bindings ----------------------------------------------------------------------------------------

// The implicit parameters: size, width, height, seed, wrap. A NULL name ends the list. `wrap` has no
// default, except where it has to be asked for.
extern const Param size_params[];
extern const Param seed_param;
extern const Param wrap_param, asked_wrap_param;
extern const Param coordinates_param; // of operations that take places, in declarations after these

// Whether a parameter of the operation is a place.
bool operation_takes_places(const Operation *operation);

// The coordinates, as the call's places are given, of a place in shares of the field's sides.
Status operation_place_as_given(const Call *call, double share_x, double share_y, double place[2],
                                Error *error);

// Whether an input takes values of this type.
bool input_accepts(const InputSpec *spec, const ValueType *type);

// Sets an input to a value of a type with a class.
void input_set(Input *input, const ValueType *type, const void *value);

// Whether anything other than a number was given.
bool input_is_given(const Input *input);

// What type an output has.
static inline const ValueType *output_type(const OutputSpec *spec) {
    return spec->type ? spec->type : &type_field;
}

// NULL if it does not take `wrap`.
const Param *operation_wrap_param(const Operation *operation);

// The declared parameters, ended by a NULL name; never NULL.
const Param *operation_params(const Operation *operation);

// Parameter `index` of all that the operation takes, in the order of the manual: implicit ones, then its own.
// NULL: no more.
const Param *operation_param_at(const Operation *operation, int index);

// The parameter of this name, or NULL.
const Param *operation_param(const Operation *operation, const char *name);

// What a parameter of the operation allows, in words: param_allowed, and the size of a field or an image.
void operation_param_allowed(const Operation *operation, const Param *param, char *text, size_t size);

// Fills a parameter struct with the declared defaults (fields and images stay empty).
void params_initialise(const Operation *operation, void *params);

// Whether a parameter struct holds what the declaration allows; the error says what is wrong.
Status params_check(const Operation *operation, const void *params, Error *error);

// Checks inputs, sizes and fields, resolves per-side values in a copy of `params`, creates the outputs,
// runs, and checks that the results are finite. `call` holds run, inputs, params, outputs (zeroed) and
// labels, and width, height, seed and wrap if the operation takes them. On failure the outputs are empty.
Status operation_run(const Operation *operation, Call *call, const void *params, Error *error);

typedef struct Locality {
    int cells;  // how far the operation sees (Operation.reach)
    bool wraps; // over edges that meet
    bool results_wrap;
    Frame frame; // where it lies, with the unit of all inputs; its texts are theirs
} Locality;

// Instead of running: how far away the operation reads cells with these arguments.
Status operation_locality(const Operation *operation, Call *call, const void *params, Locality *locality,
                          Error *error);

// For declarations of Operation.reach: the operation reads only the cell itself; or the cells beside it.
int reach_none(const Call *call);
int reach_beside(const Call *call);

// Frees the values of OUTPUTS_MAX outputs and leaves them empty.
void outputs_free(Output *outputs);

// --- wrong arguments ---------------------------------------------------------------------------------------

// What is wrong with the named arguments of a call, in the same words for every interface.

// Fails: the operation takes no argument of this name. `with_inputs`: whether inputs are named, too.
Status argument_unknown(const Operation *operation, const char *name, bool with_inputs, Error *error);

// Fails: the parameter does not take a value, which `got` describes.
Status argument_wrong(const Operation *operation, const Param *param, const char *got, Error *error);

// The size of a call from size, width and height, 0 where not given.
Status argument_sides(const Operation *operation, const int sides[3], Call *call, Error *error);

#endif
