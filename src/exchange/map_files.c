// A zoomable map in a file: the calls that made it. Reading makes them again, and no other operations.

#include "core/json.h"
#include "core/json_reader.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"
#include "file/access.h"
#include "file/whole_file.h"
#include "rivermap/map_steps.h"
#include "rivermap/tiling.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// clang-format off
#define MAP_OPERATIONS(X) \
    X(river_map) X(set_rivers) X(add_rivers) X(set_places) X(add_places) X(raise) X(level) X(lake) X(coast) \
    X(crater) X(imprint) X(carve)
// clang-format on

#define DECLARE_OPERATION(name) extern const Operation op_##name;
#define OPERATION_ADDRESS(name) &op_##name,
MAP_OPERATIONS(DECLARE_OPERATION)
static const Operation *const map_operations[] = { MAP_OPERATIONS(OPERATION_ADDRESS) NULL };

enum { FILE_VERSION = 1, STEPS_MAX = 100000, HELD_MAX = 8, NAME_MAX_LENGTH = 63 };

// --- saving ------------------------------------------------------------------------------------------------

static Status run_save(const Call *call, Error *error) {
    const RiverMap *map = call->inputs[0].value;
    const char *path = call->inputs[1].text, *dot = strrchr(path, '.');
    WholeFile file;
    if (!dot || strcasecmp(dot, ".json") != 0)
        return fail(error, STATUS_INVALID, "path must end with .json, got '%s'", path);
    Status status = whole_file_open(&file, path, error);
    if (status != STATUS_OK)
        return status;
    fprintf(file.stream, "{\"esker_map\":%d,\"recipe\":", FILE_VERSION);
    json_put_labels(file.stream, call->labels ? call->labels : &(Labels){ 0 });
    fputs(",\"steps\":", file.stream);
    status = map_steps_write(map->made, file.stream, error);
    fputs("}\n", file.stream);
    return whole_file_close(&file, status, error);
}

static const Param no_params[] = { { 0 } };

const Operation op_save_map = {
    .name = "save_map",
    .category = "file",
    .keywords = "write export world edits parameters engine provider streaming game",
    .summary = "Writes a zoomable map with all its edits to a file",
    .description =
        "The file is JSON, and its name ends with .json. It has the arguments of river_map and of each edit "
        "after it, with the fields and shapes that they were given. It has no land: load_map makes the same "
        "map of it, to the bit, in any program that uses the same version of Esker.",
    .inputs = { { "map", "the map", { &type_map } }, { "path", "the file", { &type_text } } },
    .params = no_params,
    .writes_labels = true,
    .see_also = "load_map river_map",
    .run = run_save,
};

// --- loading -----------------------------------------------------------------------------------------------

typedef struct Step {
    const Operation *operation;
    Call call;
    void *params;
    Output held[HELD_MAX]; // fields and shapes
    char *texts[HELD_MAX];
    int held_count, text_count;
    EditGrounds *grounds;
} Step;

typedef struct Loading {
    JsonReader json;
    const Call *call;
    Output map; // of the steps so far
    Error *error;
} Loading;

static void begin_step(Loading *loading, Step *step) {
    JsonReader *json = &loading->json;
    json_read_text(json);
    for (const Operation *const *each = map_operations; json_is_well(json) && *each; each++)
        if (strcmp((*each)->name, json->text) == 0)
            step->operation = *each;
    if (!json_is_well(json))
        return;
    if (!step->operation) {
        json_broken(json, "'%.40s' is no operation that makes a map", json->text);
        return;
    }
    step->params = memory_new_zeroed(1, step->operation->params_size + 1, loading->error);
    if (!step->params)
        json_note(json, STATUS_MEMORY);
    else
        params_initialise(step->operation, step->params);
}

