// Every parameter of every operation through the C interface: a call by names gives what the same call gives
// inside the engine, where the parameter's struct is filled.

#include "attempts.h"

#include "esker.h"
#include "library/handle.h"
#include "rivermap/tiling.h"

#include <math.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = INPUTS_MAX + 8 };

// The same call twice.
typedef struct Twin {
    const Operation *operation;
    Call call;
    _Alignas(64) unsigned char params[32768];
    EskerArgument arguments[ARGUMENTS_MAX];
    EskerValue values[ARGUMENTS_MAX]; // of the arguments; they own nothing
    double numbers[NUMBERS_MAX];
    size_t count;
} Twin;

static void add(Twin *twin, EskerArgument argument) {
    assert_true(twin->count < ARGUMENTS_MAX);
    twin->arguments[twin->count++] = argument;
}

static void add_value(Twin *twin, const char *name, const ValueType *type, const void *value) {
    EskerValue *holder = &twin->values[twin->count];
    *holder = (EskerValue){ .content = { .type = type } };
    if (type == &type_field)
        holder->content.field = *(const Field *)value;
    else if (type == &type_image)
        holder->content.image = *(const Image *)value;
    else // a value of another type is only read
        memcpy(&holder->content.value, &value, sizeof value);
    add(twin, esker_value(name, holder));
}

static void add_inputs(Twin *twin, const Field *field, const char *path) {
    for (int i = 0; i < INPUTS_MAX && twin->operation->inputs[i].name; i++) {
        const InputSpec *spec = &twin->operation->inputs[i];
        const Input *input = &twin->call.inputs[i];
        if (input_accepts(spec, &type_text) && !input_accepts(spec, &type_field)) {
            twin->call.inputs[i] = (Input){ .text = path };
            add(twin, esker_text(spec->name, path));
            continue;
        }
        set_input(spec, &twin->call.inputs[i], field);
        add_value(twin, spec->name,
                  input->field   ? &type_field
                  : input->image ? &type_image
                                 : input->type,
                  input->field   ? (const void *)input->field
                  : input->image ? (const void *)input->image
                                 : input->value);
    }
}

static void add_number(Twin *twin, const Param *param, double number) {
    assert_int_equal(param_set_number(param, twin->params, number, NULL), STATUS_OK);
    add(twin, esker_number(param->name, number));
}

// One lake on land.
static void add_outline(Twin *twin) {
    static const double outline[] = { 0.925, 0.92, 0.933, 0.919, 0.934, 0.927, 0.927, 0.927 };
    enum { COUNT = sizeof outline / sizeof *outline };
    const Param *param = operation_param(twin->operation, "outline");
    Numbers numbers = { .count = COUNT };
    memcpy(numbers.at, outline, sizeof outline);
    assert_int_equal(param_set_numbers(param, twin->params, &numbers, NULL), STATUS_OK);
    add(twin, esker_numbers(param->name, outline, COUNT));
}

// With little work to do.
static void begin(Twin *twin, const Operation *operation, const Param *chosen, const Field *field,
                  const char *path) {
    static const struct {
        const char *name;
        double most;
    } few[] = { { "iterations", 2 }, { "zoom", 8 }, { "points", 200 }, { "steps", 10 }, { "max_steps", 10 } };
    static const Run alone = { .threads = 1 };
    const bool alone_in_outline = operation == &op_lake && chosen && strcmp(chosen->name, "altitude") == 0;
    twin->operation = operation;
    twin->call = (Call){ .run = &alone };
    twin->count = 0;
    params_initialise(operation, twin->params);
    add_inputs(twin, field, path);
    if (alone_in_outline) { // whose water must fit: that of hundreds of polygons is sought for seconds
        twin->call.inputs[1] = (Input){ 0 };
        twin->count = 1;
        add_outline(twin);
    }
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        const Param *param = operation_param(operation, few[i].name);
        if (param && param != chosen && param->initial > few[i].most)
            add_number(twin, param, few[i].most);
    }
    const bool sides = chosen == &size_params[1] || chosen == &size_params[2];
    if (operation->sized && !sides && chosen != &size_params[0]) {
        twin->call.only_size = true;
        twin->call.width = twin->call.height = 24;
        add(twin, esker_number("size", 24));
    }
}

