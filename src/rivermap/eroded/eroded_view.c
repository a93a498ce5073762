// Draws windows of eroded land: the ground, its seas and its rivers.

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "rivermap/eroded/ground.h"
#include "rivermap/eroded/lake_pixels.h"
#include "rivermap/eroded/map_climate.h"
#include "rivermap/eroded/pixel_seas.h"
#include "rivermap/eroded/river_courses.h"
#include "rivermap/globe.h"
#include "rivermap/view.h"

#include <math.h>
#include <string.h>

// --- views of more of the map ------------------------------------------------------------------------------

// A view that shows PIXEL_SEAS_MARGIN pixels more on every side, with an altitude and a flow of its own.

typedef struct WideView {
    View view;
    Field altitude, flow, discharge; // discharge: where the view wants it
} WideView;

// Freed by wide_view_free, also after a failure. Its fields, which may be larger than any other, are not set.
static Status wide_view_create(WideView *wide, const View *view, Error *error) {
    *wide = (WideView){ .view = *view };
    wide->view.width += 2 * PIXEL_SEAS_MARGIN;
    wide->view.height += 2 * PIXEL_SEAS_MARGIN;
    wide->altitude = wide->flow = (Field){ .width = wide->view.width, .height = wide->view.height };
    wide->altitude.cells = memory_new(field_count(&wide->altitude), sizeof(float), error);
    wide->flow.cells = memory_new(field_count(&wide->flow), sizeof(float), error);
    wide->view.altitude = &wide->altitude;
    wide->view.flow = &wide->flow;
    const bool watered = view->discharge && view->map->watered;
    wide->view.discharge = NULL;
    if (watered) {
        wide->discharge = (Field){ .width = wide->view.width, .height = wide->view.height };
        wide->discharge.cells = memory_new(field_count(&wide->discharge), sizeof(float), error);
        wide->view.discharge = &wide->discharge;
    }
    return wide->altitude.cells && wide->flow.cells && (wide->discharge.cells || !watered) ? STATUS_OK
                                                                                           : STATUS_MEMORY;
}

static void wide_view_free(WideView *wide) {
    memory_free((void *)wide->altitude.cells);
    memory_free((void *)wide->flow.cells);
    memory_free((void *)wide->discharge.cells);
}

static void take_middle(const Field *wide, Field *field) {
    for (int y = 0; y < field->height; y++)
        memcpy(field_row(field, y), field_row(wide, y + PIXEL_SEAS_MARGIN) + PIXEL_SEAS_MARGIN,
               (size_t)field->width * sizeof(float));
}

// Copies what the view shows.
static void wide_view_take(const WideView *wide, const View *view) {
    take_middle(&wide->altitude, view->altitude);
    take_middle(&wide->flow, view->flow);
    if (wide->view.discharge)
        take_middle(&wide->discharge, view->discharge);
}

// --- drawing -----------------------------------------------------------------------------------------------

// Of the land of all that is drawn. A window's cover shows two pixels more: without the cells for them its
// land would be made again, for a missing rim costs as much as the whole.
static int margin_of_all(const View *view, int depth) {
    enum { COVER_CELLS = 4 };
    const int margin = max(ground_margin(view, depth), river_reach(view->map, depth));
    return (view->rimmed ? 0 : COVER_CELLS) +
           (map_has_lakes(view->map) ? max(margin, (int)LAKE_MARGIN) : margin);
}

Status eroded_prepare(const View *view, Error *error) {
    const int depth = atlas_depth(view);
    return atlas_prepare(view, depth, margin_of_all(view, depth), error);
}

// --- datum -------------------------------------------------------------------------------------------------

// The cell in the view's middle.
static bool middle_cell(const Atlas *atlas, AtlasCell *cell) {
    const View *view = atlas->view;
    *cell = (AtlasCell){ 0 };
    if (!atlas->planet) {
        const LandWindow *land = land_of(atlas, *cell);
        const int shift = PLACE_BITS - atlas->depth;
        cell->x = (int)clamp((view->centre_x >> shift) - land->x, 0, land->width - 1);
        cell->y = (int)clamp((view->centre_y >> shift) - land->y, 0, land->height - 1);
        return true;
    }
    const GridPlace place = grid_place(eroded_of(view->map)->axes, (double)atlas->side, globe_middle(view));
    const LandWindow *land = &atlas->land.on[place.face];
    *cell =
        (AtlasCell){ place.face, (int)(whole_64(place.x) - land->x), (int)(whole_64(place.y) - land->y), 0 };
    return atlas_resolve(atlas, cell);
}