// A field or shapes, which the step holds; NULL after a failure.
static const void *read_value(Loading *loading, Step *step, const ValueType *type) {
    JsonReader *json = &loading->json;
    json_read_text(json);
    if (json_is_well(json) && step->held_count == HELD_MAX)
        json_broken(json, "there are more than %d fields and shapes", HELD_MAX);
    if (!json_is_well(json))
        return NULL;
    Output *held = &step->held[step->held_count++];
    *held = (Output){ .type = type };
    Error error = { "" };
    const Status status = map_step_value(type, json->text, output_held(held), &error);
    if (status == STATUS_MEMORY)
        json_note(json, fail(loading->error, status, "%s", error.text));
    else if (status != STATUS_OK)
        json_broken(json, "%s", error.text);
    return json_is_well(json) ? value_of(type, output_held(held)) : NULL;
}

static void read_numbers(JsonReader *json, Numbers *numbers) {
    bool first = true;
    numbers->count = 0;
    json_expect(json, '[', "a list");
    while (json_next_element(json, &first)) {
        const double number = json_read_number(json);
        if (json_is_well(json) && numbers->count == NUMBERS_MAX)
            json_broken(json, "there are more than %d numbers", NUMBERS_MAX);
        if (!json_is_well(json))
            return;
        numbers->at[numbers->count++] = number;
    }
}

static void read_choice(JsonReader *json, const Param *param, int *choice) {
    json_read_text(json);
    for (int i = 0; json_is_well(json) && param->choices[i]; i++)
        if (strcmp(param->choices[i], json->text) == 0) {
            *choice = i;
            return;
        }
    if (json_is_well(json))
        json_broken(json, "%s: '%.40s' is no choice", param->name, json->text);
}

static void read_param_text(Loading *loading, Step *step, const char **text) {
    JsonReader *json = &loading->json;
    json_read_text(json);
    if (!json_is_well(json) || step->text_count == HELD_MAX)
        return;
    char *copy = memory_new(strlen(json->text) + 1, 1, loading->error);
    if (!copy) {
        json_note(json, STATUS_MEMORY);
        return;
    }
    strcpy(copy, json->text); // NOLINT(clang-analyzer-security.insecureAPI.strcpy): it has room
    *text = step->texts[step->text_count++] = copy;
}

static void read_param(Loading *loading, Step *step, const Param *param) {
    JsonReader *json = &loading->json;
    void *member = (char *)step->params + param->offset;
    char word[JSON_WORD_MAX] = "";
    switch (param_kind(param)) {
    case PARAM_INTEGER: {
        const double number = json_read_number(json);
        *(int *)member = whole_int(number);
        if (json_is_well(json) && *(int *)member != number)
            json_broken(json, "%s must be a whole number", param->name);
        return;
    }
    case PARAM_NUMBER:
        *(double *)member = json_read_number(json);
        return;
    case PARAM_BOOLEAN:
        json_peek(json);
        json_read_word(json, word);
        *(bool *)member = strcmp(word, "true") == 0;
        if (json_is_well(json) && strcmp(word, "null") == 0)
            json_broken(json, "%s must be true or false", param->name);
        return;
    case PARAM_TEXT:
        read_param_text(loading, step, member);
        return;
    case PARAM_CHOICE:
        read_choice(json, param, member);
        return;
    case PARAM_NUMBERS:
        read_numbers(json, member);
        return;
    case PARAM_FIELD:
        *(const Field **)member = read_value(loading, step, &type_field);
        return;
    default:
        json_broken(json, "%s is in no file", param->name);
        return;
    }
}

static void read_arguments(Loading *loading, Step *step) {
    JsonReader *json = &loading->json;
    bool first = true;
    json_expect(json, '{', "the arguments");
    while (json_next_key(json, &first)) {
        const Param *param = operation_params(step->operation);
        while (param->name && strcmp(param->name, json->text) != 0)
            param++;
        if (param->name)
            read_param(loading, step, param);
        else
            json_broken(json, "%s has no argument '%.40s'", step->operation->name, json->text);
    }
    Error error = { "" };
    if (json_is_well(json) && params_check(step->operation, step->params, &error) != STATUS_OK)
        json_broken(json, "%s: %s", step->operation->name, error.text);
}