// A number other than the default.
static double other_number(const Param *param) {
    const bool whole = param_kind(param) == PARAM_INTEGER;
    double number = 0.5 * param->initial;
    if (param_bounded(param) && param->max - param->min < 1e30)
        number = param->initial > param->min && !param->optional
                     ? 0.5 * (param->initial + param->min)
                     : param->min + fmin(1, 0.25 * (param->max - param->min));
    else if (number == 0)
        number = 0.25;
    if (param_bounded(param))
        number = fmax(number, param->min);
    return whole ? ceil(number) : number;
}

static void add_list(Twin *twin, const Param *param) {
    const int columns = param->columns > 1 ? param->columns : 1;
    Numbers numbers = { .count = columns * (param->rows_min > 2 ? param->rows_min : 2) };
    if (param->initial_numbers.count > 0)
        numbers.count = param->initial_numbers.count;
    if (param_rows_max(param) * columns < numbers.count)
        numbers.count = param_rows_max(param) * columns;
    for (int i = 0; i < numbers.count; i++)
        twin->numbers[i] = numbers.at[i] = param->initial_numbers.count > 0
                                               ? 0.75 * param->initial_numbers.at[i]
                                               : 0.125 + 0.75 * i / numbers.count;
    param_set_numbers(param, twin->params, &numbers, NULL); // refused: esker_run says the same
    add(twin, esker_numbers(param->name, twin->numbers, (size_t)numbers.count));
}

static void add_stops(Twin *twin, const Param *param) {
    const Palette palette = { 2, { { -0.5, { 10, 20, 30, 255 } }, { 1.5, { 250, 240, 230, 255 } } } };
    const double rows[] = { -0.5, 10, 20, 30, 1.5, 250, 240, 230 };
    memcpy(twin->params + param->offset, &palette, sizeof palette);
    memcpy(twin->numbers, rows, sizeof rows);
    add(twin, esker_numbers(param->name, twin->numbers, sizeof rows / sizeof *rows));
}

static void add_text(Twin *twin, const Param *param, const char *text) {
    param_set_text(param, twin->params, text, NULL);
    add(twin, esker_text(param->name, text));
}

static void add_implied(Twin *twin, const Param *param, int attempt) {
    if (param == &seed_param) {
        twin->call.seed = attempt ? (uint64_t)-9000000000000000007 : 77;
        add(twin, attempt ? esker_text("seed", "-9000000000000000007") : esker_number("seed", 77));
    } else if (param == operation_wrap_param(twin->operation)) {
        twin->call.wrap = attempt ? WRAP_ON : WRAP_OFF;
        add(twin, esker_number("wrap", attempt));
    } else if (param == &size_params[0]) {
        twin->call.only_size = true;
        twin->call.width = twin->call.height = 20;
        add(twin, esker_number("size", 20));
    } else {
        twin->call.width = 24;
        twin->call.height = 20;
        add(twin, esker_number("width", 24));
        add(twin, esker_number("height", 20));
    }
}

// Adds one of the values that are tried of a parameter; false: there are no more.
static bool add_chosen(Twin *twin, const Param *param, int attempt, const Field *field) {
    void *member = twin->params + param->offset;
    const ParamKind kind = param_kind(param);
    const bool once = attempt == 0;
    if (param == &seed_param || param == operation_wrap_param(twin->operation)) {
        add_implied(twin, param, attempt);
        return attempt < 2;
    }
    if (param == &coordinates_param) {
        twin->call.coordinates = COORDINATES_CELLS;
        add(twin, esker_text("coordinates", "cells"));
        return once;
    }
    if (param >= size_params && param < size_params + 3) {
        add_implied(twin, param, attempt);
        return once;
    }
    switch (kind) {
    case PARAM_INTEGER:
    case PARAM_NUMBER:
        add_number(twin, param, other_number(param));
        return once;
    case PARAM_DECIMAL:
        if (once)
            add_number(twin, param, other_number(param));
        else
            add_text(twin, param, "0.3125");
        return attempt < 2;
    case PARAM_BOOLEAN:
        *(bool *)member = param->initial == 0;
        add(twin, esker_number(param->name, param->initial == 0));
        return once;
    case PARAM_CHOICE:
        if (!param->choices[attempt])
            return false;
        add_text(twin, param, param->choices[attempt]);
        return true;
    case PARAM_TEXT:
        add_text(twin, param, "a");
        return once;
    case PARAM_COLOURS:
        add_text(twin, param, "#ff0000 #00ff0080");
        return once;
    case PARAM_PALETTE:
        if (once)
            add_text(twin, param, "viridis");
        else
            add_stops(twin, param);
        return attempt < 2;
    case PARAM_NUMBERS:
        add_list(twin, param);
        return once;
    case PARAM_FIELD:
        *(const Field **)member = field;
        add_value(twin, param->name, &type_field, field);
        return once;
    case PARAM_FIELDS:
        *(Fields *)member = (Fields){ 2, { field, field } };
        add_value(twin, param->name, &type_field, field);
        add_value(twin, param->name, &type_field, field);
        return once;
    case PARAM_IMAGE:
        *(const Image **)member = some_image(field);
        add_value(twin, param->name, &type_image, some_image(field));
        return once;
    }
    return false;
}

