// Heights go on into gaps, layer by layer: first the cells beside data, then those beside these, and so on. A
// cell gets the height of the neighbours in the layer before that share a side with it, or where there is
// none that of those across a corner; of several, the mean of the lowest and the highest. This is the same
// however the field is turned or mirrored, and depends on nothing that is farther from a cell than data, so
// that windows of a field are filled alike.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"

#include <float.h>

enum { AROUND = 8 }; // cells around a cell; even ones share a side with it
static const int around_x[AROUND] = { 1, 1, 0, -1, -1, -1, 0, 1 };
static const int around_y[AROUND] = { 0, 1, 1, 1, 0, -1, -1, -1 };

// Layers are told apart by their remainders: those of neighbours differ by 1 at most. Data is layer 0. Cells
// of the border have BORDER besides.
enum { LAYERS = 3, UNKNOWN = 3, LAYER = 3, BORDER = 4 };

typedef struct Filling {
    const Field *field;
    Field *filled;
    bool wraps;
    uint8_t *layer; // of each cell its layer modulo LAYERS, or UNKNOWN; and BORDER
    size_t *cells;  // that are in gaps, by their layers
    size_t count;   // of those that have one
} Filling;

// The cells around one, as far as the field goes: a bit for each that is there.
typedef struct Around {
    unsigned there;
    size_t cell[AROUND];
} Around;

// The same where the field may end, or go on at its other side.
static Around find_over_edges(const Filling *filling, size_t cell) {
    const int width = filling->field->width, height = filling->field->height;
    Around around = { 0 };
    for (int i = 0; i < AROUND; i++) {
        int x = (int)(cell % (size_t)width) + around_x[i], y = (int)(cell / (size_t)width) + around_y[i];
        if (filling->wraps) {
            x = x < 0 ? width - 1 : x == width ? 0 : x;
            y = y < 0 ? height - 1 : y == height ? 0 : y;
        }
        const bool there = x >= 0 && y >= 0 && x < width && y < height;
        around.there |= there ? 1U << i : 0;
        around.cell[i] = there ? (size_t)y * (size_t)width + (size_t)x : cell;
    }
    return around;
}

static inline Around find_around(const Filling *filling, size_t cell) {
    if (filling->layer[cell] & BORDER)
        return find_over_edges(filling, cell);
    const size_t width = (size_t)filling->field->width;
    return (Around){ (1U << AROUND) - 1,
                     { cell + 1, cell + width + 1, cell + width, cell + width - 1, cell - 1, cell - width - 1,
                       cell - width, cell - width + 1 } };
}

// The cells around one that are in a layer: a bit for each.
static inline unsigned those_in(const Filling *filling, const Around *around, int layer) {
    unsigned those = 0;
    for (int i = 0; i < AROUND; i++)
        those |= (unsigned)((filling->layer[around->cell[i]] & LAYER) == layer) << i;
    return those & around->there;
}

static inline void append(Filling *filling, size_t cell, int layer) {
    filling->layer[cell] = (uint8_t)((filling->layer[cell] & BORDER) | layer);
    filling->cells[filling->count++] = cell;
}

static void tell_data(const Filling *filling) {
    const int width = filling->field->width, height = filling->field->height;
    for (int y = 0; y < height; y++) {
        const size_t start = (size_t)y * (size_t)width;
        const uint8_t border = y == 0 || y == height - 1 ? BORDER : 0;
        for (int x = 0; x < width; x++)
            filling->layer[start + (size_t)x] =
                filling->field->gaps->at[start + (size_t)x] ? UNKNOWN | border : border;
        filling->layer[start] |= BORDER;
        filling->layer[start + (size_t)width - 1] |= BORDER;
    }
}

static void find_first_layer(Filling *filling) {
    for (size_t i = 0; i < field_count(filling->field); i++) {
        if ((filling->layer[i] & LAYER) != UNKNOWN)
            continue;
        const Around around = find_around(filling, i);
        if (those_in(filling, &around, 0))
            append(filling, i, 1);
    }
}

// Gives a cell its height, from those around it that are in the layer before, and adds the cells of the layer
// after it.
static void go_on(Filling *filling, size_t cell, int before, int after) {
    const Around around = find_around(filling, cell);
    const unsigned all = those_in(filling, &around, before), sides = all & 0x55;
    float lowest = FLT_MAX, highest = -FLT_MAX;
    for (unsigned left = sides ? sides : all; left; left &= left - 1) {
        const float height = filling->filled->cells[around.cell[__builtin_ctz(left)]];
        lowest = min(lowest, height);
        highest = max(highest, height);
    }
    field_cells(filling->filled)[cell] = (float)(((double)lowest + (double)highest) / 2);
    for (unsigned left = those_in(filling, &around, UNKNOWN); left; left &= left - 1) {
        const size_t beside = around.cell[__builtin_ctz(left)];
        if ((filling->layer[beside] & LAYER) ==
            UNKNOWN) // a narrow field that wraps has one cell on several sides
            append(filling, beside, after);
    }
}

static void fill(Filling *filling) {
    for (size_t i = 0; i < field_count(filling->field); i++)
        field_cells(filling->filled)[i] = field_has_data(filling->field, i) ? filling->field->cells[i] : 0;
    tell_data(filling);
    find_first_layer(filling);
    size_t first = 0;
    for (int layer = 1; first < filling->count; layer = (layer + 1) % LAYERS) {
        const size_t end = filling->count;
        for (; first < end; first++)
            go_on(filling, filling->cells[first], (layer + LAYERS - 1) % LAYERS, (layer + 1) % LAYERS);
    }
}

Status gaps_fill(const Field *field, bool wraps, Field *filled, Error *error) {
    Status status = field_create(filled, field->width, field->height, error);
    if (status != STATUS_OK)
        return status;
    filled->whole = field->whole;
    filled->wraps = field->wraps;
    filled->frame = field->frame;
    Filling filling = { .field = field, .filled = filled, .wraps = wraps };
    if ((filling.layer = memory_new(field_count(field), sizeof *filling.layer, error)) &&
        (filling.cells = memory_new(max(field->gaps->count, (size_t)1), sizeof *filling.cells, error))) {
        fill(&filling);
    } else {
        status = STATUS_MEMORY;
        field_free(filled);
    }
    memory_free(filling.layer);
    memory_free(filling.cells);
    return status;
}