// { "points": "…" }
static void read_input(Loading *loading, Step *step, const InputSpec *spec, Input *input) {
    JsonReader *json = &loading->json;
    const ValueType *type = NULL;
    bool first = true;
    json_expect(json, '{', "an input");
    if (!json_next_key(json, &first))
        return;
    for (int i = 0; i < ACCEPTS_MAX; i++) {
        const ValueType *each = spec->accepts[0] ? spec->accepts[i] : &type_field;
        if (each && each->read && strcmp(each->kind, json->text) == 0)
            type = each;
    }
    if (!type) {
        json_broken(json, "%s takes no '%.40s'", spec->name, json->text);
        return;
    }
    const void *value = read_value(loading, step, type);
    if (value)
        input_set(input, type, value);
    json_expect(json, '}', "the end of an input");
}

static void read_inputs(Loading *loading, Step *step) {
    JsonReader *json = &loading->json;
    bool first = true;
    json_expect(json, '{', "the inputs");
    while (json_next_key(json, &first)) {
        const InputSpec *spec = step->operation->inputs;
        int i = 0;
        while (i < INPUTS_MAX && spec[i].name && strcmp(spec[i].name, json->text) != 0)
            i++;
        if (i < INPUTS_MAX && spec[i].name)
            read_input(loading, step, &spec[i], &step->call.inputs[i]);
        else
            json_broken(json, "%s has no input '%.40s'", step->operation->name, json->text);
    }
}

// Whether all inputs are there that must be; the map of the steps before is the first of all but river_map.
static void check_inputs(Loading *loading, Step *step, const Operation *operation) {
    JsonReader *json = &loading->json;
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++) {
        Input *input = &step->call.inputs[i];
        if (input_accepts(&operation->inputs[i], &type_map)) {
            input_set(input, &type_map, loading->map.value);
            if (!loading->map.value)
                json_broken(json, "%s has no map before it", operation->name);
        } else if (!input_is_given(input) && !operation->inputs[i].optional)
            json_broken(json, "%s has no input '%s'", operation->name, operation->inputs[i].name);
    }
}

static void run_step(Loading *loading, Step *step) {
    JsonReader *json = &loading->json;
    Output outputs[OUTPUTS_MAX] = { 0 };
    step->call.run = loading->call->run;
    step->call.notice = loading->call->notice;
    step->call.outputs = outputs;
    Error error = { "" };
    if (loading->map.value)
        ((RiverMap *)loading->map.value)->known = step->grounds;
    const Status status = operation_run(step->operation, &step->call, step->params, &error);
    if (status == STATUS_INVALID)
        json_broken(json, "%s: %s", step->operation->name, error.text);
    else if (status != STATUS_OK)
        json_note(json, fail(loading->error, status, "%s", error.text));
    if (status != STATUS_OK)
        return;
    output_free(&loading->map);
    loading->map = outputs[0];
    outputs[0] = (Output){ 0 };
    outputs_free(outputs);
}

// As save_map writes it: digits alone.
static void read_seed(JsonReader *json, uint64_t *seed) {
    json_read_text(json);
    if (!json_is_well(json))
        return;
    errno = 0;
    *seed = strtoull(json->text, NULL, 10);
    if (errno || !*json->text || json->text[strspn(json->text, "0123456789")])
        json_broken(json, "seed must be a whole number, 0 to 2^64 - 1, got '%.40s'", json->text);
}

static Status grow_grounds(Step *step, int *room, Error *error) {
    const int count = step->grounds ? step->grounds->count : 0;
    if (count < *room)
        return STATUS_OK;
    *room = 2 * *room + 1;
    EditGrounds *grown = memory_new_zeroed(1, sizeof *grown + (size_t)*room * sizeof(EditGround), error);
    if (!grown)
        return STATUS_MEMORY;
    if (step->grounds)
        memcpy(grown, step->grounds, sizeof *grown + (size_t)count * sizeof(EditGround));
    memory_free(step->grounds);
    step->grounds = grown;
    return STATUS_OK;
}