static void compare_results(const Twin *twin, const char *name, const Output *outputs,
                            EskerValue *const *results) {
    int taken = 0;
    for (int i = 0; i < OUTPUTS_MAX && twin->operation->outputs[i].name; i++) {
        const ValueType *type = output_type(&twin->operation->outputs[i]);
        const void *value = output_value(&outputs[i]);
        if (!value && (twin->operation->one_output || twin->operation->outputs[i].optional))
            continue;
        const EskerValue *result = results[taken++];
        if (!result || esker_kind(result) != (EskerKind)type->number ||
            (type->hash && esker_hash(result) != type->hash(value)) ||
            (type == &type_number && esker_number_of(result) != outputs[i].number))
            fail_msg("%s{ %s }: %s is not what the engine gives", twin->operation->name, name,
                     twin->operation->outputs[i].name);
    }
}

typedef struct Tally {
    int ran, refused;
} Tally;

static void run_both(Twin *twin, const char *name, Tally *tally) {
    Output outputs[OUTPUTS_MAX];
    EskerValue *results[OUTPUTS_MAX];
    Error error = { "" };
    EskerError public_error = { "" };
    EskerTask *task = esker_task_new(NULL);
    esker_task_set_threads(task, 1, NULL);
    const Status status = run_operation(twin->operation, twin->call, twin->params, outputs, &error);
    const EskerStatus public_status = esker_run(twin->operation->name, twin->arguments, twin->count, task,
                                                results, OUTPUTS_MAX, &public_error);
    if ((int)status != (int)public_status)
        fail_msg("%s{ %s }: status %d (%s), the engine's is %d (%s)", twin->operation->name, name,
                 (int)public_status, public_error.text, (int)status, error.text);
    if (status == STATUS_OK)
        compare_results(twin, name, outputs, results);
    else if (!strstr(public_error.text, error.text))
        fail_msg("%s{ %s }: \"%s\" is not \"%s\"", twin->operation->name, name, public_error.text,
                 error.text);
    tally->ran += status == STATUS_OK;
    tally->refused += status != STATUS_OK;
    for (int i = 0; i < OUTPUTS_MAX; i++)
        esker_free(results[i]);
    outputs_free(outputs);
    esker_task_free(task);
}

// A world for load_world: one cell.
static void write_world(const char *path) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(
        "{\"info\":{\"version\":\"1.100\"},\"settings\":{\"distanceUnit\":\"km\",\"distanceScale\":10,"
        "\"heightExponent\":2},\"pack\":{\"vertices\":[{\"p\":[0,0]},{\"p\":[4,0]},{\"p\":[0,4]}],\"cells\":["
        "{\"i\":0,\"p\":[1,1],\"v\":[0,1,2],\"h\":30}]}}",
        file);
    assert_int_equal(fclose(file), 0);
}

// Under sanitizers a sixteenth of those of maps, whose land and climate take seconds there.
static bool tried(const Operation *operation, int turn) {
    const bool map = operation->inputs[0].name && input_accepts(&operation->inputs[0], &type_map);
    return takes_turn(turn) && (!map || takes_turn(turn / 4));
}

// A parameter that needs another is refused by both, in the same words.
static void a_call_by_names_is_the_engines(void **state) {
    (void)state;
    static Twin twin;
    char folder[] = "/tmp/esker-arguments-XXXXXX", path[sizeof folder + 16], world[sizeof folder + 16];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/there.png", folder);
    snprintf(world, sizeof world, "%s/there.json", folder);
    write_world(world);
    Field field = noise_field(24, 20, 3);
    Tally tally = { 0 };
    int turn = 0;
    begin(&twin, &op_save, NULL, &field, path); // what others load
    run_both(&twin, "nothing", &tally);
    for (const Operation *const *each = all_operations; *each; each++) {
        const Param *param;
        for (int i = 0; (param = operation_param_at(*each, i)); i++)
            for (int attempt = 0;; attempt++) {
                begin(&twin, *each, param, &field, *each == &op_load_world ? world : path);
                if (!add_chosen(&twin, param, attempt, &field))
                    break;
                if ((i == 0 && attempt == 0) || tried(*each, turn++))
                    run_both(&twin, param->name, &tally);
            }
    }
    assert_true(tally.ran > 4 * tally.refused);
    unlink(path);
    unlink(world);
    rmdir(folder);
    field_free(&field);
    free_some_values();
}

