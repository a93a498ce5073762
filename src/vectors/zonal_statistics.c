// Numbers of the cells of each zone: how many, least, greatest, mean.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "places/overlay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ZONES_MAX = 1 << 24 };

enum { ZONE, CELLS, AREA, LEAST, GREATEST, MEAN, DEVIATION, SUM, COLUMNS };

typedef struct Zones {
    float *labels; // in rising order, or NULL: 1, 2, …
    uint32_t *of;  // of each cell the place of its zone in the order, from 1; 0: none
    int count;
} Zones;

// --- zones -------------------------------------------------------------------------------------------------

static int compare_labels(const void *one, const void *other) {
    const float a = *(const float *)one, b = *(const float *)other;
    return (a > b) - (a < b);
}

static bool has_zone(const Field *zones, size_t cell) {
    return field_has_data(zones, cell) && zones->cells[cell] != 0;
}

// Finds the labels of a field: sorts those of stretches of cells, of which there are fewer than cells.
static Status find_labels(const Field *field, Zones *zones, Error *error) {
    const size_t cells = field_count(field);
    size_t count = 0, kept = 0;
    zones->labels = memory_new(cells, sizeof *zones->labels, error);
    if (!zones->labels)
        return STATUS_MEMORY;
    for (size_t i = 0; i < cells; i++)
        if (has_zone(field, i) && !(count && zones->labels[count - 1] == field->cells[i]))
            zones->labels[count++] = field->cells[i];
    qsort(zones->labels, count, sizeof *zones->labels, compare_labels);
    for (size_t i = 0; i < count; i++)
        if (!kept || zones->labels[kept - 1] != zones->labels[i])
            zones->labels[kept++] = zones->labels[i];
    if (kept > ZONES_MAX)
        return fail(error, STATUS_INVALID, "more than %d zones", ZONES_MAX);
    zones->count = (int)kept;
    return STATUS_OK;
}

static Status number_labels(const Field *field, Zones *zones, Error *error) {
    const Status status = find_labels(field, zones, error);
    size_t place = 0; // of the cell before
    for (size_t i = 0; status == STATUS_OK && i < field_count(field); i++) {
        if (!has_zone(field, i))
            continue;
        if (zones->labels[place] != field->cells[i])
            place = (size_t)((float *)bsearch(&field->cells[i], zones->labels, (size_t)zones->count,
                                              sizeof *zones->labels, compare_labels) -
                             zones->labels);
        zones->of[i] = (uint32_t)place + 1;
    }
    return status;
}

static Status find_zones(const Call *call, Zones *zones, Error *error) {
    const Field *height = call->inputs[0].field, *field = call->inputs[1].field;
    const Window window = window_of_field("height", height);
    zones->of = memory_new_zeroed(field_count(height), sizeof *zones->of, error);
    if (!zones->of)
        return STATUS_MEMORY;
    if (field && (field->width != height->width || field->height != height->height))
        return fail(error, STATUS_INVALID,
                    "zones is %d × %d and height %d × %d: align{ like = height } makes them alike",
                    field->width, field->height, height->width, height->height);
    if (field) {
        const Window theirs = window_of_field("zones", field);
        CellMap map;
        const Status status = cell_map_find(&theirs, &window, false, &map, error);
        if (status == STATUS_OK && frame_is_set(&field->frame) && frame_is_set(&height->frame) &&
            !frames_agree(&field->frame, &height->frame, height->width, height->height))
            return fail(error, STATUS_INVALID,
                        "zones and height lie in different places: align{ like = height }");
        return status == STATUS_OK ? number_labels(field, zones, error) : status;
    }
    Shapes *shapes;
    Status status = overlay_new(&call->inputs[1], &window, &shapes, error);
    if (status == STATUS_OK) {
        zones->count = shapes->count;
        status = number_cells(shapes, &type_polygons, height->width, height->height, zones->of, error);
    }
    shapes_free(shapes);
    return status;
}

// --- numbers -----------------------------------------------------------------------------------------------

