// esker_run: runs an operation by name, with named inputs and parameters.

#include "core/error.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"
#include "library/handle.h"
#include "operations.h"
#include "values.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Operation *find_operation(const char *name, Error *error) {
    if (!name) {
        fail(error, STATUS_INVALID, "the operation's name is missing");
        return NULL;
    }
    enum { NAMES_MAX = 1024 };
    const char *names[NAMES_MAX + 1] = { 0 };
    for (int i = 0; i < NAMES_MAX && all_operations[i]; i++) {
        if (strcmp(all_operations[i]->name, name) == 0)
            return all_operations[i];
        names[i] = all_operations[i]->name;
    }
    const char *nearest = nearest_name(name, names);
    fail(error, STATUS_INVALID, "there is no operation '%.40s'%s%s%s", name,
         nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return NULL;
}

// The storage for the arguments of one call.
typedef struct Reading {
    const Operation *operation;
    Call call;
    void *params;
    int sides[3]; // size, width, height; 0: not given
} Reading;

// What was given, for messages.
typedef struct Shown {
    char text[64];
} Shown;

static Shown shown(const EskerArgument *argument) {
    const ValueType *type = argument->value ? argument->value->content.type : NULL;
    Shown shown = { "nothing" };
    if (argument->kind == ESKER_NUMBER)
        snprintf(shown.text, sizeof shown.text, "%s", digits_of(argument->number).text);
    else if (argument->kind == ESKER_TEXT && argument->text)
        snprintf(shown.text, sizeof shown.text, "\"%.40s\"", argument->text);
    else if (argument->kind == ESKER_NUMBERS)
        snprintf(shown.text, sizeof shown.text, "a list of %zu numbers", argument->count);
    else if (type)
        snprintf(shown.text, sizeof shown.text, "%s", type->singular);
    return shown;
}

static Status wrong_kind(const Reading *reading, const EskerArgument *argument, const char *expected,
                         Error *error) {
    return fail(error, STATUS_INVALID, "%s: %s must be %s, got %s", reading->operation->name, argument->name,
                expected, shown(argument).text);
}

// Prefixes the operation's name to the engine's message.
static Status told(const Reading *reading, Status status, Error *error) {
    if (status == STATUS_OK || !error)
        return status;
    const Error said = *error;
    return fail(error, status, "%s: %s", reading->operation->name, said.text);
}

// --- inputs ----------------------------------------------------------------------------------------------

// What an argument is as an input; NULL if it is none.
static const ValueType *given_type(const EskerArgument *argument) {
    if (argument->kind == ESKER_NUMBER)
        return &type_number;
    if (argument->kind == ESKER_TEXT)
        return argument->text ? &type_text : NULL;
    return argument->value ? argument->value->content.type : NULL;
}

static Status read_input(Reading *reading, int index, const EskerArgument *argument, Error *error) {
    const InputSpec *spec = &reading->operation->inputs[index];
    Input *input = &reading->call.inputs[index];
    const Output *content = argument->value ? &argument->value->content : NULL;
    const ValueType *type = given_type(argument);
    if (!type || !input_accepts(spec, type))
        return wrong_kind(reading, argument, input_types(spec).text, error);
    if (type == &type_number)
        input->number = argument->number;
    else if (type == &type_text)
        input->text = argument->text;
    else
        input_set(input, type, output_value(content));
    return STATUS_OK;
}

// --- parameters ------------------------------------------------------------------------------------------

static Status read_numbers(Reading *reading, const Param *param, const EskerArgument *argument,
                           Error *error) {
    const size_t columns = param->columns > 1 ? (size_t)param->columns : 1;
    if (argument->count > NUMBERS_MAX) // there is no room for them
        return told(reading, param_check_rows(param, (long long)(argument->count / columns), error), error);
    Numbers numbers = { .count = (int)argument->count };
    if (argument->count > 0)
        memcpy(numbers.at, argument->numbers, argument->count * sizeof *numbers.at);
    return told(reading, param_set_numbers(param, reading->params, &numbers, error), error);
}

// A list of fields is the same name several times.
static Status add_field(const Reading *reading, const Param *param, Fields *fields, const Field *field,
                        Error *error) {
    if (fields->count == FIELDS_MAX)
        return fail(error, STATUS_INVALID, "%s: %s must be at most %d fields", reading->operation->name,
                    param->name, FIELDS_MAX);
    fields->at[fields->count++] = field;
    return STATUS_OK;
}

static uint8_t byte_of(double number) {
    return (uint8_t)double_to_within(number, 0, UINT8_MAX);
}

