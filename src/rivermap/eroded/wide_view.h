// A view that shows PIXEL_SEAS_MARGIN pixels more on every side, with an altitude and a flow of its own.

#ifndef ESKER_WIDE_VIEW_H
#define ESKER_WIDE_VIEW_H

#include "rivermap/view.h"

typedef struct WideView {
    View view;
    Field altitude, flow;
} WideView;

// Freed by wide_view_free, also after a failure. Its fields, which may be larger than any other, are not set.
Status wide_view_create(WideView *wide, const View *view, Error *error);
void wide_view_free(WideView *wide);

// Copies what the view shows.
void wide_view_take(const WideView *wide, const View *view);

#endif