// Two passes: the deviation is that from the mean. Sums are in the order of cells.
static void measure(const Field *height, const Zones *zones, double *const columns[COLUMNS]) {
    for (int i = 0; i < zones->count; i++) {
        columns[ZONE][i] = zones->labels ? (double)zones->labels[i] : i + 1;
        columns[LEAST][i] = INFINITY;
        columns[GREATEST][i] = -INFINITY;
    }
    double area = 1; // of the row's cells, in those of squares
    for (size_t i = 0; i < field_count(height); i++) {
        if (i % (size_t)height->width == 0) {
            const CellShape shape = field_row_shape(height, (int)(i / (size_t)height->width));
            area = shape.across * shape.down;
        }
        const uint32_t zone = zones->of[i] - 1;
        if (zones->of[i] == 0 || !field_has_data(height, i))
            continue;
        const double value = (double)height->cells[i];
        columns[CELLS][zone]++;
        columns[AREA][zone] += area;
        columns[SUM][zone] += value;
        columns[LEAST][zone] = min(columns[LEAST][zone], value);
        columns[GREATEST][zone] = max(columns[GREATEST][zone], value);
    }
    for (int i = 0; i < zones->count; i++)
        columns[MEAN][i] = columns[CELLS][i] > 0 ? columns[SUM][i] / columns[CELLS][i] : 0;
    for (size_t i = 0; i < field_count(height); i++) {
        const uint32_t zone = zones->of[i] - 1;
        if (zones->of[i] == 0 || !field_has_data(height, i))
            continue;
        const double off = (double)height->cells[i] - columns[MEAN][zone];
        columns[DEVIATION][zone] += off * off;
    }
}

// A zone without cells has only zeros. Their number.
static int finish(const Field *height, const Zones *zones, double *const columns[COLUMNS]) {
    int empty = 0;
    const double metres = frame_cell_metres(&height->frame, height->width, height->height),
                 cell = metres > 0 ? metres * metres : 1;
    for (int i = 0; i < zones->count; i++) {
        const double count = columns[CELLS][i];
        columns[AREA][i] *= cell;
        columns[DEVIATION][i] = count > 0 ? sqrt(columns[DEVIATION][i] / count) : 0;
        columns[LEAST][i] = count > 0 ? columns[LEAST][i] : 0;
        columns[GREATEST][i] = count > 0 ? columns[GREATEST][i] : 0;
        empty += count == 0;
    }
    return empty;
}

static Status run(const Call *call, Error *error) {
    const Field *height = call->inputs[0].field;
    Zones zones = { 0 };
    double *columns[COLUMNS];
    Status status = find_zones(call, &zones, error);
    for (int i = 0; status == STATUS_OK && i < COLUMNS; i++) {
        columns[i] = call->outputs[i].numbers.at =
            memory_new_zeroed((size_t)zones.count + 1, sizeof **columns, error);
        if (!columns[i])
            status = STATUS_MEMORY;
        else
            call->outputs[i].numbers.count = zones.count;
    }
    if (status == STATUS_OK) {
        measure(height, &zones, columns);
        const int empty = finish(height, &zones, columns);
        if (empty > 0)
            tell(call->notice, "%d of %d zones have no cell with data: their numbers are 0", empty,
                 zones.count);
    }
    memory_free(zones.labels);
    memory_free(zones.of);
    return status;
}

const Operation op_zonal_statistics = {
    .name = "zonal_statistics",
    .category = "vectors",
    .keywords = "zones summary per polygon parcel aggregate r.univar r.stats zonal mean",
    .summary = "Gives count, area, least, greatest, mean, deviation and sum of the heights in each zone",
    .description = "A table of lists, with an element for each zone. Zones are the numbers of a field, in "
                   "rising order and without 0, or polygons by their place in the list; where polygons "
                   "overlap a cell belongs to the last. Polygons wholly outside are an error. Cells without "
                   "data do not count; a zone that has no others, or contains no centre of a cell, has only "
                   "zeros. The area is in m² "
                   "if the field's frame gives metres, otherwise in cells.",
    .inputs = { { "height", "heights, or any numbers" },
                { "zones", "a field of labels, or polygons", { &type_field, &type_polygons } } },
    .outputs = { { "zone", "labels, or places in the list", &type_numbers },
                 { "cells", "how many cells have data", &type_numbers },
                 { "area", "of these cells", &type_numbers },
                 { "min", "the least", &type_numbers },
                 { "max", "the greatest", &type_numbers },
                 { "mean", "the mean", &type_numbers },
                 { "stddev", "the standard deviation", &type_numbers },
                 { "sum", "the sum", &type_numbers } },
    .record = true,
    .any_sizes = true,
    .gaps = GAPS_OWN,
    .example =
        "local basins = height:zonal_statistics((height:basins{}))\nprint(basins.zone[1], basins.mean[1])",
    .see_also = "statistics basins rasterize align",
    .run = run,
};
