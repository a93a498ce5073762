#include "core/value.h"

#include "core/memory.h"

#include <string.h>

// --- types that Lua has itself -----------------------------------------------------------------------------

const ValueType type_number = { .kind = "number", .singular = "a number", .number = 4 };

const ValueType type_text = { .kind = "text", .singular = "a string", .number = 8 };

const ValueType type_numbers = { .kind = "numbers", .singular = "numbers", .number = 16 };

const ValueType type_labels = { .kind = "labels", .singular = "labels", .number = 32 };

// --- values ------------------------------------------------------------------------------------------------

size_t value_held_size(const ValueType *type) {
    return type->size ? type->size : sizeof(void *);
}

void *output_held(Output *output) {
    return output->type->size ? (char *)output + output->type->offset : (char *)&output->value;
}

const void *value_of(const ValueType *type, const void *held) {
    if (type->size == 0)
        return *(void *const *)held;
    return type->is_empty(held) ? NULL : held;
}

const void *output_value(const Output *output) {
    return output->type ? value_of(output->type, output_held((Output *)output)) : NULL;
}

void value_free(const ValueType *type, void *held) {
    void *value = (void *)value_of(type, held);
    if (value && type->free)
        type->free(value);
    else
        memory_free(value);
    memset(held, 0, value_held_size(type));
}

void output_free(Output *output) {
    if (output->type && output->type->name)
        value_free(output->type, output_held(output));
    memory_free(output->numbers.at);
    for (int i = 0; i < output->labels.count; i++) {
        memory_free(output->labels.at[i].key);
        memory_free(output->labels.at[i].value);
    }
    memory_free(output->labels.at);
    *output = (Output){ 0 };
}

const Frame *value_frame(const ValueType *type, const void *value) {
    const Frame *frame = type->frame ? type->frame((void *)value) : NULL;
    return frame && frame_is_set(frame) ? frame : NULL;
}

const ValueProperty *value_property(const ValueType *type, const char *name) {
    for (const ValueProperty *property = type->properties; property && property->name; property++)
        if (strcmp(property->name, name) == 0)
            return property;
    return NULL;
}
