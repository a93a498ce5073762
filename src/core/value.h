// A ValueType describes a type of values that operations take and return. It is declared once, beside the
// type's code. Argument checks, the class in Lua with its methods, help, the manual, completion,
// annotations, the public interface, hashing, freeing, transfer between processes, pictures and files are
// derived from it. A new type is one file in its folder and one line in values.h.

#ifndef ESKER_VALUE_H
#define ESKER_VALUE_H

#include "core/bytes.h"
#include "core/error.h"
#include "core/field.h"
#include "core/image.h"
#include "core/parallel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Label {
    char *key, *value; // from memory_new; freed by output_free
} Label;

typedef struct Labels {
    int count;
    Label *at;
} Labels;

// A property in Lua, as in field.width: an integer, a boolean, a length, or a table of a frame.
typedef struct ValueProperty {
    const char *name; // NULL ends the list
    bool boolean;
    int64_t (*get)(const void *value);   // NULL: `length`, or the value's frame
    double (*length)(const void *value); // in metres; nil in Lua where it is not above 0
    const char *doc;
} ValueProperty;

struct Operation;
struct Call;

typedef struct ValueType {
    const char *name;     // of the class in Lua; NULL: a number, text or table of Lua's own
    const char *kind;     // in declarations
    const char *singular; // in messages: "a field"
    const char *plural;
    int number;      // in the public interface (EskerKind): a bit of its own
    const char *doc; // one phrase, no full stop
    const ValueProperty *properties;
    // A Lua chunk that gets a value and the maximum of pixels along a side, and returns an Image or nil;
    // NULL: no picture.
    const char *picture;
    const char *ending; // of its files where none is named, without the dot; NULL: it cannot be saved

    // A value is one block of memory, referenced by its address, or a struct of `size` bytes inside the
    // Output.
    size_t size, offset; // of the struct, in an Output; 0: held by its address, in Output.value
    bool (*is_empty)(const void *value); // of a struct
    void (*free)(void *value);           // NULL: memory_free. A struct is left empty

    // Functions that may be NULL if the type does not support them.
    Frame *(*frame)(void *value); // where it lies; it has the properties width and height then
    uint64_t (*hash)(const void *value);
    void (*describe)(const void *value, char *text, size_t size); // what follows the name in Lua's tostring
    Status (*check)(const Run *run, const void *value, Error *error); // that results are finite
    // An operation has made the value with these arguments.
    Status (*made)(void *value, const struct Operation *operation, const struct Call *call,
                   const void *params, Error *error);
    // Sends a value to another process of this program. `read` fills `held` (still empty) and trusts no
    // byte: STATUS_INVALID unless they form a complete, valid value. Whatever it leaves in `held` is freed.
    void (*write)(const void *value, ByteWriter *to);
    Status (*read)(void *held, FILE *from, Error *error);
} ValueType;

extern const ValueType type_field, type_image, type_number, type_text;
extern const ValueType type_numbers; // a list
extern const ValueType type_labels;  // a table from text to text

typedef struct Output { // the type tells which member is used; the rest stay zero
    const ValueType *type;
    bool finite; // a field that was looked at while it was made (finite_rows)
    Field field;
    Image image;
    double number;
    struct {
        int count;
        double *at;
    } numbers; // at: from memory_new
    Labels labels;
    void *value; // of any other type
} Output;

// The size of a holder of such a value. An Output holds its value at output_held.
size_t value_held_size(const ValueType *type);

void *output_held(Output *output);

// The value in a holder, or NULL.
const void *value_of(const ValueType *type, const void *held);

// The value in an output of a type that has a class, or NULL.
const void *output_value(const Output *output);

// Frees the value in a holder, and leaves it empty.
void value_free(const ValueType *type, void *held);

// Frees what an output holds, and leaves it empty.
void output_free(Output *output);

// Where a value lies: NULL if its type has no frames, or it lies nowhere.
const Frame *value_frame(const ValueType *type, const void *value);

// The property of this name, or NULL.
const ValueProperty *value_property(const ValueType *type, const char *name);

#endif
