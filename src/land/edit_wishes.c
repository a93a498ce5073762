#include "land/edit_wishes.h"

#include "land/craters.h"
#include "land/edit_lattice.h"
#include "land/law.h"
#include "land/paints.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

#define TOP 0.4         // of a hill's height: above, no stream begins on the level that it enters
#define PAINT_STEEP 0.9 // the same of painted fields, against their own slope

// --- where they are ----------------------------------------------------------------------------------------

// Along a face's side, which is all of a flat land.
static double face_cells(const Land *land, int level) {
    return ldexp(land->root.width, level);
}

static double side_cells(const Land *land, int level) {
    return (land->rules.planet ? 4 : 1) * face_cells(land, level);
}

// The first row of a face on the grid of all of them.
static Int128 first_row(const Land *land, int level, int face) {
    return land->rules.planet ? face * ((Int128)land->root.width << level) : 0;
}

static int column_of(double place, Int128 first, int most) {
    return double_to_within(floor(place - (double)first), 0, most);
}

// The cells of a rectangle of a face that a box covers.
static Region box_in(double cells, const EditBox *box, Int128 x, Int128 y, int width, int height) {
    if (box_is_empty(box))
        return (Region){ 0 };
    return (Region){ column_of(box->left * cells, x, width), column_of(box->top * cells, y, height),
                     column_of(box->right * cells + 1, x, width),
                     column_of(box->bottom * cells + 1, y, height) };
}

Region box_in_patch(const Level *level, const PatchPlace *place, const EditBox *box) {
    const Land *land = level->land;
    Region region =
        box_in(face_cells(land, level->number), box, place->x,
               place->y - first_row(land, level->number, place->face), level->width, place->height);
    region.top += place->row;
    region.bottom += place->row;
    return region;
}

Region edit_box(const Level *level, const LandEdit *edit) {
    Region region = { 0 };
    for (int i = 0; i < level->patch_count; i++) {
        const PatchPlace *place = &level->patches[i].place;
        const Region more = box_in_patch(level, place, &edit->on[place->face]);
        if (!region_is_empty(more))
            region = region_joined(region, more);
    }
    return region;
}

static const PatchPlace *patch_of_row(const Level *level, int y) {
    const Patch *patch = level->patches;
    while (y >= patch->place.row + patch->place.height)
        patch++;
    return &patch->place;
}

FaceRow row_on_face(const Level *level, int y) {
    const PatchPlace *place = patch_of_row(level, y);
    const Int128 top = first_row(level->land, level->number, place->face);
    return (FaceRow){ place->face, place->x, place->y - top + (y - place->row), top,
                      face_cells(level->land, level->number) };
}

static EditPlace place_in_row(const Level *level, const FaceRow *row, int x) {
    return place_on_face(level->land->rules.planet, row->side, row->face, (double)(row->x + x) + 0.5,
                         (double)row->y + 0.5);
}

EditPlace place_in_level(const Level *level, size_t cell) {
    const FaceRow row = row_on_face(level, (int)(cell / (size_t)level->width));
    const int x = (int)(cell % (size_t)level->width);
    CubeCell own = { row.face, row.x + x, row.y, 0 };
    if (level->land->rules.planet && cube_resolve(whole_128(row.side), &own))
        return place_on_face(true, row.side, own.face, (double)own.x + 0.5, (double)own.y + 0.5);
    return place_in_row(level, &row, x);
}

static Region valid_part(const Level *level, const PatchPlace *place, Int128 side) {
    const Int128 y = place->y - place->face * side;
    const int rim = level->rim;
    return (Region){ place->x < 0 ? HALO : rim, place->row + (y < 0 ? HALO : rim),
                     place->x + level->width > side ? level->width - HALO : level->width - rim,
                     place->row + place->height - (y + place->height > side ? HALO : rim) };
}

Region known_part(const Level *level, const PatchPlace *place) {
    return level->seams ? valid_part(level, place, (Int128)level->land->root.width << level->number)
                        : level->region;
}