static Datum datum_of_middle(const Atlas *atlas) {
    AtlasCell cell;
    const Int128 height = middle_cell(atlas, &cell) ? height_of(atlas, cell) : 0;
    return (Datum){ height, atlas->height_depth, ldexp(atlas->unit, atlas->height_depth) };
}

Status eroded_datum(const View *view, Datum *datum, Error *error) {
    Atlas atlas;
    const Status status =
        atlas_open(&atlas, view, atlas_depth(view), view->map->tiling->planet ? 2 : 0, error);
    if (status == STATUS_OK)
        *datum = datum_of_middle(&atlas);
    atlas_close(&atlas);
    return status;
}

// --- render ------------------------------------------------------------------------------------------------

static float altitude_of_sea(const Atlas *atlas) {
    return (float)((double)-view_zero(atlas->view, atlas->height_depth) * atlas->unit);
}

// Wide rivers raise the sea beside them to land, on which rain falls.
static void rain_on_banks(void *context, int first, int end) {
    const Atlas *atlas = context;
    const View *view = atlas->view;
    const float sea = altitude_of_sea(atlas);
    for (int y = first; y < end; y++) {
        const float *altitudes = field_row(view->altitude, y);
        float *flow = field_row(view->flow, y);
        for (int x = 0; x < view->width; x++)
            flow[x] = altitudes[x] >= sea ? max(flow[x], 1.0f) : flow[x];
    }
}

// Whether pixels are cells, so that altitudes and seas are those of the land.
static bool shows_cells(const View *view) {
    const Int128 size = (Int128)1 << (PLACE_BITS - atlas_depth(view));
    return !view->map->tiling->planet && view->pixel == size &&
           ((view_left(view) | view_top(view)) & (size - 1)) == 0;
}

// Nothing flows through pixels that have been opened to the sea.
static void dry_seas(void *context, int first, int end) {
    const View *view = context;
    for (int y = first; y < end; y++) {
        const float *flow = field_row(view->flow, y);
        float *discharge = field_row(view->discharge, y);
        for (int x = 0; x < view->width; x++)
            discharge[x] = flow[x] > 0 ? discharge[x] : 0;
    }
}

// Into the fields of `ground`, which shows the view or more than that.
static Status draw_ground(Atlas *atlas, const View *ground, const RiverLines *lines, Error *error) {
    const View *view = atlas->view;
    atlas->view = ground;
    Status status = ground_draw(atlas, lines, view, error);
    if (status == STATUS_OK && ground != view)
        status = open_seas(atlas, error);
    if (status == STATUS_OK && ground->discharge && view->map->watered)
        status = parallel_rows(view->run, ground->height, ground->width * 0.5, dry_seas, (void *)ground);
    atlas->view = view;
    return status;
}

static Status draw(Atlas *atlas, WideView *wide, Error *error) {
    const View *view = atlas->view;
    RiverLines *lines = NULL;
    if (view->own_datum)
        *view->datum = datum_of_middle(atlas);
    atlas->datum = view->datum ? datum_at(view->datum, atlas->height_depth) : 0;
    Status status = STATUS_OK;
    if (view->map->constants.rivers)
        lines = river_lines_new(atlas, &status, error);
    if (status == STATUS_OK)
        status = draw_ground(atlas, wide ? &wide->view : view, lines, error);
    if (status == STATUS_OK && wide)
        wide_view_take(wide, view);
    if (status == STATUS_OK && view->level)
        memcpy(field_cells(view->level), field_cells(view->altitude),
               field_count(view->level) * sizeof(float));
    if (status == STATUS_OK && lines && !atlas->planet) {
        status = river_lines_draw(lines, error);
        if (status == STATUS_OK)
            status = parallel_rows(view->run, view->height, view->width, rain_on_banks, atlas);
    }
    if (status == STATUS_OK && map_has_lakes(view->map))
        status = draw_lake_pixels(atlas, error);
    if (status == STATUS_OK && view->map->watered)
        status = view_freeze(view, altitude_of_sea(atlas), error);
    river_lines_free(lines);
    return status;
}

Status eroded_render(const View *view, Error *error) {
    const bool cells = shows_cells(view), planet = view->map->tiling->planet;
    Atlas atlas = { 0 };
    WideView wide = { 0 };
    Status status = cells ? STATUS_OK : wide_view_create(&wide, view, error);
    const View *whole = planet ? &wide.view : view;
    const int depth = atlas_depth(whole);
    if (status == STATUS_OK)
        status = atlas_open(&atlas, whole, depth, margin_of_all(whole, depth), error);
    atlas.view = view;
    if (status == STATUS_OK)
        status = draw(&atlas, cells ? NULL : &wide, error);
    atlas_close(&atlas);
    wide_view_free(&wide);
    return status;
}
