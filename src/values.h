// Every value type, a line each, in the order of messages and of the manual.

#ifndef ESKER_VALUES_H
#define ESKER_VALUES_H

#include "core/operation.h"

// clang-format off
#define ALL_VALUE_TYPES(X) \
    X(field) \
    X(image) \
    X(number) \
    X(text) \
    X(numbers) \
    X(labels) \
    X(map) \
    X(network) \
    X(mesh) \
    X(points) \
    X(lines) \
    X(polygons)
// clang-format on

// The list itself, NULL-ended.
extern const ValueType *const all_value_types[];

// What an input is, in words; where everything is accepted that can be saved: which types those are, and
// their file formats.
typedef struct InputDoc {
    char text[600];
} InputDoc;

InputDoc input_doc(const InputSpec *spec);

// "a field", "a field or a number", …: the types that it takes.
InputDoc input_types(const InputSpec *spec);

#endif