static bool find_in(const Level *level, const PatchPlace *place, Region part, Int128 x, Int128 y,
                    size_t *cell) {
    const Int128 column = x - place->x,
                 row = y + first_row(level->land, level->number, place->face) - place->y + place->row;
    if (column < part.left || row < part.top || column >= part.right || row >= part.bottom)
        return false;
    *cell = (size_t)row * (size_t)level->width + (size_t)column;
    return true;
}

static Region within_edges(Region part) {
    return (Region){ part.left + 1, part.top + 1, part.right - 1, part.bottom - 1 };
}

bool cell_in_patch(const Level *level, const PatchPlace *place, Int128 x, Int128 y, size_t *cell) {
    const Region part = { 0, place->row, level->width, place->row + place->height };
    return find_in(level, place, within_edges(part), x, y, cell);
}

// Around cells at an edge of their face are those beyond it.
bool cell_on_face(const Level *level, int face, Int128 x, Int128 y, size_t *cell) {
    const Int128 side = (Int128)level->land->root.width << level->number;
    bool found = false;
    for (int i = 0; i < level->patch_count && !found; i++) {
        const PatchPlace *place = &level->patches[i].place;
        const Region part = known_part(level, place), inner = within_edges(part);
        const bool left = level->seams && x == 0, top = level->seams && y == 0,
                   right = level->seams && x == side - 1, bottom = level->seams && y == side - 1;
        found = place->face == face &&
                find_in(level, place,
                        (Region){ left ? part.left : inner.left, top ? part.top : inner.top,
                                  right ? part.right : inner.right, bottom ? part.bottom : inner.bottom },
                        x, y, cell);
    }
    return found;
}

bool known_box(const Level *level, const EditBox on[CUBE_FACES], int more, Region *cells) {
    const double side = face_cells(level->land, level->number);
    const bool planet = level->land->rules.planet;
    const PatchPlace *place = NULL;
    for (int i = 0; i < level->patch_count && !place; i++)
        place = box_is_empty(&on[level->patches[i].place.face]) ? NULL : &level->patches[i].place;
    if (!place || !boxes_on_one_face(on))
        return false;
    const EditBox *box = &on[place->face];
    const Region part = known_part(level, place);
    const int least = planet ? 0 : 1;
    const double down = (double)place->y - (double)first_row(level->land, level->number, place->face) -
                        place->row,
                 left = max(floor(box->left * side) - more, least) - (double)place->x,
                 top = max(floor(box->top * side) - more, least) - down,
                 right = min(ceil(box->right * side) + more, side - least) - (double)place->x,
                 bottom = min(ceil(box->bottom * side) + more, side - least) - down;
    if (left < part.left || top < part.top || right > part.right || bottom > part.bottom)
        return false;
    *cells = (Region){ whole_int(left), whole_int(top), whole_int(right), whole_int(bottom) };
    return true;
}

void edits_near(const Land *land, const LandWindow *window, Hillslope *form) {
    const LandEdits *edits = land->rules.edits;
    const double cells = face_cells(land, window->level);
    const Int128 top = window->y - first_row(land, window->level, window->face);
    form->edits = form->lowers = form->seaward = form->canals = false;
    form->basins = form->bowls = form->rises = form->fills = 0;
    for (int i = 0; edits && i < edits->count; i++) {
        const LandEdit *edit = &edits->at[i];
        if (edit->entry == window->level && !region_is_empty(box_in(cells, &edit->on[window->face], window->x,
                                                                    top, window->width, window->height)))
            edit_counts(edit, form);
    }
    form->rises = form->edits ? RISE_REACH + (form->seaward ? MOUTH_REACH_ON : 0) : 0;
}

// --- how far raising them reaches --------------------------------------------------------------------------

enum {
    RISING_RIM = 3,   // cells around a box that what is in it depends on
    RISINGS_MAX = 256 // edits that cross the edge of a window, or touch those
};

// An edit that raises, in cells from a window's first one.
typedef struct Rising {
    int left, top, right, bottom;
    bool seaward, visited;
} Rising;

