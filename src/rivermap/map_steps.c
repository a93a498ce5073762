#include "rivermap/map_steps.h"

#include "core/bytes.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/summary.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_MAX = 12 << 20 }; // bytes, which are a text of 16 MiB in base 64: no text of JSON is longer

struct MapStep {
    MapStep *before;
    atomic_int keepers; // besides one
    const char *operation;
    char *text; // JSON, from open_memstream; NULL: `kept_out` says which argument no file can hold
    const char *kept_out;
};

// --- base 64 -----------------------------------------------------------------------------------------------

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_bytes(FILE *to, const unsigned char *bytes, size_t size) {
    fputc('"', to);
    for (size_t i = 0; i < size; i += 3) {
        const uint32_t three = (uint32_t)bytes[i] << 16 | (i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (i + 2 < size ? (uint32_t)bytes[i + 2] : 0);
        fputc(digits[three >> 18], to);
        fputc(digits[three >> 12 & 63], to);
        fputc(i + 1 < size ? digits[three >> 6 & 63] : '=', to);
        fputc(i + 2 < size ? digits[three & 63] : '=', to);
    }
    fputc('"', to);
}

// Writes the bytes of a text over it, which is longer; false if it is none.
static bool get_bytes(const char *text, unsigned char *bytes, size_t *size) {
    uint32_t held = 0;
    int bits = 0;
    *size = 0;
    for (; *text && *text != '='; text++) {
        const char *digit = strchr(digits, *text);
        if (!digit)
            return false;
        held = held << 6 | (uint32_t)(digit - digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes[(*size)++] = (unsigned char)(held >> bits & 255);
        }
    }
    return strspn(text, "=") == strlen(text);
}

static bool put_value(FILE *to, const ValueType *type, const void *value) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *stream = type->write ? open_memstream(&bytes, &size) : NULL;
    if (!stream)
        return false;
    ByteWriter writer = { .stream = stream, .left = VALUE_MAX };
    type->write(value, &writer);
    const bool whole = fclose(stream) == 0 && !writer.full;
    if (whole)
        put_bytes(to, (const unsigned char *)bytes, size);
    free(bytes);
    return whole;
}

Status map_step_value(const ValueType *type, const char *text, void *held, Error *error) {
    size_t size = 0;
    unsigned char *bytes = memory_new(strlen(text) + 1, 1, error);
    if (!bytes)
        return STATUS_MEMORY;
    FILE *stream =
        type->read && get_bytes(text, bytes, &size) && size > 0 ? fmemopen(bytes, size, "rb") : NULL;
    const Status status = stream ? type->read(held, stream, error) : bytes_damaged(error);
    if (stream)
        fclose(stream);
    memory_free(bytes);
    return status;
}

// --- arguments ---------------------------------------------------------------------------------------------

static bool put_param(FILE *to, const Param *param, const void *params) {
    const void *member = (const char *)params + param->offset;
    switch (param_kind(param)) {
    case PARAM_INTEGER:
        fprintf(to, "%d", *(const int *)member);
        return true;
    case PARAM_NUMBER:
        fprintf(to, "%.17g", *(const double *)member);
        return true;
    case PARAM_BOOLEAN:
        fputs(*(const bool *)member ? "true" : "false", to);
        return true;
    case PARAM_TEXT:
        json_put_text(to, *(const char *const *)member);
        return true;
    case PARAM_CHOICE:
        json_put_text(to, param->choices[*(const int *)member]);
        return true;
    case PARAM_NUMBERS: {
        const Numbers *list = member;
        for (int i = 0; i < list->count; i++)
            fprintf(to, "%s%.17g", i ? "," : "[", list->at[i]);
        fputs(list->count ? "]" : "[]", to);
        return true;
    }
    case PARAM_FIELD:
        return put_value(to, &type_field, *(const Field *const *)member);
    default:
        return false; // no map is made of pictures and colours
    }
}

