#include "land/edit_sheets.h"

#include "land/edit_wishes.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { AROUND = 3 }; // cells around boxes, at most

// --- where it lies -----------------------------------------------------------------------------------------

static Int128 side_of(const Level *level) {
    return (Int128)level->land->root.width << level->number;
}

static LandRect cells_of(const EditBox *box, Int128 side) {
    const double cells = (double)side;
    return (LandRect){ whole_128(max(floor(box->left * cells), 0.0)),
                       whole_128(max(floor(box->top * cells), 0.0)),
                       whole_128(min(ceil(box->right * cells), cells)),
                       whole_128(min(ceil(box->bottom * cells), cells)) };
}

// What boxes cover, in cells of the first face, beyond one edge of which it goes; false: it is not so.
static bool find_rect(const Level *level, const EditBox on[CUBE_FACES], int more, int *face, LandRect *rect) {
    const Int128 side = side_of(level);
    int other = CUBE_FACES - 1;
    *face = 0;
    while (*face < CUBE_FACES && box_is_empty(&on[*face]))
        (*face)++;
    while (other > *face && box_is_empty(&on[other]))
        other--;
    if (!boxes_on_two_faces(on) || other <= *face)
        return false;
    const LandRect own = cells_of(&on[*face], side), beyond = cells_of(&on[other], side);
    CubeCell a = { other, beyond.left, beyond.top, 0 }, b = { other, beyond.right - 1, beyond.bottom - 1, 0 };
    if (!cube_unfold(side, *face, &a) || !cube_unfold(side, *face, &b))
        return false;
    *rect = (LandRect){ min(own.left, min(a.x, b.x)), min(own.top, min(a.y, b.y)),
                        max(own.right, max(a.x, b.x) + 1), max(own.bottom, max(a.y, b.y) + 1) };
    const LandRect wide = { rect->left - more, rect->top - more, rect->right + more, rect->bottom + more };
    *rect = (LandRect){ rect->left < 0 ? wide.left : max(wide.left, (Int128)0),
                        rect->top < 0 ? wide.top : max(wide.top, (Int128)0),
                        rect->right > side ? wide.right : min(wide.right, side),
                        rect->bottom > side ? wide.bottom : min(wide.bottom, side) };
    return true;
}

// The cell of the level that a cell of a face is; NOBODY: it is not known.
static int owner_of(const Level *level, const CubeCell *cell, bool valid) {
    const Int128 top = cell->face * side_of(level);
    for (int i = 0; i < level->patch_count; i++) {
        const PatchPlace *place = &level->patches[i].place;
        if (place->face != cell->face)
            continue;
        const Region part = valid ? known_part(level, place)
                                  : (Region){ GUARD, place->row + GUARD, level->width - GUARD,
                                              place->row + place->height - GUARD };
        const Int128 column = cell->x - place->x, row = cell->y + top - place->y + place->row;
        return column >= part.left && row >= part.top && column < part.right && row < part.bottom
                   ? (int)row * level->width + (int)column
                   : NOBODY;
    }
    return NOBODY;
}

// --- its cells ---------------------------------------------------------------------------------------------

static bool read_cell(const Sheet *sheet, size_t i, const CubeCell *cell, bool valid) {
    const Level *of = sheet->of, *to = &sheet->level;
    const int from = owner_of(of, cell, valid);
    sheet->owners[i] = from;
    sheet->turned[i] = (uint8_t)cell->turn;
    if (from == NOBODY) {
        to->z[i] = HIGHEST;
        to->wanted[i] = UNWANTED;
        to->area[i] = 1;
        to->receiver[i] = LAND_NONE;
        to->marks[i] = 0;
        return !valid;
    }
    const int receiver = of->receiver[from], turn = (4 - cell->turn) & 3;
    to->z[i] = of->z[from];
    to->next[i] = of->next[from];
    to->wanted[i] = of->wanted[from];
    to->area[i] = of->area[from];
    to->cut[i] = of->cut[from];
    to->slope[i] = of->slope[from];
    to->receiver[i] = (uint8_t)(receiver < NEIGHBOURS ? turned_direction(receiver, turn) : receiver);
    to->marks[i] = of->marks[from];
    to->flow[i] = of->flow[from];
    to->next_flow[i] = of->next_flow[from];
    if (of->runoff)
        to->runoff[i] = of->runoff[from];
    return true;
}

