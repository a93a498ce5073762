// Operations: bytes choose one, its parameters (numbers inside their range, beyond it, and none at all) and
// small fields. Whatever they are, it gives finite heights or an error, and holds nothing afterwards.

#ifndef ESKER_FUZZ_ANY_OPERATION_H
#define ESKER_FUZZ_ANY_OPERATION_H

#include "bytes.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/random.h"
#include "operations.h"
#include "places/points.h"
#include "rivers/network.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Work grows with these: they stay small.
static double bounded(const Param *param, double value) {
    static const struct {
        const char *name;
        double most;
    } counts[] = {
        { "iterations", 12 }, { "points", 300 }, { "levels", 7 },       { "rivers", 12 }, { "ridges", 12 },
        { "octaves", 12 },    { "radius", 12 },  { "width", 12 },       { "height", 12 }, { "size", 12 },
        { "samples", 12 },    { "hills", 12 },   { "cells", 12 },       { "drops", 12 },  { "max_steps", 12 },
        { "regions", 12 },    { "steps", 12 },   { "tributaries", 12 }, { "scale", 3 },
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (strcmp(param->name, counts[i].name) == 0 && value > counts[i].most)
            return counts[i].most;
    return value;
}

static double number(Bytes *bytes, const Param *param) {
    static const double special[] = { 0, -0.0, 1, -1, 0.5, 1e-9, 1e9, 1e308, -1e308, 1e-320 };
    const unsigned how = byte(bytes);
    if (how < 100) {
        const bool bound = param->max > param->min;
        const double low = bound ? param->min : -10, high = bound ? param->max : 10;
        return bounded(param, low + (high - low) * (byte(bytes) / 255.0));
    }
    if (how < 120)
        return how < 110 ? NAN : INFINITY;
    if (how < 150) // the bounds, and a hair inside them
        return bounded(param, how < 128   ? param->min
                              : how < 136 ? param->max
                              : how < 143 ? nextafter(param->min, param->max)
                                          : nextafter(param->max, param->min));
    return bounded(param, how < 200 ? special[how % 10] : (double)(int8_t)byte(bytes));
}

static void set_numbers(Bytes *bytes, const Param *param, void *params) {
    Numbers numbers = { 0 };
    const int columns = param->columns > 1 ? param->columns : 1, rows = (int)(byte(bytes) % 6);
    for (int i = 0; i < rows * columns; i++) {
        const unsigned how = byte(bytes);
        numbers.at[numbers.count++] = how < 16                          ? number(bytes, param)
                                      : i % columns == 0 && columns > 1 ? i
                                                                        : byte(bytes) / 255.0;
    }
    if (strcmp(param->name, "distances") == 0) // a small one means millions of points
        for (int i = 0; i < numbers.count; i++)
            numbers.at[i] = max(numbers.at[i], 0.01);
    param_set_numbers(param, params, &numbers, NULL);
}

static void set_param(Bytes *bytes, const Param *param, void *params, const Field *mask) {
    void *member = (char *)params + param->offset;
    switch (param_kind(param)) {
    case PARAM_INTEGER:
    case PARAM_NUMBER:
    case PARAM_DECIMAL:
        param_set_number(param, params, number(bytes, param), NULL);
        break;
    case PARAM_BOOLEAN:
        *(bool *)member = byte(bytes) % 2;
        break;
    case PARAM_CHOICE: {
        int count = 0;
        while (param->choices[count])
            count++;
        if (count > 0)
            param_set_text(param, params, param->choices[byte(bytes) % (unsigned)count], NULL);
        break;
    }
    case PARAM_NUMBERS:
        set_numbers(bytes, param, params);
        break;
    case PARAM_FIELD:
        *(const Field **)member = byte(bytes) % 2 ? mask : NULL;
        break;
    case PARAM_FIELDS:
        *(Fields *)member = (Fields){ (int)(byte(bytes) % 3), { mask, mask } };
        break;
    case PARAM_TEXT:
    case PARAM_IMAGE:
    case PARAM_PALETTE:
    case PARAM_COLOURS:
        break;
    }
}

static void set_palette(const Operation *operation, void *params) {
    for (const Param *param = operation->params; param && param->name; param++)
        if (param_kind(param) == PARAM_PALETTE) {
            Palette *palette = (Palette *)(void *)((char *)params + param->offset);
            palette->count = 2;
            palette->stops[0].height = 0;
            palette->stops[1].height = 1;
        }
}

// Often of one, two or three cells.
static int side(Bytes *bytes) {
    const unsigned how = byte(bytes);
    return 1 + (int)(how % 4 == 0 ? how / 4 % 3 : how / 4 % 33);
}

static Field make_field(Bytes *bytes, int width, int height) {
    Field field;
    if (field_create(&field, width, height, NULL) != STATUS_OK)
        abort();
    const RandomKey key = random_key(byte(bytes), 0);
    const unsigned how = byte(bytes) % 10;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const float share = random_unit(key, (uint32_t)x, (uint32_t)y);
            const bool odd = (x + y) % 2 != 0;
            field_row(&field, y)[x] = how == 0   ? share
                                      : how == 1 ? (float)x
                                      : how == 2 ? 0.25f
                                      : how == 3 ? 1e20f * random_unit(key, (uint32_t)x / 4, (uint32_t)y)
                                      : how == 4 ? (odd ? FLT_MAX : -FLT_MAX)
                                      : how == 5 ? FLT_MAX * (2 * share - 1)
                                      : how == 6 ? 1e-40f * share
                                      : how == 7 ? (x == 0 && y == 0 ? 1e30f : share)
                                      : how == 8 ? 16 * share - 8
                                                 : (odd ? nextafterf(1, 2) : 1);
        }
    return field;
}

