// The edits of a level. Ground rises after erosion, which would take it away again, and before the ground is
// filled and drained, so that water finds its way around; what sinks does after, along the ways that water
// takes, and never below them: so no pit is left.

#include "land/craters.h"
#include "land/drain.h"
#include "land/edit_sheets.h"
#include "land/edit_slopes.h"
#include "land/edit_wishes.h"
#include "land/law.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define LEVELLED 0.05      // of slopes that is left on level ground
#define ISLAND_COAST 0.15  // of a form's height: what lies below the coast in deep sea
#define SUNK_FLATNESS 0.95 // of slopes that is lost in deep pits, whose floors are as low as water runs off
enum { FILL_RIM = 4 };     // cells around an edit whose pits are filled

// --- slopes of finer levels --------------------------------------------------------------------------------

// A form's slope G counts where it is steeper than the law's, as sqrt(S² + G²), and varies as that does, so
// that its spurs and hollows are those of other land. New detail follows.
static void steepen_cell(const Level *level, size_t cell, double steep, double sunk) {
    if (steep > 0 && level->z[cell] > level->sea) {
        const float own = level->area[cell] * (float)steep, before = level->slope[cell],
                    slope = sqrtf(before * before + own * own);
        const float detail = level->land->rules.roughness * (slope - before) * level->cut[cell];
        level->z[cell] = sum(level->z[cell], whole_int(detail));
        level->slope[cell] = slope;
    }
    if (sunk > 0)
        level->slope[cell] *= (float)(1 - SUNK_FLATNESS * sunk / (sunk + level->slope[cell]));
}

// Scratch of rows.
typedef struct Steepening {
    double *steep, *sunk;
} Steepening;

// The row's cells whose slopes forms on the lattice change.
static void steepen_by_lattice(const LocalEdits *local, const RowEdits *row, size_t start,
                               const Steepening *scratch) {
    lattice_add_slopes(local, row, scratch->steep, scratch->sunk);
    for (int x = row->first; x < row->end; x++)
        if (scratch->steep[x] > 0 || scratch->sunk[x] > 0)
            steepen_cell(local->level, start + (size_t)x, scratch->steep[x], scratch->sunk[x]);
}

static void steepen_row(const LocalEdits *local, int y, const Steepening *scratch) {
    const Level *level = local->level;
    const size_t start = (size_t)y * (size_t)level->width;
    RowEdits row;
    edits_of_row(local, WISH_SLOPES, y, &row);
    if (row.count == 0)
        return;
    lattice_find_row(local, &row);
    if (lattice_has_all(local, &row)) {
        if (level->graded)
            steepen_by_lattice(local, &row, start, scratch);
        return;
    }
    for (int x = next_column(&row, row.first); x < row.end; x = next_column(&row, x + 1)) {
        const EditWish wish = wish_at(local, &row, x);
        if (level->graded)
            steepen_cell(level, start + (size_t)x, wish.steep, wish.sunk);
        if (wish.flat > 0)
            level->slope[start + (size_t)x] *= (float)(1 - (1 - LEVELLED) * min(wish.flat, 1.0));
    }
}

// Pits are filled around what enters here.
static void mark_rim(const Level *level, const LandEdit *edit) {
    const double rim = FILL_RIM / ldexp(level->land->root.width, level->number);
    const uint8_t mark = edit->kind == EDIT_RAISE ? MARK_HILL : MARK_NEAR;
    for (int i = 0; i < level->patch_count && edit->entry == level->number; i++) {
        const PatchPlace *place = &level->patches[i].place;
        EditBox wide = edit->on[place->face];
        if (box_is_empty(&wide))
            continue;
        wide = (EditBox){ wide.left - rim, wide.top - rim, wide.right + rim, wide.bottom + rim };
        const Region box = box_in_patch(level, place, &wide);
        for (int y = box.top; y < box.bottom; y++)
            for (int x = box.left; x < box.right; x++) {
                uint8_t *own = &level->marks[(size_t)y * (size_t)level->width + (size_t)x];
                *own = *own > mark ? *own : mark;
            }
    }
}