bool sheet_open(const Level *level, const EditBox on[CUBE_FACES], int more, bool whole, Sheet **opened) {
    Sheet *sheet = level->sheet;
    LandRect rect;
    int face;
    if (!sheet || !find_rect(level, on, more + 1, &face, &rect))
        return false;
    const int width = (int)(rect.right - rect.left), height = (int)(rect.bottom - rect.top);
    if (memory_count(width, height) > sheet->room)
        return false;
    const Int128 side = side_of(level);
    Level *own = &sheet->level;
    sheet->patch.place = (PatchPlace){ face, rect.left, rect.top + face * side, height, 0 };
    own->width = width;
    own->height = height;
    own->count = (size_t)width * (size_t)height;
    own->x = rect.left;
    own->y = sheet->patch.place.y;
    own->region = (Region){ 0, 0, width, height };
    own->lakes = level->lakes;
    sheet->inner = (Region){ 1, 1, width - 1, height - 1 };
    bool known = true;
    for (int y = 0; y < height && known; y++)
        for (int x = 0; x < width && known; x++) {
            CubeCell cell = { face, rect.left + x, rect.top + y, 0 };
            known = cube_resolve(side, &cell) &&
                    read_cell(sheet, (size_t)y * (size_t)width + (size_t)x, &cell, whole);
        }
    *opened = sheet;
    return known;
}

void sheet_return(const Sheet *sheet) {
    const Level *from = &sheet->level, *to = sheet->of;
    for (size_t i = 0; i < from->count; i++) {
        const int owner = sheet->owners[i], receiver = from->receiver[i];
        if (owner == NOBODY)
            continue;
        to->z[owner] = from->z[i];
        to->wanted[owner] = from->wanted[i];
        to->area[owner] = from->area[i];
        to->receiver[owner] =
            (uint8_t)(receiver < NEIGHBOURS ? turned_direction(receiver, sheet->turned[i]) : receiver);
        to->marks[owner] = from->marks[i];
        to->flow[owner] = from->flow[i];
        if (to->runoff)
            to->runoff[owner] = from->runoff[i];
    }
}

// --- room --------------------------------------------------------------------------------------------------

static Status make_room(Sheet *sheet, Error *error) {
    Status status = level_arrays_new(&sheet->level, sheet->room, error);
    if (status == STATUS_OK)
        status = level_wishes_new(&sheet->level, sheet->room, error);
    sheet->owners = memory_new(sheet->room, sizeof *sheet->owners, error);
    sheet->turned = memory_new(sheet->room, 1, error);
    return sheet->owners && sheet->turned ? status : STATUS_MEMORY;
}

// Cells of the largest sheet of those edits that are looked at as a whole.
static size_t room_needed(const Level *level) {
    size_t most = 0;
    for (int i = 0; i < level->edit_count; i++) {
        const LandEdit *edit = &level->land->rules.edits->at[level->edits[i]];
        LandRect rect;
        int face;
        if (edit->entry == level->number && (edit->basin || edit->bowl) &&
            find_rect(level, edit->on, AROUND, &face, &rect))
            most =
                max(most, memory_count((int64_t)(rect.right - rect.left), (int64_t)(rect.bottom - rect.top)));
    }
    return most;
}

Status sheets_begin(Level *level, Error *error) {
    const size_t room = level->seams ? room_needed(level) : 0;
    if (room == 0)
        return STATUS_OK;
    Sheet *sheet = level->sheet = memory_new_zeroed(1, sizeof *sheet, error);
    if (!sheet)
        return STATUS_MEMORY;
    sheet->of = level;
    sheet->room = room;
    sheet->level = (Level){ .land = level->land,
                            .run = level->run,
                            .number = level->number,
                            .graded = level->graded,
                            .cell = level->cell,
                            .least_fall = level->least_fall,
                            .hillslope = level->hillslope,
                            .patches = &sheet->patch,
                            .patch_count = 1,
                            .base = level->base,
                            .sea = level->sea,
                            .edits = level->edits,
                            .edit_rows = level->edit_rows,
                            .edit_count = level->edit_count };
    return make_room(sheet, error);
}

void sheets_end(const Level *level) {
    Sheet *sheet = level->sheet;
    if (!sheet)
        return;
    memory_free(sheet->turned);
    memory_free(sheet->owners);
    level_arrays_free(&sheet->level);
    memory_free(sheet);
}
