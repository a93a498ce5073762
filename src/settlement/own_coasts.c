#include "settlement/own_coasts.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/whole.h"
#include "land/edits.h"
#include "rivermap/eroded/eroded.h"

#include <math.h>

#define NEW_LAND 1.0f // metres that land stands above the sea whose level does not show it

// The pixels of a side that an edit's box covers, of `count` from `first` on.
static int pixel_of(double share, double pixels, int first, int count) {
    return double_to_within(floor(share * pixels) - first, 0, count);
}

static void show_coast(Grid *grid, const LandEdits *edits, const LandEdit *edit) {
    const double pixels = ldexp(1, grid->bits);
    const EditBox *on = &edit->on[grid->face];
    const GridBox *box = &grid->box;
    const bool land = edit->kind == EDIT_LAND;
    if (box_is_empty(on))
        return;
    const int left = pixel_of(on->left, pixels, box->x, box->width),
              top = pixel_of(on->top, pixels, box->y, box->height),
              right = pixel_of(on->right + 1 / pixels, pixels, box->x, box->width),
              bottom = pixel_of(on->bottom + 1 / pixels, pixels, box->y, box->height);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            const EditPlace place =
                place_on_face(edit->chart.round, pixels, grid->face, box->x + x + 0.5, box->y + y + 0.5);
            const EditPoint at = point_in(&edit->chart, &place);
            float *altitude = field_row(&grid->altitude, y) + x;
            if ((*altitude < 0) == land && edit_outline_has(edits, edit, 0, at.x, at.y))
                *altitude = land ? NEW_LAND : -NEW_LAND;
        }
}

void show_coasts(Grid *grid, const RiverMap *map) {
    const LandEdits *edits = map->edits;
    const int level = grid->bits - (eroded_of(map)->depth - (map->tiling->planet ? 2 : 0));
    const LandEditKind kinds[] = { EDIT_LAND, EDIT_SEA }; // where both are there is sea
    for (int k = 0; edits && k < 2; k++)
        for (int i = 0; i < edits->count; i++)
            if (edits->at[i].kind == kinds[k] && edits->at[i].entry > level)
                show_coast(grid, edits, &edits->at[i]);
}
