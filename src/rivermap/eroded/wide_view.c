#include "rivermap/eroded/wide_view.h"

#include "core/memory.h"
#include "rivermap/eroded/pixel_seas.h"

#include <string.h>

Status wide_view_create(WideView *wide, const View *view, Error *error) {
    *wide = (WideView){ .view = *view };
    wide->view.width += 2 * PIXEL_SEAS_MARGIN;
    wide->view.height += 2 * PIXEL_SEAS_MARGIN;
    wide->altitude = wide->flow = (Field){ .width = wide->view.width, .height = wide->view.height };
    wide->altitude.cells = memory_new(field_count(&wide->altitude), sizeof(float), error);
    wide->flow.cells = memory_new(field_count(&wide->flow), sizeof(float), error);
    wide->view.altitude = &wide->altitude;
    wide->view.flow = &wide->flow;
    return wide->altitude.cells && wide->flow.cells ? STATUS_OK : STATUS_MEMORY;
}

void wide_view_free(WideView *wide) {
    memory_free((void *)wide->altitude.cells);
    memory_free((void *)wide->flow.cells);
}

static void take_middle(const Field *wide, Field *field) {
    for (int y = 0; y < field->height; y++)
        memcpy(field_row(field, y), field_row(wide, y + PIXEL_SEAS_MARGIN) + PIXEL_SEAS_MARGIN,
               (size_t)field->width * sizeof(float));
}

void wide_view_take(const WideView *wide, const View *view) {
    take_middle(&wide->altitude, view->altitude);
    take_middle(&wide->flow, view->flow);
}