static Status begin_wanting(Level *level, Error *error) {
    const Region inner = { 1, 1, level->width - 1, level->height - 1 }, all = edits_box(level, true);
    if (region_is_empty(all))
        return STATUS_OK;
    const int beyond = level->seams ? HALO : 0;
    level->changed = region_within(
        (Region){ all.left - beyond, all.top - beyond, all.right + beyond, all.bottom + beyond }, inner);
    if (level_wishes_new(level, level->count, error) != STATUS_OK)
        return STATUS_MEMORY;
    for (size_t i = 0; i < level->count; i++)
        level->wanted[i] = UNWANTED;
    memset(level->marks, 0, level->count);
    for (int i = 0; i < level->edit_count; i++)
        mark_rim(level, &level->land->rules.edits->at[level->edits[i]]);
    return sheets_begin(level, error);
}

Status begin_edits(Level *level, Error *error) {
    Status status = find_edits(level, error);
    if (status != STATUS_OK || level->edit_count == 0)
        return status;
    LocalEdits local = local_edits(level);
    local.box = edits_box(level, false);
    const size_t width = (size_t)level->width;
    const Steepening scratch = { .steep = memory_new(width, sizeof *scratch.steep, error),
                                 .sunk = memory_new(width, sizeof *scratch.sunk, error) };
    local.lattice = scratch.steep && scratch.sunk ? lattice_new(&local, error) : NULL;
    for (int y = local.box.top; y < local.box.bottom && local.lattice; y++)
        steepen_row(&local, y, &scratch);
    status = local.lattice ? begin_wanting(level, error) : STATUS_MEMORY;
    lattice_free(local.lattice, local.count);
    memory_free(scratch.sunk);
    memory_free(scratch.steep);
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_SLOPE);
    return status;
}

// --- level ground ------------------------------------------------------------------------------------------

static void hold_rows(void *context, int first, int end) {
    const LocalEdits *local = context;
    const Level *level = local->level;
    for (int y = local->box.top + first; y < local->box.top + end; y++) {
        RowEdits row;
        edits_of_row(local, WISH_LEVEL, y, &row);
        for (int x = next_column(&row, row.first); x < row.end; x = next_column(&row, x + 1)) {
            const double flat = wish_at(local, &row, x).flat;
            level->cut[(size_t)y * (size_t)level->width + (size_t)x] *= (float)(1 - min(flat, 1.0));
        }
    }
}

Status hold_edits(const Level *level) {
    LocalEdits local = local_edits(level);
    const LandEdits *edits = level->land->rules.edits;
    bool any = false;
    for (int i = 0; i < level->edit_count; i++) {
        const LandEdit *edit = &edits->at[level->edits[i]];
        if (!edit_stays_level(edit) || (edit->entry == level->number && edit->part == 0))
            continue;
        local.box = region_joined(local.box, edit_box(level, edit));
        any = true;
    }
    return any ? parallel_rows(level->run, local.box.bottom - local.box.top, level->width * 20.0, hold_rows,
                               &local)
               : STATUS_OK;
}

// --- raising -----------------------------------------------------------------------------------------------

// How far the sea's floor rises under forms that add `added` there, a share `rises` of their height. From the
// coast on an island is as its form is above the coast's share, whatever the sea's depth, so that finer
// levels keep it; in shallow water the coast lies farther out. Below it the floor falls to its depth.
static double rise_from_sea(double depth, double added, double rises) {
    const double part = min(rises, 1.0), whole = added / part, sunk = min(depth, ISLAND_COAST * whole),
                 above = added - sunk * (1 - part) / (1 - ISLAND_COAST),
                 coast = sunk / (sunk + (1 - ISLAND_COAST) * whole), below = 1 - part / max(coast, part);
    return above >= 0 ? depth + above : depth * (1 - below * below);
}