// The first argument that cannot be written; NULL: all were.
static const char *put_call(FILE *to, const Operation *operation, const Call *call, const void *params) {
    fprintf(to, "{\"operation\":\"%s\"", operation->name);
    if (operation->seeded)
        fprintf(to, ",\"seed\":\"%" PRIu64 "\"", call->seed);
    fputs(",\"arguments\":{", to);
    const char *comma = "";
    for (const Param *param = operation_params(operation); param->name; param++) {
        if (!param_is_given(param, params))
            continue;
        fprintf(to, "%s\"%s\":", comma, param->name);
        comma = ",";
        if (!put_param(to, param, params))
            return param->name;
    }
    fputs("},\"inputs\":{", to);
    comma = "";
    for (int i = 0; i < INPUTS_MAX && operation->inputs[i].name; i++) {
        const Input *input = &call->inputs[i];
        const ValueType *type = input->field ? &type_field : input->value ? input->type : NULL;
        const void *value = input->field ? (const void *)input->field : input->value;
        if (!type || strcmp(type->kind, "map") == 0)
            continue;
        fprintf(to, "%s\"%s\":{\"%s\":", comma, operation->inputs[i].name, type->kind);
        comma = ",";
        if (!put_value(to, type, value))
            return operation->inputs[i].name;
        fputc('}', to);
    }
    fputc('}', to);
    return NULL;
}

// Numbers that are not finite, which JSON has none of, are such as no ground has.
static void put_grounds(FILE *to, const EditGrounds *grounds) {
    for (int i = 0; i < grounds->count; i++) {
        const double numbers[] = { grounds->at[i].height, grounds->at[i].least, grounds->at[i].east,
                                   grounds->at[i].south };
        for (int k = 0; k < GROUND_NUMBERS; k++)
            fprintf(to, "%s%.17g", i || k ? "," : ",\"ground\":[",
                    isfinite(numbers[k]) ? numbers[k] : DBL_MAX);
    }
    fputs(grounds->count ? "]" : "", to);
}

// --- steps -------------------------------------------------------------------------------------------------

MapStep *map_step_keep(MapStep *step) {
    if (step)
        atomic_fetch_add(&step->keepers, 1);
    return step;
}

void map_step_free(MapStep *step) {
    while (step && atomic_fetch_sub(&step->keepers, 1) == 0) {
        MapStep *before = step->before;
        free(step->text);
        memory_free(step);
        step = before;
    }
}

MapStep *map_step_new(MapStep *before, const Operation *operation, const Call *call, const void *params,
                      const EditGrounds *grounds, Error *error) {
    MapStep *step = memory_new_zeroed(1, sizeof *step, error);
    size_t size = 0;
    if (!step)
        return NULL;
    step->operation = operation->name;
    FILE *stream = open_memstream(&step->text, &size);
    step->kept_out = stream ? put_call(stream, operation, call, params) : NULL;
    if (stream && grounds)
        put_grounds(stream, grounds);
    if (stream)
        fputc('}', stream);
    const bool written = stream && fclose(stream) == 0;
    if (!written || step->kept_out) {
        free(step->text);
        step->text = NULL;
    }
    if (!written) {
        memory_free(step);
        fail(error, STATUS_MEMORY, "not enough memory");
        return NULL;
    }
    step->before = map_step_keep(before);
    return step;
}

Status map_steps_write(const MapStep *last, FILE *to, Error *error) {
    int count = 0;
    for (const MapStep *step = last; step; step = step->before) {
        if (!step->text)
            return fail(error, STATUS_INVALID, "%s of %s is too large for a file: more than %d bytes",
                        step->kept_out, step->operation, VALUE_MAX);
        count++;
    }
    const char **texts = memory_new((size_t)count + 1, sizeof *texts, error);
    if (!texts)
        return STATUS_MEMORY;
    for (int i = count; i > 0; i--, last = last->before)
        texts[i - 1] = last->text;
    for (int i = 0; i < count; i++)
        fprintf(to, "%s\n%s", i ? "," : "[", texts[i]);
    fputs(count ? "\n]" : "[]", to);
    memory_free(texts);
    return STATUS_OK;
}