// A palette's own stops, as rows of a height and three bytes of colour.
static Status read_stops(const Reading *reading, const Param *param, Palette *palette,
                         const EskerArgument *argument, Error *error) {
    enum { COLUMNS = 4 };
    const size_t count = argument->count / COLUMNS;
    bool sound = argument->count % COLUMNS == 0 && count >= 2 && count <= PALETTE_MAX;
    palette->count = 0;
    for (const double *row = argument->numbers; sound && palette->count < (int)count; row += COLUMNS) {
        sound = isfinite(row[0]) && (palette->count == 0 || row[0] > row[-COLUMNS]);
        for (int channel = 1; channel < COLUMNS; channel++)
            sound = sound && row[channel] >= 0 && row[channel] <= UINT8_MAX;
        if (sound)
            palette->stops[palette->count++] =
                (struct PaletteStop){ row[0],
                                      { byte_of(row[1]), byte_of(row[2]), byte_of(row[3]), UINT8_MAX } };
    }
    return sound
               ? STATUS_OK
               : fail(error, STATUS_INVALID,
                      "%s: %s must be a palette's name, or 2 to %d rows of height, red, green and blue, with "
                      "rising heights and colours of 0 to 255",
                      reading->operation->name, param->name, PALETTE_MAX);
}

static Status read_param(Reading *reading, const Param *param, void *params, const EskerArgument *argument,
                         Error *error) {
    const ParamKind kind = param_kind(param);
    void *member = (char *)params + param->offset;
    const bool takes_text = kind == PARAM_TEXT || kind == PARAM_CHOICE || kind == PARAM_PALETTE ||
                            kind == PARAM_COLOURS || kind == PARAM_DECIMAL;
    const bool takes_number =
        kind == PARAM_NUMBER || kind == PARAM_INTEGER || kind == PARAM_BOOLEAN || kind == PARAM_DECIMAL;
    const Output *content = argument->value ? &argument->value->content : NULL;
    if (argument->kind == ESKER_TEXT && takes_text && argument->text)
        return told(reading, param_set_text(param, params, argument->text, error), error);
    if (argument->kind == ESKER_NUMBER && takes_number)
        return told(reading, param_set_number(param, params, argument->number, error), error);
    if (argument->kind == ESKER_NUMBERS && kind == PARAM_NUMBERS &&
        (argument->numbers || argument->count == 0))
        return read_numbers(reading, param, argument, error);
    if (kind == PARAM_FIELD && content && content->type == &type_field) {
        *(const Field **)member = &content->field;
        return STATUS_OK;
    }
    if (kind == PARAM_FIELDS && content && content->type == &type_field)
        return add_field(reading, param, member, &content->field, error);
    if (kind == PARAM_PALETTE && argument->kind == ESKER_NUMBERS && argument->numbers)
        return read_stops(reading, param, member, argument, error);
    if (kind == PARAM_IMAGE && content && content->type == &type_image) {
        *(const Image **)member = &content->image;
        return STATUS_OK;
    }
    return argument_wrong(reading->operation, param, shown(argument).text, error);
}

// A whole number as a double, or all of its 64 bits as digits.
static Status read_seed(Reading *reading, const EskerArgument *argument, Error *error) {
    if (argument->kind == ESKER_NUMBER && argument->number == floor(argument->number) &&
        fabs(argument->number) <= 0x1p53) {
        reading->call.seed = (uint64_t)whole_64(argument->number);
        return STATUS_OK;
    }
    if (argument->kind == ESKER_TEXT && argument->text) {
        char *end = NULL;
        errno = 0;
        const intmax_t seed = strtoimax(argument->text, &end, 10);
        if (end != argument->text && !*end && errno == 0) {
            reading->call.seed = (uint64_t)seed;
            return STATUS_OK;
        }
    }
    return wrong_kind(reading, argument, "a whole number, as digits beyond 2^53", error);
}

// What an argument is for: an input, or else a parameter, or neither.
typedef struct Target {
    int input; // -1: none
    const Param *param;
} Target;

// Where an input and a parameter have one name, as `height` of crop, it is the input if that takes such a
// value.
static Target find_target(const Operation *operation, const EskerArgument *argument) {
    const Param *param = operation_param(operation, argument->name);
    const ValueType *type = given_type(argument);
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++)
        if (strcmp(operation->inputs[i].name, argument->name) == 0 &&
            (!param || (type && input_accepts(&operation->inputs[i], type))))
            return (Target){ i, NULL };
    return (Target){ -1, param };
}