// An input and a parameter of one name are told apart by the kind of the value, and each may come once.
static void one_name_may_be_input_and_parameter(void **state) {
    (void)state;
    EskerError error;
    EskerValue *field = esker_field_new(80, 60, &error), *part = NULL;
    static const char *const names[] = { "crop", "resize", "perspective" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const EskerArgument arguments[] = { esker_number("height", 20), esker_value("height", field),
                                            esker_number("width", 40), esker_number("height", 20) };
        assert_int_equal(esker_run(names[i], arguments, 3, NULL, &part, 1, &error), ESKER_OK);
        int width = 0, height = 0;
        esker_size(part, &width, &height);
        assert_true(width == 40 && height == 20);
        esker_free(part);
        assert_int_equal(esker_run(names[i], arguments, 4, NULL, &part, 1, &error), ESKER_INVALID);
        assert_non_null(strstr(error.text, "height is given twice"));
        assert_int_equal(esker_run(names[i], arguments, 1, NULL, &part, 1, &error), ESKER_INVALID);
        assert_non_null(strstr(error.text, "height must be given"));
    }
    const double range[] = { -1, 0.5, 0.1 };
    const EskerArgument ranges[] = { esker_value("height", field), esker_numbers("height", range, 3) };
    assert_int_equal(esker_run("select", ranges, 2, NULL, &part, 1, &error), ESKER_OK);
    assert_true(esker_field_cells(part)[0] == 1);
    esker_free(part);
    esker_free(field);
}

// No value fits both an input and a parameter of one name.
static void kinds_tell_inputs_from_parameters(void **state) {
    (void)state;
    for (const Operation *const *each = all_operations; *each; each++)
        for (int i = 0; i < INPUTS_MAX && (*each)->inputs[i].name; i++) {
            const InputSpec *input = &(*each)->inputs[i];
            const Param *param = operation_param(*each, input->name);
            const ParamKind kind = param ? param_kind(param) : PARAM_NUMBERS;
            const bool numeric = kind == PARAM_INTEGER || kind == PARAM_NUMBER || kind == PARAM_NUMBERS;
            assert_true(!param || (numeric && !input_accepts(input, &type_number)));
        }
}

// Lists of fields are one name several times; a palette may be rows of numbers.
static void what_is_no_list_of_fields_or_palette_is_refused(void **state) {
    (void)state;
    EskerError error;
    EskerValue *field = esker_field_new(8, 8, &error), *result = NULL;
    EskerArgument many[FIELDS_MAX + 2] = { esker_value("height", field) };
    for (int i = 0; i <= FIELDS_MAX; i++)
        many[1 + i] = esker_value("density", field);
    assert_int_equal(esker_run("scatter", many, FIELDS_MAX + 2, NULL, &result, 1, &error), ESKER_INVALID);
    assert_non_null(strstr(error.text, "density must be at most 8 fields"));
    static const double rows[][8] = { { 0, 1, 2, 3, 0, 1, 2, 3 },
                                      { 0, 1, 2, 256, 1, 1, 2, 3 },
                                      { NAN, 1, 2, 3, 1, 1, 2, 3 },
                                      { 0, -1, 2, 3, 1, 1, 2, 3 } };
    for (size_t i = 0; i <= sizeof rows / sizeof *rows; i++) {
        const size_t count = i < sizeof rows / sizeof *rows ? 8 : 7;
        const EskerArgument arguments[] = { esker_value("height", field),
                                            esker_numbers("palette", rows[i % 4], count) };
        assert_int_equal(esker_run("relief", arguments, 2, NULL, &result, 1, &error), ESKER_INVALID);
        assert_non_null(strstr(error.text, "relief: palette must be a palette's name, or 2 to 32 rows"));
    }
    esker_free(field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_by_names_is_the_engines),
        cmocka_unit_test(one_name_may_be_input_and_parameter),
        cmocka_unit_test(kinds_tell_inputs_from_parameters),
        cmocka_unit_test(what_is_no_list_of_fields_or_palette_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