// The sea is raised from its surface, whatever its depth.
static int32_t wanted_at(const Level *level, size_t cell, const EditWish *wish) {
    const int32_t z = level->z[cell], depth = max(difference(level->sea, z), 0);
    if (wish->added == 0 && wish->share <= 0 && wish->land <= 0)
        return UNWANTED;
    const bool island = wish->added > 0 && wish->rises > 0 && wish->share <= 0;
    const double ground = (double)z + wish->target - wish->share * (double)z,
                 risen = level->receiver[cell] != LAND_SEA ? 0
                         : island ? rise_from_sea(depth, wish->added, wish->rises) - wish->added
                                  : depth * min(wish->rises, 1.0);
    const int32_t wanted = units_of(floor(ground + risen + 0.5) + wish->added);
    const bool sea = level->receiver[cell] == LAND_SEA && wish->land > 0;
    return sea ? max(wanted, sum(level->sea, units_of(wish->land) + level->least_fall)) : wanted;
}

static bool may_change(const Level *level, size_t cell) {
    return level->receiver[cell] != LAND_LAKE && !is_outlet(level, cell);
}

static void want(const Level *level, size_t cell, const EditWish *wish) {
    const bool land_edge = level->receiver[cell] == LAND_SEA && level->z[cell] > level->sea;
    if (land_edge && !wish->crater)
        return;
    level->wanted[cell] = wish->pool ? wish->water : wanted_at(level, cell, wish);
    if (wish->top)
        level->marks[cell] = level->marks[cell] <= MARK_HILL_TOP ? MARK_HILL_TOP : MARK_TOP;
    if (wish->crater) {
        level->marks[cell] = (uint8_t)wish->crater;
        level->next[cell] = wish->owner;
    }
}

enum { WISHES = 64 }; // that are found at a time

static void want_forms(const LocalEdits *local, const RowEdits *row, size_t start) {
    const Level *level = local->level;
    EditWish wishes[WISHES];
    for (int first = next_column(row, row->first); first < row->end;
         first = next_column(row, first + WISHES)) {
        const int end = min(first + WISHES, row->end);
        wish_forms(local, row, first, end, wishes);
        for (int x = first; x < end; x++) {
            const EditWish *wish = &wishes[x - first];
            if ((wish->added != 0 || wish->top) && may_change(level, start + (size_t)x))
                want(level, start + (size_t)x, wish);
        }
    }
}

static void want_rows(void *context, int first, int end) {
    const LocalEdits *local = context;
    const Level *level = local->level;
    for (int y = local->box.top + first; y < local->box.top + end; y++) {
        const size_t start = (size_t)y * (size_t)level->width;
        RowEdits row;
        edits_of_row(local, WISH_GROUND, y, &row);
        if (has_forms_alone(local, &row)) {
            want_forms(local, &row, start);
            continue;
        }
        for (int x = next_column(&row, row.first); x < row.end; x = next_column(&row, x + 1)) {
            if (!may_change(level, start + (size_t)x))
                continue;
            const EditWish wish = wish_at(local, &row, x);
            want(level, start + (size_t)x, &wish);
        }
    }
}

static bool is_mouth(const Level *level, size_t cell) {
    return donors_of(level, cell) != 0;
}

// New land leaves inlets, the shortest ways to the sea that reaches the edge of its box: to the mouths of
// rivers that it would cover, and to water that it would close.
typedef struct Inlets {
    const Level *level;
    Region box;
    int count; // cells of the list, level->fresh; in level->flow their way to the sea, from 1, or OPEN
} Inlets;

enum { OPEN = NEIGHBOURS + 1, NARROW = 1 << 8 };

static bool is_wet(const Level *level, size_t cell) {
    return level->receiver[cell] == LAND_SEA && level->z[cell] <= level->sea;
}