static void read_grounds(Loading *loading, Step *step) {
    JsonReader *json = &loading->json;
    int room = 0, filled = GROUND_NUMBERS;
    double numbers[GROUND_NUMBERS];
    bool first = true;
    json_expect(json, '[', "a list");
    while (json_next_element(json, &first)) {
        filled = filled == GROUND_NUMBERS ? 0 : filled;
        numbers[filled++] = json_read_number(json);
        if (!json_is_well(json) || filled < GROUND_NUMBERS)
            continue;
        if (grow_grounds(step, &room, loading->error) != STATUS_OK)
            json_note(json, STATUS_MEMORY);
        else
            step->grounds->at[step->grounds->count++] =
                (EditGround){ numbers[0], numbers[1], numbers[2], numbers[3] };
    }
}

static void read_step(Loading *loading) {
    JsonReader *json = &loading->json;
    Step step = { 0 };
    bool first = true;
    json_expect(json, '{', "a step");
    while (json_next_key(json, &first)) {
        char key[NAME_MAX_LENGTH + 1] = "";
        snprintf(key, sizeof key, "%s", json->text);
        if (strcmp(key, "operation") == 0 && !step.operation)
            begin_step(loading, &step);
        else if (!step.operation)
            json_broken(json, "a step must begin with its operation");
        else if (strcmp(key, "seed") == 0)
            read_seed(json, &step.call.seed);
        else if (strcmp(key, "ground") == 0 && !step.grounds)
            read_grounds(loading, &step);
        else if (strcmp(key, "arguments") == 0)
            read_arguments(loading, &step);
        else if (strcmp(key, "inputs") == 0)
            read_inputs(loading, &step);
        else
            json_skip(json, 1);
    }
    if (json_is_well(json) && !step.operation)
        json_broken(json, "a step has no operation");
    if (json_is_well(json) && step.operation)
        check_inputs(loading, &step, step.operation);
    if (json_is_well(json))
        run_step(loading, &step);
    for (int i = 0; i < step.held_count; i++)
        output_free(&step.held[i]);
    for (int i = 0; i < step.text_count; i++)
        memory_free(step.texts[i]);
    memory_free(step.grounds);
    memory_free(step.params);
}

static void read_map(Loading *loading) {
    JsonReader *json = &loading->json;
    bool first = true, versioned = false;
    json_expect(json, '{', "a map of save_map");
    while (json_next_key(json, &first)) {
        if (strcmp(json->text, "esker_map") == 0) {
            versioned = json_read_number(json) == FILE_VERSION;
            if (json_is_well(json) && !versioned)
                json_broken(json, "this version of Esker reads files of version %d", FILE_VERSION);
        } else if (strcmp(json->text, "steps") == 0 && versioned) {
            bool first_step = true;
            int count = 0;
            json_expect(json, '[', "the steps");
            while (json_next_element(json, &first_step)) {
                if (++count > STEPS_MAX)
                    json_broken(json, "there are more than %d steps", STEPS_MAX);
                else
                    read_step(loading);
            }
        } else
            json_skip(json, 1);
    }
    if (json_is_well(json) && !loading->map.value)
        json_broken(json, "it is no map that save_map has written");
}

static Status run_load(const Call *call, Error *error) {
    const char *path = call->inputs[0].text;
    Loading loading = { .call = call, .error = error };
    FILE *stream = access_open(path, error);
    if (!stream)
        return STATUS_FILE;
    json_begin(&loading.json, stream, path, error);
    read_map(&loading);
    json_end(&loading.json);
    const Status status = access_close(stream, path, loading.json.status, error);
    if (status == STATUS_OK) {
        call->outputs[0].value = loading.map.value;
        loading.map = (Output){ 0 };
    }
    output_free(&loading.map);
    return status;
}

const Operation op_load_map = {
    .name = "load_map",
    .category = "file",
    .keywords = "read import world edits parameters engine provider streaming game",
    .summary = "Reads a zoomable map that save_map has written",
    .description =
        "It is the same map, to the bit. Programs without Lua read it, too: esker_run(\"load_map\", "
        "…) gives a map for esker_ground_open (docs/streaming.md).",
    .inputs = { { "path", "the file", { &type_text } } },
    .outputs = { { "map", "the map", &type_map } },
    .params = no_params,
    .see_also = "save_map river_map",
    .run = run_load,
};
