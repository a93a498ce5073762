// The Lua binding: the module `esker`. It reads the operations' declarations and converts values; it has no
// code for any single operation. Ownership: a userdata is pushed empty and then filled, so that Lua may
// raise an error anywhere without a leak.

#ifndef ESKER_BINDING_H
#define ESKER_BINDING_H

#include "core/operation.h"
#include "places/attributes.h"

#include <lauxlib.h>
#include <lua.h>

// Opens the module: returns the table `esker`. The name is what `require "esker"` looks for.
__attribute__((visibility("default"))) int luaopen_esker(lua_State *L);

// A new Lua state whose memory counts together with fields (module.c); NULL if memory runs out.
lua_State *new_state(void);

// The settings of operations called from Lua: threads, stop flag, progress. One run is one process, so
// there is one per process; the program fills it in, under a stock Lua it stays zero.
extern Run binding_run;

// The maximum number of threads that Lua may set: -j or one per processor, one in the runs of a sweep; 0
// under a stock Lua: no maximum.
extern int binding_max_threads;

// The name of the operation that runs now, for the progress line.
extern const char *binding_operation;

// --- values (values.c) -----------------------------------------------------------------------------------

Field *push_field(lua_State *L);                                                 // a new, empty field
Field *push_sized_field(lua_State *L, int width, int height, const char *maker); // an error names its maker
void collect_if_grown(lua_State *L);                                             // before values are made
Image *push_image(lua_State *L);
Field *to_field(lua_State *L, int index); // NULL when the value is something else
Image *to_image(lua_State *L, int index);
void *push_empty(lua_State *L, const ValueType *type); // creates an empty one; returns where its value goes
void push_value(lua_State *L, Output *output);         // takes ownership: the output is empty afterwards
void *to_value(lua_State *L, int index, const ValueType *type); // NULL when the value is something else
const ValueType *type_of(lua_State *L, int index); // of a value of the engine, closed or not; or NULL
Output *push_outputs(lua_State *L);                // OUTPUTS_MAX empty ones, freed when collected
void reuse_outputs(lua_State *L, int index);       // empties them, for the next call
void register_outputs(lua_State *L);               // their metatable

// The registry key of the labels, a list of { key, value } written into files.
#define BINDING_LABELS "esker.labels"

// The registry key of the function that value:show() calls if there is a terminal.
#define BINDING_SHOW "esker.show"

// The registry key of the function that is called with the name of each file written, if there is one.
#define BINDING_WRITTEN "esker.written"

// The registry key of the function that is called with the text of each operation's warning, if there is one.
#define BINDING_WARNED "esker.warned"

// Defines the class `name` of userdata, unless it is there, for luaL_setmetatable: its methods, which may be
// NULL, and what frees a value, NULL: nothing. Lua calls that when the value is collected, and at the end of
// a <close> variable, so that it may come twice.
void define_class(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction release);

// A frame as a table, nil if it is not set; and the reverse, which raises an error for anything else.
void push_frame(lua_State *L, const Frame *frame);
Frame read_frame(lua_State *L, int index);

// Whether the value is a table that has the keys 1 … n and no others.
bool is_list(lua_State *L, int index);

// "Field", "Image", or Lua's own name of the type of the value.
const char *type_name(lua_State *L, int index);

// A number as Lua writes it. NaN is `nan`, without a sign.
const char *push_written(lua_State *L, double number);

// Pushes a number or string as text, anything else as its type: addresses differ from run to run, and
// `__tostring` is the recipe's code. Returns the text.
const char *push_shown(lua_State *L, int index);

// The same of a value of a wrong type: a text in quotes.
const char *push_got(lua_State *L, int index);

// Sets a field of the table on top of the stack; NULL and false leave it as it is.
void set_text(lua_State *L, const char *key, const char *text);
void set_flag(lua_State *L, const char *key, bool flag);

// --- classes (classes.c) -----------------------------------------------------------------------------------

// The Lua functions of a type besides hash and show: methods and metamethods.
typedef struct Method {
    const char *name; // NULL ends the list
    lua_CFunction call;
    const char *arguments; // as in annotations: "x: integer, y: integer"
    const char *gives;     // the same for the result: "number"; NULL: nothing
    const char *doc;       // one phrase, no full stop
} Method;

