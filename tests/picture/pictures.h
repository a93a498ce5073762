// Short ways to draw a picture with some arguments, and to look at it.

#ifndef ESKER_TEST_PICTURES_H
#define ESKER_TEST_PICTURES_H

#include "../support.h"

#include "operations.h"

#include <math.h>
#include <stdlib.h>

typedef struct Drawing { // arguments of one call
    const Operation *operation;
    _Alignas(64) unsigned char params[32768];
} Drawing;

// Red land from dark to light, a blue sea.
#define RED_LAND                                                                                             \
    ((Palette){ 4,                                                                                           \
                { { -1, { 0, 0, 60, 255 } },                                                                 \
                  { -0.0001, { 0, 0, 250, 255 } },                                                           \
                  { 0, { 90, 0, 0, 255 } },                                                                  \
                  { 1, { 250, 0, 0, 255 } } } })

static inline void *drawing_member(Drawing *drawing, const char *name) {
    return drawing->params + operation_param(drawing->operation, name)->offset;
}

static inline void begin_drawing(Drawing *drawing, const Operation *operation, Palette palette) {
    drawing->operation = operation;
    assert_true(operation->params_size <= sizeof drawing->params);
    params_initialise(operation, drawing->params);
    *(Palette *)drawing_member(drawing, "palette") = palette;
}

static inline void set_number(Drawing *drawing, const char *name, double value) {
    Error error;
    assert_ok(param_set_number(operation_param(drawing->operation, name), drawing->params, value, &error),
              error);
}

static inline void set_list(Drawing *drawing, const char *name, Numbers numbers) {
    Error error;
    assert_ok(param_set_numbers(operation_param(drawing->operation, name), drawing->params, &numbers, &error),
              error);
}

static inline void set_choice(Drawing *drawing, const char *name, const char *choice) {
    Error error;
    assert_ok(param_set_text(operation_param(drawing->operation, name), drawing->params, choice, &error),
              error);
}

static inline void set_field(Drawing *drawing, const char *name, const Field *field) {
    *(const Field **)drawing_member(drawing, name) = field;
}

// The caller frees the image. `width` and `height`: of a view.
static inline Image drawn(Drawing *drawing, const Field *field, int width, int height) {
    Output outputs[OUTPUTS_MAX];
    Error error;
    assert_ok(run_operation(drawing->operation,
                            (Call){ .inputs = { { .field = field } }, .width = width, .height = height },
                            drawing->params, outputs, &error),
              error);
    return outputs[0].image;
}

typedef float HeightAt(int x, int y);

static inline Field field_of(int width, int height, HeightAt *at) {
    Field field;
    Error error;
    assert_ok(field_create(&field, width, height, &error), error);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            field_row(&field, y)[x] = at(x, y);
    return field;
}

static inline Pixel pixel_at(const Image *image, int x, int y) {
    return image_row(image, y)[x];
}

#endif