static Rising rising_of(const Land *land, const LandEdit *edit, const LandWindow *window) {
    const double cells = face_cells(land, window->level);
    const EditBox *box = &edit->on[window->face];
    const double x = (double)window->x,
                 y = (double)(window->y - first_row(land, window->level, window->face));
    const int far = INT32_MAX / 4;
    return (Rising){ double_to_within(floor(max(box->left, 0.0) * cells) - RISING_RIM - x, -far, far),
                     double_to_within(floor(max(box->top, 0.0) * cells) - RISING_RIM - y, -far, far),
                     double_to_within(ceil(min(box->right, 1.0) * cells) + RISING_RIM - x, -far, far),
                     double_to_within(ceil(min(box->bottom, 1.0) * cells) + RISING_RIM - y, -far, far),
                     edit->seaward || edit->kind == EDIT_LAND,
                     false };
}

static bool touch(const Rising *a, const Rising *b) {
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

// Lists those of a window that lie not all inside, but near; false: they are too many.
static bool list_risings(const Land *land, const LandWindow *window, int most, Rising *risings, int *count) {
    const LandEdits *edits = land->rules.edits;
    const Rising near = { -most, -most, window->width + most, window->height + most, false, false };
    *count = 0;
    for (int i = 0; edits && i < edits->count; i++) {
        const LandEdit *edit = &edits->at[i];
        if (edit->entry != window->level || box_is_empty(&edit->on[window->face]))
            continue;
        const Rising one = rising_of(land, edit, window);
        if (!touch(&one, &near) ||
            (one.left >= 0 && one.top >= 0 && one.right <= window->width && one.bottom <= window->height))
            continue;
        if (*count == RISINGS_MAX)
            return false;
        risings[(*count)++] = one;
    }
    return true;
}

// How far one and all that it touches go beyond the window, and what these touch.
static int reach_beyond(Rising *risings, int count, int first, const LandWindow *window) {
    int waiting[RISINGS_MAX], waits = 0, beyond = 0;
    bool seaward = false;
    waiting[waits++] = first;
    risings[first].visited = true;
    while (waits > 0) {
        const Rising *one = &risings[waiting[--waits]];
        seaward |= one->seaward;
        beyond = max(beyond, max(max(-one->left, -one->top),
                                 max(one->right - window->width, one->bottom - window->height)));
        for (int i = 0; i < count; i++)
            if (!risings[i].visited && touch(one, &risings[i])) {
                risings[i].visited = true;
                waiting[waits++] = i;
            }
    }
    return min(beyond, RISE_REACH + (seaward ? MOUTH_REACH_ON : 0));
}

int rise_near(const Land *land, const LandWindow *window, int most) {
    Rising risings[RISINGS_MAX];
    const Rising own = { 0, 0, window->width, window->height, false, false };
    int count, needed = min(most, (int)RISE_LEAST);
    if (most == 0 || !list_risings(land, window, most, risings, &count))
        return most;
    for (int i = 0; i < count; i++)
        if (!risings[i].visited && touch(&risings[i], &own))
            needed = max(needed, reach_beyond(risings, count, i, window) + 1);
    return min(needed, most);
}

// What a height of 1 is in the level's units.
static double height_units(const Level *level) {
    return ldexp(level->land->cell, doublings(&level->land->rules, level->number));
}

static bool has_levelled(const Level *level) {
    bool any = false;
    for (int i = 0; i < level->edit_count && !any; i++)
        any = edit_stays_level(&level->land->rules.edits->at[level->edits[i]]);
    return any;
}

LocalEdits local_edits(const Level *level) {
    return (LocalEdits){ .level = level,
                         .levelled = has_levelled(level),
                         .edits = level->land->rules.edits,
                         .numbers = level->edits,
                         .count = level->edit_count,
                         .cells = side_cells(level->land, level->number),
                         .units = height_units(level) };
}

Region edits_box(const Level *level, bool entering) {
    const LandEdits *edits = level->land->rules.edits;
    Region box = { 0 };
    for (int i = 0; i < level->edit_count; i++) {
        const LandEdit *edit = &edits->at[level->edits[i]];
        if (!entering || edit->entry == level->number)
            box = region_joined(box, edit_box(level, edit));
    }
    return box;
}

static bool has_shore(const Level *level, const LandEdit *edit) {
    return edit->kind == EDIT_LAKE && edit->entry < level->number &&
           level->number <= edit->entry + SHORE_LEVELS;
}

bool edit_stays_level(const LandEdit *edit) {
    return edit->kind == EDIT_LEVEL || edit->kind == EDIT_CRATER;
}

// Forms matter to finer levels by their slopes, where the law gives these, and to level ground made before.
static bool matters(const Level *level, const LandEdit *edit, bool levelled) {
    if (edit->kind == EDIT_CANAL)
        return edit->entry == level->number;
    if (edit->kind == EDIT_LAKE && edit->entry < level->number)
        return has_shore(level, edit);
    const bool stays = edit->kind != EDIT_SEA;
    return edit->entry == level->number ||
           (edit->entry < level->number && stays && (level->graded || levelled || edit_stays_level(edit)));
}

Status find_edits(Level *level, Error *error) {
    const LandEdits *edits = level->land->rules.edits;
    bool levelled = false;
    for (int i = 0; edits && i < edits->count; i++)
        levelled |= edit_stays_level(&edits->at[i]);
    for (int i = 0; edits && i < edits->count; i++) {
        if (!matters(level, &edits->at[i], levelled))
            continue;
        const Region box = edit_box(level, &edits->at[i]);
        if (region_is_empty(box))
            continue;
        if (!level->edits) {
            level->edits = memory_new((size_t)edits->count, sizeof *level->edits, error);
            level->edit_rows = memory_new((size_t)edits->count, sizeof *level->edit_rows, error);
        }
        if (!level->edits || !level->edit_rows)
            return STATUS_MEMORY;
        level->edit_rows[level->edit_count] = (EditRows){ box.top, box.bottom };
        level->edits[level->edit_count++] = i;
    }
    return STATUS_OK;
}

bool edit_shore_has(const Level *level, double reach, double x, double y) {
    const LandEdits *edits = level->land->rules.edits;
    const PatchPlace *patch = &level->patches->place;
    const double side = face_cells(level->land, level->number - 1);
    const EditPlace place = level->edit_count > 0
                                ? place_on_face(level->land->rules.planet, side, patch->face, x, y)
                                : (EditPlace){ 0 };
    bool inside = false;
    for (int i = 0; i < level->edit_count && !inside; i++) {
        const LandEdit *edit = &edits->at[level->edits[i]];
        if (!has_shore(level, edit))
            continue;
        const EditPoint at = point_in(&edit->chart, &place);
        const double depth = edit_is_at(edit, at) ? edit_depth(edits, edit, at.x, at.y) : 0;
        inside = depth > 0 && depth <= reach / side_cells(level->land, level->number - 1);
    }
    return inside;
}

// --- what they want ----------------------------------------------------------------------------------------

int32_t units_of(double height) {
    return whole_int(floor(clamp(height, -(double)HIGHEST, (double)HIGHEST) + 0.5));
}

int32_t edit_altitude(const LocalEdits *local, double height) {
    const Int128 exact = whole_128(height * local->units) - local->level->base;
    return (int32_t)(exact > HIGHEST ? HIGHEST : exact < -HIGHEST ? -HIGHEST : exact);
}

static bool is_asked(const LocalEdits *local, WishFor what, const LandEdit *edit) {
    const bool enters = edit->entry == local->level->number;
    if (edit->kind == EDIT_LAKE || edit->kind == EDIT_SEA || edit->kind == EDIT_CANAL)
        return false;
    return what == WISH_LEVEL ? edit_stays_level(edit) : local->levelled || enters == (what == WISH_GROUND);
}

static int column_in(const FaceRow *row, double place) {
    return double_to_within(floor(place * row->side) - (double)row->x, INT32_MIN / 2, INT32_MAX / 2);
}

bool edit_in_row(const LocalEdits *local, int which, const FaceRow *row, RowEdit *own) {
    const EditBox *box = &local->edits->at[local->numbers[which]].on[row->face];
    const double at = ((double)row->y + 0.5) / row->side;
    if (box_is_empty(box) || at < box->top || at > box->bottom)
        return false;
    *own = (RowEdit){ which, max(column_in(row, box->left), local->box.left),
                      min(column_in(row, box->right) + 1, local->box.right) };
    return own->first < own->end;
}

void edits_of_row(const LocalEdits *local, WishFor what, int y, RowEdits *row) {
    const Level *level = local->level;
    row->at = row_on_face(level, y);
    row->count = row->end = 0;
    row->first = level->width;
    row->all = false;
    for (int i = 0; i < local->count; i++) {
        const LandEdit *edit = &local->edits->at[local->numbers[i]];
        const EditRows *rows = &level->edit_rows[i];
        RowEdit own;
        if (y < rows->first || y >= rows->end || !is_asked(local, what, edit) ||
            !edit_in_row(local, i, &row->at, &own))
            continue;
        if (row->count == ROW_EDITS) {
            row->all = true;
            row->count = local->count;
            row->first = local->box.left;
            row->end = local->box.right;
            return;
        }
        row->own[row->count++] = own;
        row->first = min(row->first, own.first);
        row->end = max(row->end, own.end);
    }
}

int next_column(const RowEdits *row, int x) {
    int next = row->end;
    for (int i = 0; i < row->count && !row->all; i++)
        if (row->own[i].end > x)
            next = min(next, max(row->own[i].first, x));
    return row->all ? x : next;
}

// Whether a place of an edit's chart lies in a cell.
static bool is_in_cell(const LandEdit *edit, EditPoint point, const FaceRow *cell) {
    const CubePlace place = chart_place(&edit->chart, point, cell->side);
    return place.face == cell->face && floor(place.x) == (double)cell->x && floor(place.y) == (double)cell->y;
}

// Gives the share of the ground that is the crater's. `keep` and `above`: see there.
static double wish_crater(const LocalEdits *local, const LandEdit *edit, const FaceRow *cell, double x,
                          double y, double keep, double above, EditWish *wish) {
    const EditPoint *middle = local->edits->points + edit->first;
    const bool enters = edit->entry == local->level->number;
    const double covered = crater_share(edit, middle, x, y), share = covered * keep;
    wish->flat += !enters || edit->part > 0 ? crater_smooth(covered) * keep : 0;
    if (!enters)
        return covered;
    const CraterForm form = crater_form(edit, middle, x, y);
    wish->share += share;
    const double tilted = edit->height + crater_tilt(edit, middle, x, y);
    wish->target += share * ((double)edit_altitude(local, tilted) + above);
    wish->added += units_of(form.height * keep * local->units);
    wish->rises += form.height > 0 ? share : 0;
    if (!form.inside || keep < 0.5)
        return covered;
    wish->owner = whole_int((double)(edit - local->edits->at));
    wish->pool = edit->wet && tilted + form.height < edit->water;
    wish->water = wish->pool ? edit_altitude(local, edit->water) : 0;
    wish->crater = wish->pool ? MARK_SHORE : 0;
    if (edit->part > 0)
        return covered;
    const bool lowest = is_in_cell(edit, crater_bottom(edit, middle), cell);
    wish->crater = wish->pool ? MARK_POOL : lowest ? MARK_BOTTOM : MARK_BOWL;
    return covered;
}

// Gives what it has added to coarser levels.
static double wish_paint(const LocalEdits *local, const LandEdit *edit, double x, double y, double keep,
                         EditWish *wish) {
    const PaintForm form = paint_form(local->edits, edit, x, y);
    const double height = form.height * keep * local->units;
    const bool enters = edit->entry == local->level->number;
    if (!enters && (edit->entry == local->level->number - 1 || edit->last))
        wish->steep += PAINT_STEEP * form.slope * local->units / local->cells * keep;
    if (!enters)
        return height;
    wish->added += units_of(height);
    wish->rises += height > 0 && edit->part == 0 ? form.share * keep : 0;
    return 0;
}

double edit_slope_of(const LocalEdits *local, const LandEdit *edit) {
    return edit->height * local->units / (edit->half * local->cells);
}

EditSlope edit_slope(const LocalEdits *local, const LandEdit *edit, const EditForm *form) {
    const double slope = edit_slope_of(local, edit);
    return (EditSlope){ STEEP * slope * form->flanks, -slope * form->share * (2 - form->share) };
}

// A share of which thousands have the same sum in any order, to the bit.
static double summable(double share) {
    return ldexp(floor(ldexp(share, 40)), -40);
}

EditWish wish_at(const LocalEdits *local, const RowEdits *row, int column) {
    const Level *level = local->level;
    const double units = local->units;
    const EditPlace place = place_in_row(level, &row->at, column);
    EditWish wish = { 0 };
    double keep = 1, above = 0; // of what is made before; and what later forms have added to the level
    for (int i = row->count - 1; i >= 0 && keep > 0; i--) {
        if (!row->all && (column < row->own[i].first || column >= row->own[i].end))
            continue;
        const int which = row->all ? i : row->own[i].which;
        const LandEdit *edit = &local->edits->at[local->numbers[which]];
        if (edit->kind == EDIT_LAKE || edit->kind == EDIT_SEA || edit->kind == EDIT_CANAL)
            continue;
        const EditPoint at = point_in(&edit->chart, &place);
        if (!edit_is_at(edit, at))
            continue;
        const bool enters = edit->entry == level->number;
        if (edit->kind == EDIT_CRATER) {
            const FaceRow cell = { row->at.face, row->at.x + column, row->at.y, row->at.top, row->at.side };
            keep *= 1 - wish_crater(local, edit, &cell, at.x, at.y, keep, above, &wish);
            continue;
        }
        if (edit->kind == EDIT_PAINT) {
            above += wish_paint(local, edit, at.x, at.y, keep, &wish);
            continue;
        }
        const bool sparse = local->lattice && local->lattice[which].forms;
        const EditForm form = sparse ? lattice_form(&local->lattice[which], row->at.x + column, column)
                                     : edit_form(local->edits, edit, at.x, at.y);
        if (edit->kind == EDIT_LAND && enters) {
            wish.land = max(wish.land, edit->height * form.share * keep * units);
            continue;
        }
        if (edit->kind != EDIT_LEVEL) {
            const double height = edit->height * form.share * keep * units;
            wish.added += enters ? units_of(height) : 0;
            wish.rises += enters && height > 0 ? summable(form.share * keep) : 0;
            wish.top |= enters && height > 0 && form.share * keep >= TOP;
            above += enters ? 0 : height;
            EditSlope slope = { 0 };
            if (!enters)
                slope = edit_slope(local, edit, &form);
            wish.steep += slope.steep * keep;
            wish.sunk += slope.sunk * keep;
            continue;
        }
        const double share = form.share * keep;
        if (enters) {
            wish.share += share;
            wish.target += share * ((double)edit_altitude(local, edit->height) + above);
        } else {
            wish.flat += share;
        }
        keep *= 1 - form.share;
    }
    return wish;
}

bool has_forms_alone(const LocalEdits *local, const RowEdits *row) {
    bool alone = !local->levelled && !row->all;
    for (int i = 0; i < row->count && alone; i++)
        alone = local->edits->at[local->numbers[row->own[i].which]].kind == EDIT_RAISE;
    return alone;
}

void wish_forms(const LocalEdits *local, const RowEdits *row, int first, int end, EditWish *wishes) {
    memset(wishes, 0, (size_t)(end - first) * sizeof *wishes);
    for (int i = row->count - 1; i >= 0; i--) {
        const RowEdit *own = &row->own[i];
        const LandEdit *edit = &local->edits->at[local->numbers[own->which]];
        if (own->first >= end || own->end <= first)
            continue;
        FormNoises noises = { 0 };
        const double column = (double)row->at.x, y = (double)row->at.y + 0.5; // whole numbers, exact
        for (int x = max(own->first, first); x < min(own->end, end); x++) {
            const EditPlace place = place_on_face(local->level->land->rules.planet, row->at.side,
                                                  row->at.face, column + x + 0.5, y);
            const EditPoint at = point_in(&edit->chart, &place);
            if (!edit_is_at(edit, at))
                continue;
            const EditForm form = edit_form_by(local->edits, edit, &noises, at.x, at.y);
            if (form.share <= 0)
                continue;
            EditWish *wish = &wishes[x - first];
            const double height = edit->height * form.share * local->units;
            wish->added += units_of(height);
            wish->rises += height > 0 ? summable(form.share) : 0;
            wish->top |= height > 0 && form.share >= TOP;
        }
    }
}