static bool is_covered(const Level *level, size_t cell) {
    return is_wet(level, cell) && level->wanted[cell] != UNWANTED && level->wanted[cell] > level->sea;
}

static void list_cell(Inlets *inlets, size_t cell, int way) {
    inlets->level->flow[cell] = (uint16_t)way;
    inlets->level->fresh[inlets->count++] = (int)cell;
}

static bool is_in_box(const Inlets *inlets, size_t cell) {
    const Region *box = &inlets->box;
    const int x = (int)(cell % (size_t)inlets->level->width), y = (int)(cell / (size_t)inlets->level->width);
    return x >= box->left && y >= box->top && x < box->right && y < box->bottom;
}

// Adds what is covered or not, over sides, to the cells of the list from `first` on.
static void spread(Inlets *inlets, int first, bool covered) {
    const Level *level = inlets->level;
    for (int i = first; i < inlets->count; i++)
        for (int d = 0; d < NEIGHBOURS; d += 2) {
            const size_t beside = towards(level, (size_t)level->fresh[i], d);
            if (is_in_box(inlets, beside) && !level->flow[beside] && is_wet(level, beside) &&
                is_covered(level, beside) == covered)
                list_cell(inlets, beside, covered ? opposite(d) + 1 : OPEN);
        }
}

static void open_inlet(const Level *level, size_t cell) {
    for (; is_covered(level, cell); cell = towards(level, cell, level->flow[cell] - 1))
        level->wanted[cell] = UNWANTED;
}

// Joins water beside a covered cell that is closed so far.
static void open_closed(Inlets *inlets, size_t cell) {
    const Level *level = inlets->level;
    for (int d = 0; d < NEIGHBOURS; d += 2) {
        const size_t beside = towards(level, cell, d);
        if (!is_in_box(inlets, beside) || level->flow[beside] || !is_wet(level, beside) ||
            is_covered(level, beside))
            continue;
        const int first = inlets->count;
        open_inlet(level, cell);
        list_cell(inlets, beside, OPEN);
        spread(inlets, first, false);
        inlets->count = first;
    }
}

static bool is_open(const Level *level, size_t cell) {
    return is_wet(level, cell) && !is_covered(level, cell);
}

// Whether a cell lies in no square of 2 × 2 open ones.
static bool is_narrow(const Level *level, size_t cell) {
    bool wide = false;
    for (int d = 1; d < NEIGHBOURS && !wide; d += 2) // each square is named by its corner
        wide = is_open(level, towards(level, cell, d)) && is_open(level, towards(level, cell, d - 1)) &&
               is_open(level, towards(level, cell, (d + 1) % NEIGHBOURS));
    return !wide;
}

// Water of a single cell between shores, which finer levels would close, gets what new land covers around it.
static void widen_inlets(const Level *level, Region box) {
    for (int y = box.top + 1; y < box.bottom - 1; y++)
        for (int x = box.left + 1; x < box.right - 1; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            level->flow[cell] = is_open(level, cell) && is_narrow(level, cell) ? NARROW : 0;
        }
    for (int y = box.top + 1; y < box.bottom - 1; y++)
        for (int x = box.left + 1; x < box.right - 1; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            for (int d = 0; d < NEIGHBOURS && level->flow[cell] == NARROW; d++) {
                const size_t beside = towards(level, cell, d);
                if (is_covered(level, beside))
                    level->wanted[beside] = UNWANTED;
            }
        }
}

static void keep_inlets_in(const Level *level, Region box) {
    Inlets inlets = { level, box, 0 };
    for (int y = box.top; y < box.bottom; y++)
        memset(level->flow + (size_t)y * (size_t)level->width + (size_t)box.left, 0,
               (size_t)(box.right - box.left) * sizeof *level->flow);
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const bool edge = x == box.left || y == box.top || x == box.right - 1 || y == box.bottom - 1;
            if (edge && is_wet(level, cell) && !is_covered(level, cell))
                list_cell(&inlets, cell, OPEN);
        }
    spread(&inlets, 0, false);
    spread(&inlets, 0, true);
    const int count = inlets.count;
    for (int i = 0; i < count; i++) {
        const size_t cell = (size_t)level->fresh[i];
        if (level->flow[cell] == OPEN)
            continue;
        open_closed(&inlets, cell);
        if (donors_of(level, cell))
            open_inlet(level, cell);
    }
    widen_inlets(level, box);
}

