#include "land/edit_wishes.h"

#include "land/craters.h"
#include "land/law.h"
#include "land/paints.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>

// The slope that the law gives a hill's flanks where they are steepest, against its height over half its
// width: hills keep their volume, in the median (docs/edits.md).
#define STEEP 1.15
#define PAINT_STEEP 0.9 // the same of painted fields, against their own slope

// --- where they are ----------------------------------------------------------------------------------------

static double side_cells(const Land *land, int level) {
    return ldexp(land->root.width, level);
}

static int column_of(double place, Int128 first, int most) {
    return double_to_within(floor(place - (double)first), 0, most);
}

static Region box_in(const Land *land, const LandWindow *window, const LandEdit *edit) {
    const double cells = side_cells(land, window->level);
    return (Region){ column_of(edit->left * cells, window->x, window->width),
                     column_of(edit->top * cells, window->y, window->height),
                     column_of(edit->right * cells + 1, window->x, window->width),
                     column_of(edit->bottom * cells + 1, window->y, window->height) };
}

Region edit_box(const Level *level, const LandEdit *edit) {
    const LandWindow window = {
        .x = level->x, .y = level->y, .width = level->width, .height = level->height, .level = level->number
    };
    return box_in(level->land, &window, edit);
}

bool edits_enter(const LandEdits *edits, int level) {
    bool any = false;
    for (int i = 0; edits && i < edits->count && !any; i++)
        any = edits->at[i].entry == level;
    return any;
}

bool edits_are_near(const Land *land, const LandWindow *window) {
    const LandEdits *edits = land->rules.edits;
    bool any = false;
    for (int i = 0; edits && i < edits->count && !any; i++)
        any = edits->at[i].entry == window->level && !region_is_empty(box_in(land, window, &edits->at[i]));
    return any;
}

// What a height of 1 is in the level's units.
static double height_units(const Level *level) {
    return ldexp(level->land->cell, doublings(&level->land->rules, level->number));
}

LocalEdits local_edits(const Level *level) {
    return (LocalEdits){ .level = level,
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
        if (!matters(level, &edits->at[i], levelled) || region_is_empty(edit_box(level, &edits->at[i])))
            continue;
        if (!level->edits)
            level->edits = memory_new((size_t)edits->count, sizeof *level->edits, error);
        if (!level->edits)
            return STATUS_MEMORY;
        level->edits[level->edit_count++] = i;
    }
    return STATUS_OK;
}

static bool is_at(const LandEdit *edit, double x, double y) {
    return x >= edit->left && x <= edit->right && y >= edit->top && y <= edit->bottom;
}

bool edit_shore_has(const Level *level, double reach, double x, double y) {
    const LandEdits *edits = level->land->rules.edits;
    bool inside = false;
    for (int i = 0; i < level->edit_count && !inside; i++) {
        const LandEdit *edit = &edits->at[level->edits[i]];
        const double depth = has_shore(level, edit) && is_at(edit, x, y) ? edit_depth(edits, edit, x, y) : 0;
        inside = depth > 0 && depth <= reach;
    }
    return inside;
}

// --- what they want ----------------------------------------------------------------------------------------

static double middle_of(const LocalEdits *local, Int128 cell) {
    return ((double)cell + 0.5) / local->cells;
}

int32_t units_of(double height) {
    return whole_int(floor(clamp(height, -(double)HIGHEST, (double)HIGHEST) + 0.5));
}

int32_t edit_altitude(const LocalEdits *local, double height) {
    const Int128 exact = whole_128(height * local->units) - local->level->base;
    return (int32_t)(exact > HIGHEST ? HIGHEST : exact < -HIGHEST ? -HIGHEST : exact);
}

void edits_of_row(const LocalEdits *local, int y, RowEdits *row) {
    const double at = middle_of(local, local->level->y + y);
    row->numbers = row->own;
    row->count = 0;
    for (int i = 0; i < local->count; i++) {
        const LandEdit *edit = &local->edits->at[local->numbers[i]];
        if (at < edit->top || at > edit->bottom)
            continue;
        if (row->count == ROW_EDITS) {
            row->numbers = local->numbers;
            row->count = local->count;
            return;
        }
        row->own[row->count++] = local->numbers[i];
    }
}

// Gives the share of the ground that is the crater's. `keep` and `above`: see there.
static double wish_crater(const LocalEdits *local, const LandEdit *edit, double x, double y, double keep,
                          double above, EditWish *wish) {
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
    const EditPoint bottom = crater_bottom(edit, middle);
    const bool lowest = floor(bottom.x * local->cells) == floor(x * local->cells) &&
                        floor(bottom.y * local->cells) == floor(y * local->cells);
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

EditWish wish_at(const LocalEdits *local, const RowEdits *row, int column, int line) {
    const Level *level = local->level;
    const double x = middle_of(local, level->x + column), y = middle_of(local, level->y + line),
                 units = local->units, cells = local->cells;
    EditWish wish = { 0 };
    double keep = 1, above = 0; // of what is made before; and what later forms have added to the level
    for (int i = row->count - 1; i >= 0 && keep > 0; i--) {
        const LandEdit *edit = &local->edits->at[row->numbers[i]];
        if (edit->kind == EDIT_LAKE || edit->kind == EDIT_SEA || edit->kind == EDIT_CANAL ||
            !is_at(edit, x, y))
            continue;
        const bool enters = edit->entry == level->number;
        if (edit->kind == EDIT_CRATER) {
            keep *= 1 - wish_crater(local, edit, x, y, keep, above, &wish);
            continue;
        }
        if (edit->kind == EDIT_PAINT) {
            above += wish_paint(local, edit, x, y, keep, &wish);
            continue;
        }
        const EditForm form = edit_form(local->edits, edit, x, y);
        if (edit->kind == EDIT_LAND && enters) {
            wish.land = max(wish.land, edit->height * form.share * keep * units);
            continue;
        }
        if (edit->kind != EDIT_LEVEL) {
            const double height = edit->height * form.share * keep * units;
            wish.added += enters ? units_of(height) : 0;
            wish.rises += enters && height > 0 ? form.share * keep : 0;
            above += enters ? 0 : height;
            const double slope = enters ? 0 : edit->height * units / (edit->half * cells) * keep;
            wish.steep += STEEP * slope * form.flanks;
            wish.sunk -= slope * form.share * (2 - form.share);
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
