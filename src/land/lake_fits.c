// Which lakes and seas of edits fit: a land is computed there, and its level looked at just before they are
// made.

#include "land/edits.h"
#include "land/level.h"

#include "core/math.h"

#include <math.h>
#include <string.h>

typedef struct Fitting {
    int first, count;
    LakeFit *fits;
} Fitting;

static void look(void *context, const Level *level, const LandStep *step) {
    const Fitting *fitting = context;
    for (int i = 0; i < fitting->count && strcmp(step->name, STEP_BEFORE_BASINS) == 0; i++)
        if (!fitting->fits[i].known)
            fit_basin(level, &level->land->rules.edits->at[fitting->first + i], &fitting->fits[i]);
}

Status land_fit_lake(Land *land, const Run *run, int first, int count, int which, LakeFit *fits,
                     Error *error) {
    const LandEdit *edit = &land->rules.edits->at[first + which];
    Fitting fitting = { first, count, fits };
    if (fits[which].known)
        return STATUS_OK;
    land->watch = (LandWatch){ look, &fitting };
    const double cells = ldexp(land->root.width, edit->entry);
    const double x = clamp(floor((edit->left + edit->right) / 2 * cells), 0, cells - 1),
                 y = clamp(floor((edit->top + edit->bottom) / 2 * cells), 0, cells - 1);
    LandWindow window = { 0 };
    const Status status =
        land_altitudes(land, run, edit->entry, whole_128(x), whole_128(y), 1, 1, &window, error);
    land_window_free(&window);
    land->watch = (LandWatch){ 0 };
    return status;
}