static void keep_inlets_across(const Level *level, const LandEdit *edit) {
    Sheet *sheet;
    if (!sheet_open(level, edit->on, 0, true, &sheet))
        return;
    keep_inlets_in(&sheet->level, sheet->inner);
    sheet_return(sheet);
    level_exchange_wishes(level);
}

static void keep_inlets(const Level *level) {
    for (int i = 0; i < level->edit_count; i++) {
        const LandEdit *edit = &level->land->rules.edits->at[level->edits[i]];
        const Region box = region_within(edit_box(level, edit), level->region);
        if (edit->kind != EDIT_LAND || edit->entry != level->number || region_is_empty(box))
            continue;
        if (level->sheet && !boxes_on_one_face(edit->on))
            keep_inlets_across(level, edit);
        else
            keep_inlets_in(level, box);
    }
}

static void raise_ground(const Level *level) {
    const Region box = level->changed;
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const int32_t wanted = level->wanted[cell];
            const bool sea = level->receiver[cell] == LAND_SEA;
            if (wanted == UNWANTED || wanted <= level->z[cell] || level->receiver[cell] < NEIGHBOURS ||
                (sea && is_mouth(level, cell)))
                continue;
            level->z[cell] = wanted;
            level->wanted[cell] = UNWANTED;
            if (sea && wanted > level->sea) {
                level->receiver[cell] = LAND_NONE;
                level->area[cell] = 1;
            }
        }
}

// A stream that begins on top of a hill or ridge would hold its middle down, from where finer levels carve a
// bowl with a rim all around. Its head leaves the top; finer ground there makes brooks of its own.

static void find_head(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int mark = level->marks[cell];
        level->fresh[k] = (mark == MARK_HILL_TOP || mark == MARK_TOP) && level->receiver[cell] < NEIGHBOURS &&
                          !is_outlet(level, cell) && !donors_of(level, cell);
    }
}

static void clear_head(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        if (!level->fresh[k])
            continue;
        level->receiver[cell] = LAND_NONE;
        level->area[cell] = 1;
    }
}

// Streams near edits alone: no others have heads on tops or rise.
static void mark_edited(const Level *level, size_t cell, int count, uint8_t *marks) {
    for (int i = 0; i < count; i++) {
        const size_t own = cell + (size_t)i;
        marks[i] = level->marks[own] != 0 && level->receiver[own] < NEIGHBOURS &&
                   level->area[own] >= level->hillslope.stream_area;
    }
}

static Status clear_tops(Level *level) {
    Status status = list_cells(level, mark_edited);
    for (int round = 0; round < TOP_ROUNDS && status == STATUS_OK; round++) {
        status = level_step_streams(level, 0, find_head);
        if (status == STATUS_OK)
            status = level_step_streams(level, 0, clear_head);
        level_exchange(level, LEVEL_AREA | LEVEL_RECEIVER);
    }
    return status;
}

// Streams that begin on a hill rise with it, else it would be hollow at their heads. Each rises at most as
// far as the forms there, stays below those that drain into it, and falls no more steeply than its own bed
// and the form together. So a river that comes from outside keeps its bed. Heads rise first, and every round
// leaves beds that fall.

static int32_t rise_wanted(const Level *level, size_t cell) {
    const int32_t wanted = level->wanted[cell];
    return wanted == UNWANTED ? 0 : max(difference(wanted, level->z[cell]), 0);
}

