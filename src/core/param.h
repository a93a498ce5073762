// A parameter of an operation, declared beside the operation's code: name, range, default, unit and
// documentation. Its kind comes from the member of the operation's parameter struct that holds it.

#ifndef ESKER_PARAM_H
#define ESKER_PARAM_H

#include "core/error.h"
#include "core/field.h"
#include "core/image.h"
#include "core/palette.h"

#include <stdbool.h>
#include <stddef.h>

// --- values ----------------------------------------------------------------------------------------------

enum { NUMBERS_MAX = 256 };

// A list of numbers as a parameter: coefficients, the points of a curve (two columns, flattened).
typedef struct Numbers {
    int count;
    double at[NUMBERS_MAX];
} Numbers;

// A list of fields as a parameter: one for each species of points.
enum { FIELDS_MAX = 8 };

typedef struct Fields {
    int count; // 0: not given
    const Field *at[FIELDS_MAX];
} Fields;

// A number with possibly more digits than a double holds.
typedef struct Decimal {
    double number;    // used if there is no text
    const char *text; // checked: a sign or none, and decimal digits with at most one point, or 0x,
                      // hexadecimal ones and perhaps p and a power of two: "0.25", "0x.4", "0x1p-2"
} Decimal;

// --- parameters ------------------------------------------------------------------------------------------

typedef enum ParamKind {
    PARAM_INTEGER, // int
    PARAM_NUMBER,  // double
    PARAM_BOOLEAN, // bool
    PARAM_TEXT,    // const char *
    PARAM_NUMBERS, // Numbers
    PARAM_DECIMAL, // Decimal
    PARAM_FIELD,   // const Field *; NULL: not given
    PARAM_FIELDS,  // Fields: a field or a list of them
    PARAM_IMAGE,   // const Image *; NULL: not given
    PARAM_PALETTE, // Palette
    PARAM_COLOURS, // Colours
    PARAM_CHOICE,  // int, an index into .choices
} ParamKind;

typedef enum Unit {
    UNIT_NONE,
    UNIT_PER_SIDE, // written as its numerator: 16 means 16/N, N the field's longer side; the struct gets 16/N
    UNIT_SLOPE, // the same of heights, 16/N a cell; of heights in metres 16 is 45°; the struct gets heights a
                // cell
    UNIT_EXAGGERATION, // of slopes; at 1 or more, heights are to be 0 to 1 or metres of a frame
    UNIT_SIDES,        // a length as a share of N; the struct gets cells, whole ones of k/N
    UNIT_PLACE,   // x or y of a place, by its name; in a list in turns: a share of the width or height, or as
                  // the implicit parameter `coordinates` says; the struct gets shares
    UNIT_SEA,     // the height of the sea, optional; the struct gets the frame's where it is not given
    UNIT_HEIGHTS, // in the unit of the heights
    UNIT_METRES,  // on the ground
    UNIT_AREA,    // m² on the ground
    UNIT_GROUND,  // a length: metres on the ground where the field's frame tells them, else cells
                  // (field_cells_of_length)
    UNIT_CELLS,
    UNIT_DEGREES,
} Unit;

// The bounds of parameters that are heights: those of a cell. Displayed as "finite".
#define HEIGHT_MAX 0x1.fffffep127

typedef struct Param {
    const char *name;         // NULL ends the list
    ParamKind kind;           // taken from the struct member by PARAM
    size_t offset;            // of the member in the parameter struct
    double initial, min, max; // numbers; max 0 with min 0: no bounds. Lists: the bounds of each element.
                              // Texts: with a max they are one line of UTF-8 with as many characters at most
    const char *initial_text; // texts, palettes and colours
    struct {
        int count;
        const double *at;
    } initial_numbers; // lists: NUMBERS(0, 0, 1, 1)
    int columns;       // lists: if > 1, a list of rows with this number of columns
    int columns_min;   // if > 0, minimum columns of a row; missing ones are `rest`
    double rest;
    const char *elements;       // lists of a fixed length: what their numbers are, "south, north"; NULL
    int rows_min, rows_max;     // lists: how many rows, or numbers; rows_max 0: as many as there is room for
    const char *const *choices; // NULL-terminated; makes an int a choice, whose default is .initial
    Unit unit;
    bool optional;   // a number or a choice without a default: NAN or NOT_CHOSEN when not given. A list may
                     // be empty, whatever .rows_min
    const char *doc; // one phrase, no full stop
} Param;

enum { NOT_CHOSEN = -1 };

#define PARAM(type, member, ...)                                                                                         \
    {                                                                                                                    \
        .name = #member, .offset = offsetof(type, member),                                                             \
        .kind = _Generic(((type *)0)->member, int: PARAM_INTEGER, double: PARAM_NUMBER, bool: PARAM_BOOLEAN,           \
                         const char *: PARAM_TEXT, Numbers: PARAM_NUMBERS, const Field *: PARAM_FIELD, Fields: PARAM_FIELDS, const Image *: PARAM_IMAGE,                 \
                         Palette: PARAM_PALETTE, Colours: PARAM_COLOURS, Decimal: PARAM_DECIMAL),                                              \
        __VA_ARGS__ \
    }

#define NUMBERS(...)                                                                                         \
    {                                                                                                        \
        sizeof((double[]){ __VA_ARGS__ }) / sizeof(double), (const double[]) {                               \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

#define CHOICES(...) ((const char *const[]){ __VA_ARGS__, NULL })

// --- for bindings ----------------------------------------------------------------------------------------

// A parameter's kind: as taken from the struct member, or PARAM_CHOICE where choices are declared.
ParamKind param_kind(const Param *param);

// The names of a kind and of a unit in declarations: "integer", "per N". NULL for UNIT_NONE.
const char *param_kind_name(const Param *param);
const char *param_unit_name(const Param *param);

// Whether it has bounds.
bool param_bounded(const Param *param);

// The most rows, or numbers, of a list.
int param_rows_max(const Param *param);

// Whether a list may have this many rows, or numbers; the error says how many.
Status param_check_rows(const Param *param, long long rows, Error *error);

// The fields that a parameter struct holds, *count of them.
const Field *const *param_fields(const Param *param, const void *params, int *count);

// Stores the declared default in a parameter struct (fields and images stay empty).
void param_initialise(const Param *param, void *params);

// Each stores one checked value; the error gives the name, what is allowed and the value.
Status param_set_number(const Param *param, void *params, double value, Error *error);
Status param_set_text(const Param *param, void *params, const char *text, Error *error);
Status param_check_text(const Param *param, const char *text, Error *error);
Status param_set_numbers(const Param *param, void *params, const Numbers *numbers, Error *error);

// Whether a struct that was filled without the functions above satisfies the declaration.
Status param_check(const Param *param, const void *params, Error *error);

// Whether it has another value than the declared default. Lists, decimals and palettes count as given.
bool param_is_given(const Param *param, const void *params);

// What a parameter allows, in words: "0 to 64", "at least 2", "\"uniform\" or \"gaussian\"".
void param_allowed(const Param *param, char *text, size_t size);

#endif
