// Which lakes and seas of edits fit: a land is computed there, and its level looked at just before they are
// made.

#include "land/edits.h"
#include "land/level.h"
#include "land/tiles.h"

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
    if (land->rules.planet) // of which all is kept that was made
        land->versions[edit->entry] = tiles_new_version(land->tiles);
    land->watch = (LandWatch){ look, &fitting };
    const Int128 side = (Int128)land->root.width << edit->entry;
    LandFaces faces = { 0 };
    int face = 0;
    while (face + 1 < CUBE_FACES && box_is_empty(&edit->on[face]))
        face++;
    const EditBox *box = &edit->on[face];
    const Int128 x = whole_128(
                     clamp(floor((box->left + box->right) / 2 * (double)side), 0, (double)side - 1)),
                 y = whole_128(
                     clamp(floor((box->top + box->bottom) / 2 * (double)side), 0, (double)side - 1));
    faces.wanted[face] = (LandRect){ x, y, x + 1, y + 1 };
    const Status status = land_faces_once(land, run, edit->entry, &faces, error);
    land_faces_free(&faces);
    land->watch = (LandWatch){ 0 };
    return status;
}
