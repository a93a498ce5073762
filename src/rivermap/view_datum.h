// The zero of a relative window's altitudes.

#ifndef ESKER_VIEW_DATUM_H
#define ESKER_VIEW_DATUM_H

#include "rivermap/view.h"

// The exact altitude in the window's middle, as pixels so large show it: of the land, or of what wide rivers
// have made of it.
Status view_datum(const View *view, Datum *datum, Error *error);

// from_x and from_y, which default to the map's middle, are for from_zoom.
Status check_from(Decimal x, Decimal y, double zoom, Error *error);

// The same of the place from_x, from_y at from_zoom, with the size and projection of this window.
Status view_datum_of(const View *view, const Asked *from, const Call *call, Datum *datum, Error *error);

#endif