// In next: how high a cell may rise. In spare: the most that it may stand above its receiver.
static void bound_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int receiver = level->receiver[cell];
        level->next[cell] = level->z[cell];
        level->spare[cell] = 0;
        if (receiver >= NEIGHBOURS)
            continue;
        const size_t beyond = towards(level, cell, receiver);
        const int32_t raised = rise_wanted(level, cell), bed = max(level->z[beyond], level->sea);
        level->next[cell] = sum(level->z[cell], raised);
        level->spare[cell] =
            sum(difference(level->z[cell], bed), max(difference(raised, rise_wanted(level, beyond)), 0));
    }
}

static void rise_row(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int receiver = level->receiver[cell];
        level->fresh[k] = level->z[cell];
        if (receiver >= NEIGHBOURS || difference(level->next[cell], level->z[cell]) <= 0)
            continue;
        const int32_t bed = max(level->z[towards(level, cell, receiver)], level->sea);
        int32_t most = min(difference(level->next[cell], bed), level->spare[cell]);
        for (unsigned donors = donors_of(level, cell); donors;) {
            const size_t donor = towards(level, cell, next_direction(&donors));
            most = min(most, difference(level->z[donor], bed) - level->least_fall);
        }
        level->fresh[k] = sum(bed, max(most, difference(level->z[cell], bed)));
    }
}

static void take_rise(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        if (level->receiver[cell] < NEIGHBOURS)
            level->z[cell] = level->fresh[k];
    }
}

// What has risen does not sink again.
static void keep_risen(const Level *level, int y, int first, int end) {
    (void)y;
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        if (level->receiver[cell] < NEIGHBOURS && level->wanted[cell] != UNWANTED &&
            level->wanted[cell] >= level->z[cell])
            level->wanted[cell] = UNWANTED;
    }
}

static Status raise_heads(Level *level) {
    Status status = level_step_streams(level, 0, bound_row);
    for (int round = 0; round < HEAD_ROUNDS && status == STATUS_OK; round++) {
        status = level_step_streams(level, 0, rise_row);
        if (status == STATUS_OK)
            status = level_step_streams(level, 0, take_rise);
        level_exchange(level, LEVEL_ALTITUDE);
    }
    return status == STATUS_OK ? level_step_streams(level, 0, keep_risen) : status;
}

// Lets a watch see what a part of this step has made of a planet's halos, which later parts would hide.
static void show_part(const Level *level, const char *name) {
    const LandWatch *watch = &level->land->watch;
    const LandStep part = { .name = name,
                            .arrays = LEVEL_ALTITUDE | LEVEL_SLOPE | LEVEL_AREA | LEVEL_RECEIVER,
                            .rim = level->rim };
    if (level->seams && watch->look)
        watch->look(watch->context, level, &part);
}

static Status raise_all(Level *level, LocalEdits *local) {
    Status status = STATUS_OK;
    if (!region_is_empty(local->box))
        status = parallel_rows(level->run, local->box.bottom - local->box.top, level->width * 20.0, want_rows,
                               local);
    level_exchange_wishes(level);
    show_part(level, "wishes");
    level_shrink(level, 1);
    keep_inlets(level);
    show_part(level, "inlets");
    dig_craters(level);
    show_part(level, "craters");
    ease_gorges(level);
    level_exchange_wishes(level);
    show_part(level, "gorges");
    if (status == STATUS_OK)
        status = lead_mouths_on(level);
    level_exchange_wishes(level);
    show_part(level, "mouths");
    if (status == STATUS_OK)
        status = clear_tops(level);
    show_part(level, "tops");
    if (status == STATUS_OK) {
        raise_ground(level);
        level_exchange(level, LEVEL_ALTITUDE | LEVEL_AREA | LEVEL_RECEIVER);
        status = find_land(level);
    }
    return status == STATUS_OK ? raise_heads(level) : status;
}