static void check(const Operation *operation, const Output *outputs) {
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name; i++)
        for (size_t c = 0; outputs[i].field.cells && c < field_count(&outputs[i].field); c++)
            if (!isfinite(outputs[i].field.cells[c]))
                abort();
}

// The operation whose values of this type the others get: one that takes nothing else than a field.
static const Operation *maker_of(const ValueType *type) {
    if (type == &type_network)
        return &op_river_network;
    for (const Operation *const *each = all_operations; *each; each++)
        if (output_type(&(*each)->outputs[0]) == type && !(*each)->inputs[1].name &&
            (!(*each)->inputs[0].name || input_accepts(&(*each)->inputs[0], &type_field)))
            return *each;
    return NULL;
}

// What is not a field comes from an operation with its own defaults.
static bool make_inputs(const Operation *operation, Call *call, const Field *fields, Output *made) {
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++) {
        const InputSpec *spec = &operation->inputs[i];
        const ValueType *type = input_accepts(spec, &type_field) ? NULL : spec->accepts[0];
        const Operation *maker = type ? maker_of(type) : NULL;
        if (type && (!maker || maker == operation)) // texts: files are fuzzed elsewhere
            return false;
        if (!maker) {
            call->inputs[i].field = &fields[i % 2];
            continue;
        }
        Output *own = made + i * OUTPUTS_MAX;
        _Alignas(64) static unsigned char params[32768];
        params_initialise(maker, params);
        set_palette(maker, params);
        if (maker == &op_river_network)
            param_set_number(operation_param(maker, "points"), params, 60, NULL);
        const Call making = { .run = call->run,
                              .inputs = { { .field = &fields[0] } },
                              .width = 16,
                              .height = 16,
                              .seed = 2,
                              .outputs = own };
        if (operation_run(maker, (Call *)&making, params, NULL) != STATUS_OK)
            return false;
        if ((operation == &op_set_places || operation == &op_add_places) &&
            type == &type_points) { // for each, land is drawn on several grids
            Points *points = own[0].value;
            points->count = points->count < 3 ? points->count : 3;
        }
        input_set(&call->inputs[i], type, output_value(&own[0]));
    }
    return true;
}

static void try_operation(const uint8_t *data, size_t size) {
    Bytes bytes = { data, size };
    unsigned count = 1; // there are some
    while (all_operations[count])
        count++;
    const Operation *operation = all_operations[byte(&bytes) % count];
    const int width = side(&bytes), height = side(&bytes);
    Field fields[2] = { make_field(&bytes, width, height), make_field(&bytes, width, height) };
    _Alignas(64) static unsigned char params[32768];
    Output outputs[OUTPUTS_MAX] = { 0 }, made[INPUTS_MAX * OUTPUTS_MAX] = { 0 };
    const Run run = { .threads = 1 + (int)(byte(&bytes) % 2) };
    Call call = { .run = &run, .width = width, .height = height, .seed = byte(&bytes), .outputs = outputs };
    call.wrap = (Wrap)(byte(&bytes) % 3);
    Error error;
    params_initialise(operation, params);
    set_palette(operation, params);
    for (const Param *param = operation->params; param && param->name; param++) {
        if (bounded(param, param->initial) < param->initial)
            param_set_number(param, params, bounded(param, param->initial), NULL);
        if (byte(&bytes) % 2)
            set_param(&bytes, param, params, &fields[1]);
    }
    if (make_inputs(operation, &call, fields, made) &&
        operation_run(operation, &call, params, &error) == STATUS_OK)
        check(operation, outputs);
    outputs_free(outputs);
    for (int i = 0; i < INPUTS_MAX; i++)
        outputs_free(made + i * OUTPUTS_MAX);
    field_free(&fields[0]);
    field_free(&fields[1]);
    if (memory_in_use() != 0)
        abort();
}

#endif
