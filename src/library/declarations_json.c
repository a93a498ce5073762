// esker_operations_json: the declarations as JSON, generated once.

#define _POSIX_C_SOURCE 200809L // open_memstream
#include "core/json.h"
#include "core/whole.h"
#include "exchange/format_list.h"
#include "library/handle.h"
#include "operations.h"
#include "values.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void write_member(FILE *out, const char *key, const char *text) {
    if (!text)
        return;
    fprintf(out, ", \"%s\": ", key);
    json_put_text(out, text);
}

static void write_kind(FILE *out, const ValueType *type, const char **joint) {
    fprintf(out, "%s\"%s\"", *joint, type->kind);
    *joint = ", ";
}

static void write_default(FILE *out, const Param *param) {
    if (param->optional && param->initial_numbers.count == 0)
        return;
    switch (param_kind(param)) {
    case PARAM_INTEGER:
    case PARAM_NUMBER:
    case PARAM_DECIMAL:
        if (!param_bounded(param) || (param->initial >= param->min && param->initial <= param->max))
            fprintf(out, ", \"default\": %.17g", param->initial); // width is 0 where size is given
        break;
    case PARAM_BOOLEAN:
        fprintf(out, ", \"default\": %s", param->initial != 0 ? "true" : "false");
        break;
    case PARAM_CHOICE:
        assert(param->choices);
        write_member(out, "default", param->choices[whole_int(param->initial)]);
        break;
    case PARAM_TEXT:
    case PARAM_PALETTE:
    case PARAM_COLOURS:
        write_member(out, "default", param->initial_text);
        break;
    case PARAM_NUMBERS:
        fputs(", \"default\": [", out);
        for (int i = 0; i < param->initial_numbers.count; i++)
            fprintf(out, "%s%.17g", i ? ", " : "", param->initial_numbers.at[i]);
        fputc(']', out);
        break;
    case PARAM_FIELD:
    case PARAM_FIELDS:
    case PARAM_IMAGE:
        break;
    }
}

static void write_param(FILE *out, const Operation *operation, const Param *param, bool first) {
    char allowed[200];
    operation_param_allowed(operation, param, allowed, sizeof allowed);
    fprintf(out, "%s\n    {\"name\": \"%s\", \"kind\": \"%s\"", first ? "" : ",", param->name,
            param_kind_name(param));
    write_member(out, "unit", param_unit_name(param));
    if (param != &wrap_param)
        write_default(out, param);
    if (param_bounded(param))
        fprintf(out, ", \"min\": %.17g, \"max\": %.17g", param->min, param->max);
    if (param->columns > 1)
        fprintf(out, ", \"columns\": %d", param->columns);
    if (param->columns_min > 0)
        fprintf(out, ", \"columns_min\": %d, \"rest\": %.17g", param->columns_min, param->rest);
    if (param_kind(param) == PARAM_NUMBERS)
        fprintf(out, ", \"rows_min\": %d, \"rows_max\": %d", param->optional ? 0 : param->rows_min,
                param_rows_max(param));
    for (int i = 0; param->choices && param->choices[i]; i++) {
        fputs(i ? ", " : ", \"choices\": [", out);
        json_put_text(out, param->choices[i]);
    }
    fputs(param->choices ? "]" : "", out);
    write_member(out, "allowed", allowed);
    write_member(out, "doc", param_doc(operation, param).text);
    fputc('}', out);
}

static void write_params(FILE *out, const Operation *operation) {
    const Param *param;
    fputs(",\n   \"params\": [", out);
    for (int i = 0; (param = operation_param_at(operation, i)); i++)
        write_param(out, operation, param, i == 0);
    fputc(']', out);
}

static void write_input(FILE *out, const InputSpec *input, bool first) {
    const char *joint = ", \"kinds\": [";
    fprintf(out, "%s{\"name\": \"%s\"", first ? "" : ", ", input->name);
    for (const ValueType *const *type = all_value_types; *type; type++)
        if (input_accepts(input, *type))
            write_kind(out, *type, &joint);
    fputc(']', out);
    write_member(out, "doc", input_doc(input).text);
    fputc('}', out);
}

static void write_result(FILE *out, const OutputSpec *output, bool first) {
    const char *joint = ", \"kinds\": [";
    fprintf(out, "%s{\"name\": \"%s\"", first ? "" : ", ", output->name);
    write_kind(out, output_type(output), &joint);
    fputc(']', out);
    write_member(out, "unit", dimension_name(output->heights ? DIMENSION_HEIGHT : output->dimension));
    write_member(out, "doc", output->doc);
    fputc('}', out);
}

static void write_operation(FILE *out, const Operation *operation) {
    fprintf(out, "  {\"name\": \"%s\"", operation->name);
    write_member(out, "category", operation->category);
    write_member(out, "keywords", operation->keywords);
    write_member(out, "summary", operation->summary);
    write_member(out, "description", operation->description);
    write_member(out, "source", operation->source);
    write_member(out, "example", operation->example);
    write_member(out, "see_also", operation->see_also);
    fputs(",\n   \"inputs\": [", out);
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++)
        write_input(out, &operation->inputs[i], i == 0);
    fputs("],\n   \"results\": [", out);
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name; i++)
        write_result(out, &operation->outputs[i], i == 0);
    fputs("]", out);
    write_params(out, operation);
    fputc('}', out);
}

static char *json;

static void write_all(void) {
    size_t size = 0;
    FILE *out = open_memstream(&json, &size);
    if (!out)
        return;
    fputs("[\n", out);
    for (int i = 0; all_operations[i]; i++) {
        write_operation(out, all_operations[i]);
        fputs(all_operations[i + 1] ? ",\n" : "\n", out);
    }
    fputs("]\n", out);
    if (fclose(out) != 0)
        json = NULL;
}

const char *esker_operations_json(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, write_all);
    return json;
}
