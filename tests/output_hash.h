// A hash of all that an operation gave.

#ifndef ESKER_TEST_OUTPUT_HASH_H
#define ESKER_TEST_OUTPUT_HASH_H

#include "core/image.h"
#include "core/operation.h"
#include "core/random.h"

static inline uint64_t output_hash(const Operation *operation, const Output *outputs) {
    uint64_t hash = 0;
    for (int i = 0; i < OUTPUTS_MAX && operation->outputs[i].name; i++) {
        const Output *output = &outputs[i];
        if (output->field.cells)
            hash = mix64(hash ^ field_hash(&output->field));
        if (output->image.pixels)
            hash = mix64(hash ^ image_hash(&output->image));
        if (output->value && output->type->hash)
            hash = mix64(hash ^ output->type->hash(output->value));
        for (int n = 0; n < output->numbers.count; n++)
            hash = mix_number(hash, output->numbers.at[n]);
        hash = mix_number(hash, output->number);
    }
    return hash;
}

#endif