// What is done shrinks the region as far as forms reach that cross its edge (rise_near), not step by step.
Status raise_edits(Level *level) {
    LocalEdits local = local_edits(level);
    const Region before = level->region;
    const int rim = level->rim;
    if (!level->wanted)
        return STATUS_OK;
    assert(level->ends_left ||
           before.left + level->hillslope.bowls <= margin_before_edits(&level->hillslope));
    if (!level->seams)
        level->changed = region_within(level->changed, before);
    local.box = level->changed;
    const Status status = raise_all(level, &local);
    level->region = before;
    level->rim = rim;
    level_shrink(level, level->hillslope.bowls + level->hillslope.rises);
    return status == STATUS_OK ? list_streams(level) : status;
}

// --- pits behind what is raised ----------------------------------------------------------------------------

// Those of hills are filled with all others, where these are for as many cells.
Status fill_edits(Level *level) {
    if (!level->wanted)
        return STATUS_OK;
    Status status = STATUS_OK;
    if (level->hillslope.fills) {
        level->flooded = level->hillslope.last_fill >= EDIT_FILL ? MARK_NEAR : MARK_HILL;
        status = fill_pits(level, EDIT_FILL, INT32_MAX);
        level->flooded = 0;
    }
    free_craters(level);
    level_exchange(level, LEVEL_RECEIVER);
    return status;
}

// --- lowering ----------------------------------------------------------------------------------------------

// Not only across a corner, where finer levels may close the water.
static bool is_beside_sea(const Level *level, size_t cell) {
    bool beside = false;
    for (int d = 0; d < NEIGHBOURS; d += 2)
        beside |= level->next[towards(level, cell, d)] <= level->sea;
    return beside;
}

// A cell sinks to what is wanted, but not below the one that it drains into, so every round leaves ground
// that falls. What would sink below the sea beside it becomes sea.
static int32_t lowered(const Level *level, size_t cell) {
    const int32_t z = level->next[cell], wanted = level->wanted[cell];
    const int receiver = level->receiver[cell];
    if (wanted == UNWANTED || wanted >= z || receiver >= NEIGHBOURS || z <= level->sea)
        return z;
    const size_t beyond = towards(level, cell, receiver);
    const int32_t bed = level->next[beyond];
    if (level->receiver[beyond] == LAND_SEA && level->z[beyond] > level->sea)
        return z;
    if (bed <= level->sea)
        return wanted > level->sea          ? wanted
               : is_beside_sea(level, cell) ? min(wanted, level->sea - 1)
                                            : level->sea + 1;
    const int32_t fall = min(difference(level->z[cell], level->z[beyond]), level->least_fall);
    return min(z, max(wanted, sum(bed, fall)));
}

static void lower_block(const Level *level, const Region *block) {
    const Region box = region_within(level->changed, *block);
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            level->spare[cell] = lowered(level, cell);
        }
}

static void copy_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++) {
        const size_t cell = (size_t)y * (size_t)level->width + (size_t)block->left,
                     size = (size_t)(block->right - block->left) * sizeof *level->z;
        memcpy(level->next + cell, level->z + cell, size);
        memcpy(level->spare + cell, level->z + cell, size);
    }
}

static void take_lowered(const Level *level, const Region *block) {
    const Region box = region_within(level->changed, *block);
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            level->z[cell] = level->next[cell];
            if (level->z[cell] > level->sea || level->receiver[cell] >= NEIGHBOURS)
                continue;
            level->receiver[cell] = LAND_SEA;
            level->area[cell] = 1;
        }
}

Status lower_edits(Level *level) {
    if (!level->wanted || !level->hillslope.lowers)
        return STATUS_OK;
    Status status = level_begin(level, 0.5, copy_block);
    if (status == STATUS_OK)
        status = level_rounds(level, LOWERINGS, 1, 0.5, LEVEL_NEXT, lower_block);
    if (status == STATUS_OK)
        status = level_begin(level, 0.5, take_lowered);
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_AREA | LEVEL_RECEIVER);
    return status;
}
