#include "land/edit_slopes.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

// Level ground, craters and fields have edges and detail of their own.
static int step_bits(const LocalEdits *local, const LandEdit *edit) {
    const bool smooth = edit->kind == EDIT_RAISE || edit->kind == EDIT_LAND;
    return smooth ? max(local->level->number - edit->entry, 0) : 0;
}

LatticeRows *lattice_new(const LocalEdits *local, Error *error) {
    LatticeRows *lattice = memory_new_zeroed((size_t)local->count, sizeof *lattice, error);
    for (int i = 0; i < local->count && lattice; i++) {
        const LandEdit *edit = &local->edits->at[local->numbers[i]];
        const Region box = edit_box(local->level, edit);
        LatticeRows *rows = &lattice[i];
        rows->bits = step_bits(local, edit);
        rows->face = -1;
        rows->room = rows->bits ? ((box.right - box.left) >> min(rows->bits, 30)) + 4 : 0;
        if (rows->bits)
            rows->forms = memory_new((size_t)rows->room * 3, sizeof *rows->forms, error);
        if (rows->bits && !rows->forms) {
            lattice_free(lattice, i);
            lattice = NULL;
        }
    }
    return lattice;
}

void lattice_free(LatticeRows *lattice, int count) {
    for (int i = 0; i < count && lattice; i++)
        memory_free(lattice[i].forms);
    memory_free(lattice);
}

static void ask_row(const LocalEdits *local, const LandEdit *edit, const LatticeRows *rows, const FaceRow *at,
                    Int128 row, EditForm *forms) {
    const double step = ldexp(1, rows->bits), y = (double)row * step + 0.5;
    FormNoises noises = { 0 };
    for (int i = 0; i < rows->count; i++) {
        const double x = (double)(rows->first + i) * step + 0.5;
        const EditPlace place = place_on_face(local->level->land->rules.planet, at->side, at->face, x, y);
        const EditPoint point = point_in(&edit->chart, &place);
        forms[i] = (EditForm){ 0 };
        if (edit_is_at(edit, point))
            forms[i] = edit_form_by(local->edits, edit, &noises, point.x, point.y);
    }
}

static void find_row(const LocalEdits *local, LatticeRows *rows, const LandEdit *edit, const RowEdit *own,
                     const FaceRow *at) {
    const Int128 row = at->y >> rows->bits;
    EditForm *above = rows->forms, *below = above + rows->room, *within = below + rows->room;
    const bool same = rows->face == at->face, next = same && rows->row + 1 == row;
    rows->begin = own->first;
    rows->end = own->end;
    if (!same) {
        rows->first = (at->x + own->first) >> rows->bits;
        rows->count = min((int)(((at->x + own->end) >> rows->bits) - rows->first) + 2, rows->room);
    }
    if (next)
        memcpy(above, below, (size_t)rows->count * sizeof *above);
    else if (!same || rows->row != row)
        ask_row(local, edit, rows, at, row, above);
    if (!same || rows->row != row)
        ask_row(local, edit, rows, at, row + 1, below);
    rows->face = at->face;
    rows->row = row;
    const double down = lattice_beyond(rows, at->y);
    for (int i = 0; i < rows->count; i++)
        within[i] = form_between(&above[i], &below[i], down);
}

void lattice_find_row(const LocalEdits *local, const RowEdits *row) {
    for (int i = 0; i < local->count; i++)
        local->lattice[i].begin = local->lattice[i].end = 0;
    for (int i = 0; i < row->count; i++) {
        const int which = row->all ? i : row->own[i].which;
        const LandEdit *edit = &local->edits->at[local->numbers[which]];
        RowEdit own;
        if (local->lattice[which].forms && edit_in_row(local, which, &row->at, &own))
            find_row(local, &local->lattice[which], edit, &own, &row->at);
    }
}

bool lattice_has_all(const LocalEdits *local, const RowEdits *row) {
    bool all = !row->all;
    for (int i = 0; i < row->count && all; i++)
        all = local->lattice[row->own[i].which].forms;
    return all;
}

// Cells between two forms of the lattice, `offset` cells from the first on: as edit_slope() says of the form
// between, bit for bit.
KERNEL static void add_between(EditForm a, EditForm b, double offset, double part, double slope, int count,
                               double *restrict steep, double *restrict sunk) {
    const double steepest = STEEP * slope, flanks = b.flanks - a.flanks, shares = b.share - a.share;
    for (int i = 0; i < count; i++) {
        const double beyond = (offset + i) * part, share = a.share + beyond * shares;
        steep[i] += steepest * (a.flanks + beyond * flanks);
        sunk[i] += -slope * share * (2 - share);
    }
}

void lattice_add_slopes(const LocalEdits *local, const RowEdits *row, double *steep, double *sunk) {
    const size_t columns = (size_t)(row->end - row->first);
    memset(steep + row->first, 0, columns * sizeof *steep);
    memset(sunk + row->first, 0, columns * sizeof *sunk);
    for (int i = row->count - 1; i >= 0; i--) {
        const LatticeRows *rows = &local->lattice[row->own[i].which];
        const LandEdit *edit = &local->edits->at[local->numbers[row->own[i].which]];
        const EditForm *form = rows->forms + 2 * (size_t)rows->room +
                               (size_t)(((row->at.x + rows->begin) >> rows->bits) - rows->first);
        const int64_t step = (int64_t)1 << min(rows->bits, 62);
        const double part = ldexp(1, -rows->bits), slope = edit_slope_of(local, edit);
        int64_t offset = (int64_t)((row->at.x + rows->begin) & (((Int128)1 << rows->bits) - 1));
        for (int x = rows->begin; x < rows->end; form++) {
            const int count = (int)min(step - offset, (int64_t)(rows->end - x));
            const bool none =
                form->share <= 0 && form[1].share <= 0 && form->flanks <= 0 && form[1].flanks <= 0;
            if (!none)
                add_between(form[0], form[1], (double)offset, part, slope, count, steep + x, sunk + x);
            x += count;
            offset = 0;
        }
    }
}