static Status read_argument(Reading *reading, const EskerArgument *argument, Error *error) {
    const Operation *operation = reading->operation;
    const Target target = find_target(operation, argument);
    const Param *param = target.param;
    if (target.input >= 0)
        return read_input(reading, target.input, argument, error);
    if (!param)
        return argument_unknown(operation, argument->name, true, error);
    if (param == &seed_param)
        return read_seed(reading, argument, error);
    if (param == operation_wrap_param(operation) && argument->kind == ESKER_NUMBER) {
        reading->call.wrap = argument->number != 0 ? WRAP_ON : WRAP_OFF;
        return STATUS_OK;
    }
    if (param == &coordinates_param)
        return read_param(reading, param, &reading->call.coordinates, argument, error);
    if (param >= size_params && param < size_params + 3) {
        Param side = *param;
        side.offset = 0;
        return read_param(reading, &side, &reading->sides[param - size_params], argument, error);
    }
    return read_param(reading, param, reading->params, argument, error);
}

static Status refuse_twice(const Operation *operation, const EskerArgument *arguments, size_t count,
                           Error *error) {
    for (size_t i = 0; i < count; i++) {
        if (!arguments[i].name)
            return fail(error, STATUS_INVALID, "%s: an argument has no name", operation->name);
        const Target one = find_target(operation, &arguments[i]);
        for (size_t k = 0; k < i; k++) {
            const Target other = find_target(operation, &arguments[k]);
            const bool same =
                one.input >= 0 ? one.input == other.input : one.param && one.param == other.param;
            if (same && !(one.param && param_kind(one.param) == PARAM_FIELDS))
                return fail(error, STATUS_INVALID, "%s: %.40s is given twice", operation->name,
                            arguments[i].name);
        }
    }
    return STATUS_OK;
}

static Status read_arguments(Reading *reading, const EskerArgument *arguments, size_t count, Error *error) {
    const Operation *operation = reading->operation;
    params_initialise(operation, reading->params);
    Status status = refuse_twice(operation, arguments, count, error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = read_argument(reading, &arguments[i], error);
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name && status == STATUS_OK; i++) {
        bool given = operation->inputs[i].optional;
        for (size_t k = 0; k < count; k++)
            given = given || find_target(operation, &arguments[k]).input == i;
        if (!given)
            status = fail(error, STATUS_INVALID, "%s: %s must be given: %s", operation->name,
                          operation->inputs[i].name, input_doc(&operation->inputs[i]).text);
    }
    return status == STATUS_OK && operation->sized
               ? argument_sides(operation, reading->sides, &reading->call, error)
               : status;
}

// --- results ---------------------------------------------------------------------------------------------

static Status take_results(const Operation *operation, Output *outputs, EskerValue **results, size_t room,
                           Error *error) {
    Status status = STATUS_OK;
    size_t count = 0;
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name && count < room && status == STATUS_OK;
         i++) {
        if ((operation->one_output || operation->outputs[i].optional) && !output_value(&outputs[i]))
            continue;
        EskerValue *value = handle_new(outputs[i].type, error);
        if (value) {
            value->content = outputs[i];
            outputs[i] = (Output){ 0 };
            results[count++] = value;
        } else {
            status = STATUS_MEMORY;
        }
    }
    outputs_free(outputs); // parts that did not fit
    for (size_t i = 0; status != STATUS_OK && i < count; i++) {
        esker_free(results[i]);
        results[i] = NULL;
    }
    return status;
}

EskerStatus esker_run(const char *name, const EskerArgument *arguments, size_t count, const EskerTask *task,
                      EskerValue **results, size_t room, EskerError *caller_error) {
    static const Run usual;
    Error spare = { "" };
    Error *error = caller_error ? engine_error(caller_error) : &spare;
    if ((!arguments && count > 0) || (!results && room > 0)) {
        fail(error, STATUS_INVALID, "the %s are missing: NULL",
             results || room == 0 ? "arguments" : "results");
        return ESKER_INVALID;
    }
    for (size_t i = 0; i < room; i++)
        results[i] = NULL;
    Output outputs[OUTPUTS_MAX] = { 0 };
    Reading reading = { .operation = find_operation(name, error),
                        .call = { .run = task ? &task->run : &usual, .outputs = outputs } };
    if (!reading.operation)
        return ESKER_INVALID;
    reading.params = memory_new(1, reading.operation->params_size + 1, error);
    if (!reading.params)
        return ESKER_MEMORY;
    Status status = read_arguments(&reading, arguments, count, error);
    if (status == STATUS_OK)
        status =
            told(&reading, operation_run(reading.operation, &reading.call, reading.params, error), error);
    if (status == STATUS_OK)
        status = take_results(reading.operation, outputs, results, room, error);
    memory_free(reading.params);
    return (EskerStatus)status;
}
