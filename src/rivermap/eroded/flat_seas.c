// Where the sea of a flat map's land shows in a picture whose pixels are no cells: cells are no larger than
// pixels, so those of neighbours are neighbours.

#include "rivermap/eroded/flat.h"
#include "rivermap/eroded/pixel_seas.h"

#include "core/memory.h"

typedef struct Search {
    const FlatWindow *window;
    const PixelSeas *seas;
    const int *columns, *rows; // of pixels, in which the middles of the land's columns and rows lie
} Search;

static void add_cell(const void *context, int x, int y) {
    const Search *search = context;
    pixel_seas_add_pixel(search->seas, search->columns[x], search->rows[y]);
}

static void add_rows(void *context, int first, int end) {
    const Search *search = context;
    for (int y = first; y < end; y++)
        pixel_seas_find(&search->window->land, y, add_cell, search);
}

// Of the pixels from `start` on those that hold the middles of cells; -1: before them.
static void find_pixels(const FlatWindow *window, Int128 start, Int128 first_cell, int count, int *pixels) {
    const View *view = window->view;
    for (int i = 0; i < count; i++) {
        const Int128 from = cell_place(window, first_cell + i) - start - view_nudge(view);
        pixels[i] = from < 0 ? -1 : (int)(from / view->pixel);
    }
}

Status flat_open_seas(const FlatWindow *window, Error *error) {
    const View *view = window->view;
    const LandWindow *land = &window->land;
    PixelSeas seas;
    Status status = pixel_seas_create(&seas, view->width, view->height, error);
    int *columns = memory_new((size_t)land->width + (size_t)land->height, sizeof *columns, error);
    if (status == STATUS_OK && !columns)
        status = STATUS_MEMORY;
    if (status == STATUS_OK) {
        int *rows = columns + land->width;
        find_pixels(window, view_left(view), land->x, land->width, columns);
        find_pixels(window, view_top(view), land->y, land->height, rows);
        Search search = { window, &seas, columns, rows };
        status = parallel_rows(view->run, land->height, land->width * 10.0, add_rows, &search);
    }
    if (status == STATUS_OK)
        status = pixel_seas_open(&seas, -(double)window->datum * window->unit, window->unit, view->altitude,
                                 view->flow, error);
    memory_free(columns);
    pixel_seas_free(&seas);
    return status;
}