typedef struct ValueMethods {
    const ValueType *type;
    const Method *methods;
    const luaL_Reg *meta;
} ValueMethods;

extern const ValueMethods field_methods;   // field_values.c
extern const ValueMethods network_methods; // network_values.c
extern const ValueMethods points_methods;  // points_values.c
extern const ValueMethods lines_methods;   // shapes_values.c
extern const ValueMethods polygons_methods;

// Methods of every type with a hash, or with a picture.
extern const Method hash_method, show_method;

// NULL where there are none.
const ValueMethods *methods_of(const ValueType *type);

// Creates the metatables of all values. The table at the top of the stack (left there) is the module:
// operations whose first input is a field or image become methods.
void register_values(lua_State *L);

// --- values that are computed when they are read (values.c) ------------------------------------------------

// Pushes the function that is to be called instead of an operation, and returns true; or pushes nothing.
bool deferred_calls(lua_State *L);

// Computes a deferred value; false if the value is empty for another reason.
bool deferred_force(lua_State *L, int index);
bool deferred_is_pending(lua_State *L, int index);

// Called before a value is changed or closed.
void deferred_changing(lua_State *L, int index);

// From now on: the functions to call instead of operations and before changes are taken from the stack.
void deferred_begin(lua_State *L);

// --- operations ------------------------------------------------------------------------------------------

// Pushes the Lua function that runs `operation` (call.c).
void push_operation(lua_State *L, const Operation *operation);

// How far away an operation reads cells with the arguments on the stack, as it would be called.
Locality locality_of_call(lua_State *L, const Operation *operation);

// The labels set by the runner of recipes; NULL: none. What holds them is left on the stack.
const Labels *read_labels(lua_State *L);

// Tells the program the name of a file that was written.
void report_written(lua_State *L, const char *path);

// Reads the table of named arguments at index `arguments` (nil: none) into `params`, `call->width` and so on,
// or raises an error. Clears the stack above `arguments` (arguments.c).
void read_arguments(lua_State *L, const Operation *operation, int arguments, Call *call, void *params);

// read_arguments for a call that runs later: it checks only, and reads no field or image, which would compute
// a deferred one.
void check_arguments(lua_State *L, const Operation *operation, int arguments, Call *call, void *params);

// Raises the error that a call with what is on the stack would, as far as types, names and ranges of its
// inputs and arguments say. Pushes nothing; the stack is not kept.
int check_call(lua_State *L, const Operation *operation);

// esker.operations(): all declarations as Lua tables (declarations.c).
int list_operations(lua_State *L);

// Pushes one of them.
void push_declaration(lua_State *L, const Operation *operation);

// esker.values(): all value types as Lua tables (declarations.c).
int list_values(lua_State *L);

// esker.formats(): all file formats as Lua tables (declarations.c).
int list_formats(lua_State *L);

// esker.field{…} (field_values.c).
int make_field(lua_State *L);

// esker.points, esker.lines and esker.polygons.
int make_points(lua_State *L);
int make_lines(lua_State *L);
int make_polygons(lua_State *L);

// Pushes a row of attributes (may be NULL) as a table; and the reverse, of the table on top of the stack,
// which raises an error that begins with `function`.
void push_attributes(lua_State *L, const Attributes *attributes, int row);
void read_attributes(lua_State *L, const char *function, Attributes *attributes, int row);

// The window in the table at index 1, which must have size, or width and height; and its list, which is
// pushed, of at most `most` elements.
void read_window(lua_State *L, const char *function, int *width, int *height);
int read_table_list(lua_State *L, const char *function, const char *elements, int most);

// Opens the module `esker.planes`, with which lua/esker/large/field.lua makes fields larger than memory
// (large_values.c).
int open_planes(lua_State *L);

// A side, 1 … SIDE_MAX, in the table at index 1, for the functions above.
int read_table_side(lua_State *L, const char *function, const char *name, int otherwise);

// A boolean in the table at index 1; false if it is not there. refuse_unknown_names raises an error for the
// first name there, in alphabetical order, that is not one of `names`.
bool read_table_flag(lua_State *L, const char *function, const char *name);
void refuse_unknown_names(lua_State *L, const char *function, const char *const *names);

// Pushes the first name of a table that is not one of `names`, quoted, with the nearest allowed one; NULL and
// nothing pushed if all are allowed.
const char *unknown_name(lua_State *L, int table, const char *const *names);

#endif
