// A map knows the altitude of its land exactly. What wide rivers make of it is only drawn, so it is found by
// drawing a pixel.

#include "rivermap/view_datum.h"

#include "core/math.h"
#include "core/whole.h"

#include <math.h>

static bool has_wide_rivers(const View *view) {
    return view->map->constants.rivers && view->line_basin < INFINITY && !view->map->tiling->planet;
}

// What a window of one pixel shows above the datum, in map units.
static Status show_pixel(const View *pixel, bool wide_rivers, double *shown, Error *error) {
    Field fields[3] = { 0 };
    View view = *pixel;
    view.altitude = &fields[0];
    view.river = &fields[1];
    view.flow = &fields[2];
    view.whole_pixels = !wide_rivers;
    view.line_basin = wide_rivers ? view.line_basin : INFINITY;
    const Status status = view_draw(&view, error);
    if (status == STATUS_OK)
        *shown = (double)*field_cells(&fields[0]);
    for (int i = 0; i < 3; i++)
        field_free(&fields[i]);
    return status;
}

// To where a wide river has shaped the land. A float shows 24 bits of how far it has been moved, so that a
// few rounds reach the altitude itself.
static Status raise_datum(const View *pixel, Datum *datum, Error *error) {
    enum { ROUNDS = 8 };
    double bare = 0, shown = 0;
    Status status = show_pixel(pixel, false, &bare, error);
    if (status == STATUS_OK)
        status = show_pixel(pixel, true, &shown, error);
    const bool shaped = shown != bare;
    for (int round = 0; round < ROUNDS && shaped && shown != 0 && status == STATUS_OK; round++) {
        datum->raised += whole_128(ldexp(shown / datum->unit, datum->depth));
        status = show_pixel(pixel, true, &shown, error);
    }
    return status;
}

Status view_datum(const View *view, Datum *datum, Error *error) {
    View centre = *view;
    centre.x = view->centre_x;
    centre.y = view->centre_y;
    centre.width = centre.height = 1;
    centre.altitude = NULL;
    centre.datum = datum;
    const Status status = view->map->land->datum(&centre, datum, error);
    return status == STATUS_OK && has_wide_rivers(view) ? raise_datum(&centre, datum, error) : status;
}

Status check_from(Decimal x, Decimal y, double zoom, Error *error) {
    if (!isnan(zoom) || (isnan(x.number) && isnan(y.number)))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s needs from_zoom, the zoom of the window with this centre",
                isnan(x.number) ? "from_y" : "from_x");
}

static Decimal or_middle(Decimal place) {
    const Decimal middle = { .number = 0.5 };
    return isnan(place.number) ? middle : place;
}

Status view_datum_of(const View *view, const Asked *from, const Call *call, Datum *datum, Error *error) {
    View other = *view;
    Asked asked = *from;
    asked.x = or_middle(from->x);
    asked.y = or_middle(from->y);
    const Status status = view_set_point(&other, call, &asked, error);
    return status == STATUS_OK ? view_datum(&other, datum, error) : status;
}
