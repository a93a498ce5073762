#include "land/edits.h"

#include "land/law.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/noise.h"

#include <math.h>
#include <string.h>

// A hill's height is (1 - d²)³, d the distance from its line in half widths, which a noise stretches by
// BENDING: else hills would be round and ridges straight. The noise's lattice is LATTICE half widths wide.
#define BENDING 0.3
#define LATTICE 0.7
// The slope that the law gives a hill's flanks, against its height over half its width: hills keep their
// volume, in the mean (docs/edits.md). At the foot it ends.
#define STEEP 1.0
#define FOOT 0.5
#define EDGE 0.5 // of level ground: the half widths in which its sides meet the land

// --- lists -------------------------------------------------------------------------------------------------

int edit_entry(double half, int cells) {
    int level = 1;
    while (level <= EDIT_ENTRY_MAX && half * ldexp(cells, level) < EDIT_HALF_CELLS)
        level++;
    return level;
}

static double reach_of(const LandEdit *edit) {
    return edit->half * (edit->kind == EDIT_RAISE ? 1 / (1 - BENDING) : edit->outline ? EDGE : 1 + EDGE);
}

// A place as its noise depends on it, so that it does not on the last bits of how the place was given.
static double nearby(double place) {
    return floor(ldexp(place, 30) + 0.5);
}

static void set_box(LandEdit *edit, const EditPoint *points) {
    const double reach = reach_of(edit);
    edit->left = edit->right = points[0].x;
    edit->top = edit->bottom = points[0].y;
    edit->key = 0;
    for (int i = 0; i < edit->count; i++) {
        edit->left = min(edit->left, points[i].x);
        edit->right = max(edit->right, points[i].x);
        edit->top = min(edit->top, points[i].y);
        edit->bottom = max(edit->bottom, points[i].y);
        edit->key = mix_number(mix_number(edit->key, nearby(points[i].x)), nearby(points[i].y));
    }
    edit->left -= reach;
    edit->right += reach;
    edit->top -= reach;
    edit->bottom += reach;
}

// A copy with room for one more edit of `more` points (0: none), which are not set.
static LandEdits *copy_with_room(const LandEdits *edits, int more, Error *error) {
    const int count = edits ? edits->count : 0, point_count = edits ? edits->point_count : 0;
    const int all = count + (more > 0), all_points = point_count + more;
    LandEdits *made = memory_new(
        sizeof *made + (size_t)all * sizeof *made->at + (size_t)all_points * sizeof *made->points, 1, error);
    if (!made)
        return NULL;
    *made = (LandEdits){ all, all_points, (LandEdit *)(void *)(made + 1), NULL };
    made->points = (EditPoint *)(void *)(made->at + all);
    if (!edits)
        return made;
    memcpy(made->at, edits->at, (size_t)count * sizeof *made->at);
    memcpy(made->points, edits->points, (size_t)point_count * sizeof *made->points);
    return made;
}

LandEdits *land_edits_copy(const LandEdits *edits, Error *error) {
    return copy_with_room(edits, 0, error);
}

LandEdits *land_edits_with(const LandEdits *edits, const LandEdit *added, const EditPoint *points, int cells,
                           Error *error) {
    LandEdits *made = copy_with_room(edits, added->count, error);
    if (!made)
        return NULL;
    LandEdit *edit = &made->at[made->count - 1];
    *edit = *added;
    edit->first = made->point_count - added->count;
    memcpy(made->points + edit->first, points, (size_t)added->count * sizeof *points);
    edit->entry = edit_entry(edit->half, cells);
    set_box(edit, points);
    return made;
}

// --- forms -------------------------------------------------------------------------------------------------

static double line_distance(const EditPoint *points, int count, double x, double y) {
    double nearest = INFINITY;
    for (int i = 0; i < max(count - 1, 1); i++) {
        const EditPoint *a = &points[i], *b = count > 1 ? a + 1 : a;
        const double dx = b->x - a->x, dy = b->y - a->y, share = segment_share(x - a->x, y - a->y, dx, dy);
        nearest = min(nearest, segment_distance(x - a->x, y - a->y, dx, dy, share));
    }
    return nearest;
}

// By the even-odd rule.
static bool is_inside(const EditPoint *ring, int count, double x, double y) {
    bool inside = false;
    for (int i = 0; i < count; i++) {
        const EditPoint *a = &ring[i], *b = &ring[i + 1 < count ? i + 1 : 0];
        if ((a->y > y) != (b->y > y) && x < a->x + (y - a->y) * (b->x - a->x) / (b->y - a->y))
            inside = !inside;
    }
    return inside;
}

// In half widths; inside an outline 0.
static double distance_of(const LandEdits *edits, const LandEdit *edit, double x, double y) {
    const EditPoint *points = edits->points + edit->first;
    if (edit->outline && is_inside(points, edit->count, x, y))
        return 0;
    return line_distance(points, edit->count, x, y) / edit->half;
}

// -1 … 1, two octaves.
static double noise_of(const LandEdit *edit, double x, double y) {
    const RandomKey key = random_key(edit->key, 0);
    const double u = (x - edit->left) / (LATTICE * edit->half) + 4,
                 v = (y - edit->top) / (LATTICE * edit->half) + 4;
    return value_noise_double(key, 0, u, v) * (2 / 3.0) + value_noise_double(key, 1 << 16, 2 * u, 2 * v) / 3;
}

// The distance that a form's height depends on: 1 at its foot.
static double bent_distance(const LandEdits *edits, const LandEdit *edit, double x, double y) {
    const double distance = distance_of(edits, edit, x, y);
    return distance * (1 - BENDING) < 1 ? distance * (1 + BENDING * noise_of(edit, x, y)) : distance;
}

static double bump(double distance) {
    const double left = 1 - distance * distance;
    return distance < 1 ? left * left * left : 0;
}

static double flank(double distance) {
    return smoothstep(clamp((1 - distance) / FOOT, 0.0, 1.0));
}

static double raised_at(const LandEdits *edits, const LandEdit *edit, double x, double y) {
    return edit->height * bump(bent_distance(edits, edit, x, y));
}

// The share of level ground.
static double level_share(const LandEdits *edits, const LandEdit *edit, double x, double y) {
    const double distance = distance_of(edits, edit, x, y), inner = edit->outline ? 0 : 1;
    return smoothstep(clamp((inner + EDGE - distance) / EDGE, 0.0, 1.0));
}

// --- levels ------------------------------------------------------------------------------------------------

// Cells of an array, the last ones excluded.
typedef struct Box {
    int left, top, right, bottom;
} Box;

static double side_cells(const Level *level) {
    return ldexp(level->land->root.width, level->number);
}

static int column_of(double place, Int128 first, int most) {
    return double_to_within(floor(place - (double)first), 0, most);
}

static Box box_of(const Level *level, const LandEdit *edit) {
    const double cells = side_cells(level);
    return (Box){ column_of(edit->left * cells, level->x, level->width),
                  column_of(edit->top * cells, level->y, level->height),
                  column_of(edit->right * cells + 1, level->x, level->width),
                  column_of(edit->bottom * cells + 1, level->y, level->height) };
}

static double middle_of(const Level *level, Int128 cell) {
    return ((double)cell + 0.5) / side_cells(level);
}

// What a height of 1 is in the level's units.
static double height_units(const Level *level) {
    return ldexp(level->land->cell, doublings(&level->land->rules, level->number));
}

static int32_t units_of(double height) {
    return (int32_t)floor(clamp(height, -(double)HIGHEST, (double)HIGHEST) + 0.5);
}

typedef struct Raising {
    const Level *level;
    Box box;                // of all that raise ground here
    int32_t *added, *steep; // of a row: what forms add that enter here, and the slope of all of them
    float *variety;
} Raising;

// Sums are of whole numbers, so that the order of edits does not matter.
static void add_to_row(const Raising *raising, const LandEdit *edit, int y) {
    const Level *level = raising->level;
    const LandEdits *edits = level->land->rules.edits;
    const Box box = box_of(level, edit);
    const bool enters = edit->entry == level->number;
    const double units = height_units(level), at_y = middle_of(level, level->y + y),
                 slope = STEEP * edit->height * units / (edit->half * side_cells(level));
    if (y < box.top || y >= box.bottom)
        return;
    for (int x = box.left; x < box.right; x++) {
        const double distance = bent_distance(edits, edit, middle_of(level, level->x + x), at_y);
        raising->added[x] += enters ? units_of(edit->height * bump(distance) * units) : 0;
        raising->steep[x] += slope > 0 ? units_of(slope * flank(distance)) : 0;
    }
}

// Whether a level has the form: the graded ones that follow its own keep its slopes.
static bool is_raised(const Level *level, const LandEdit *edit) {
    return edit->kind == EDIT_RAISE && edit->entry <= level->number &&
           (level->graded || edit->entry == level->number);
}

// A form's slope G counts where it is steeper than the law's, as sqrt(S² + G²), and varies as that does, so
// that its spurs and hollows are those of other land. The rest of new detail follows.
static void take_row(const Raising *raising, int y) {
    const Level *level = raising->level;
    const Box *box = &raising->box;
    const size_t start = (size_t)y * (size_t)level->width;
    for (int x = box->left; x < box->right; x++)
        raising->variety[x] = 1;
    law_vary_row(level->land, level->number, 0, level->x + box->left, level->y + y, box->right - box->left,
                 raising->variety + box->left);
    for (int x = box->left; x < box->right; x++) {
        const size_t cell = start + (size_t)x;
        const float own = raising->variety[x] * (float)raising->steep[x], before = level->slope[cell],
                    slope = sqrtf(before * before + own * own);
        const float chance = level->cut[cell] + (level->graded ? 0 : level->limit[cell]);
        const float detail = level->land->rules.roughness * (slope - before) * chance;
        level->z[cell] = sum(level->z[cell], sum(raising->added[x], whole_int(detail)));
        level->slope[cell] = slope;
    }
}

static void raise_row(const Raising *raising, int y) {
    const LandEdits *edits = raising->level->land->rules.edits;
    const size_t width = (size_t)(raising->box.right - raising->box.left);
    memset(raising->added + raising->box.left, 0, width * sizeof *raising->added);
    memset(raising->steep + raising->box.left, 0, width * sizeof *raising->steep);
    for (int i = 0; i < edits->count; i++)
        if (is_raised(raising->level, &edits->at[i]))
            add_to_row(raising, &edits->at[i], y);
    take_row(raising, y);
}

static Status raise(const Level *level, Box box, Error *error) {
    const size_t width = (size_t)level->width;
    Raising raising = { .level = level,
                        .box = box,
                        .added = memory_new(width, sizeof *raising.added, error),
                        .steep = memory_new(width, sizeof *raising.steep, error),
                        .variety = memory_new(width, sizeof *raising.variety, error) };
    const bool made = raising.added && raising.steep && raising.variety;
    for (int y = box.top; y < box.bottom && made; y++)
        raise_row(&raising, y);
    memory_free(raising.added);
    memory_free(raising.steep);
    memory_free(raising.variety);
    return made ? STATUS_OK : STATUS_MEMORY;
}

// The altitude of level ground in the window.
static int32_t level_altitude(const Level *level, const LandEdit *edit) {
    const Int128 exact = whole_128(edit->height * height_units(level)) - level->base;
    return (int32_t)(exact > HIGHEST ? HIGHEST : exact < -HIGHEST ? -HIGHEST : exact);
}

static void level_off(const Level *level, const LandEdit *edit) {
    const LandEdits *edits = level->land->rules.edits;
    const Box box = box_of(level, edit);
    const int32_t target = level_altitude(level, edit);
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const double share =
                level_share(edits, edit, middle_of(level, level->x + x), middle_of(level, level->y + y));
            if (share <= 0)
                continue;
            if (edit->entry == level->number)
                level->z[cell] = sum(
                    level->z[cell], (int32_t)floor((double)difference(target, level->z[cell]) * share + 0.5));
            level->slope[cell] *= (float)(1 - 0.95 * share);
        }
}

Status enter_edits(const Level *level, Error *error) {
    const LandEdits *edits = level->land->rules.edits;
    Box all = { level->width, level->height, 0, 0 };
    if (!edits)
        return STATUS_OK;
    for (int i = 0; i < edits->count; i++) {
        if (!is_raised(level, &edits->at[i]))
            continue;
        const Box box = box_of(level, &edits->at[i]);
        if (box.left >= box.right || box.top >= box.bottom)
            continue;
        all = (Box){ min(all.left, box.left), min(all.top, box.top), max(all.right, box.right),
                     max(all.bottom, box.bottom) };
    }
    Status status = all.left < all.right ? raise(level, all, error) : STATUS_OK;
    for (int i = 0; i < edits->count && status == STATUS_OK; i++)
        if (edits->at[i].kind == EDIT_LEVEL && edits->at[i].entry <= level->number)
            level_off(level, &edits->at[i]);
    return status;
}

void hold_edits(const Level *level) {
    const LandEdits *edits = level->land->rules.edits;
    for (int i = 0; edits && i < edits->count; i++) {
        const LandEdit *edit = &edits->at[i];
        if (edit->kind != EDIT_LEVEL || edit->entry > level->number)
            continue;
        const Box box = box_of(level, edit);
        for (int y = box.top; y < box.bottom; y++)
            for (int x = box.left; x < box.right; x++) {
                const double share =
                    level_share(edits, edit, middle_of(level, level->x + x), middle_of(level, level->y + y));
                level->cut[(size_t)y * (size_t)level->width + (size_t)x] *= (float)(1 - share);
            }
    }
}

// --- streams -----------------------------------------------------------------------------------------------

// Streams that begin on a hill rise with it, else it would be hollow at their heads. Each rises at most as
// far as the forms there, stays below those that drain into it, and falls no more steeply than its own bed
// and the form together. So a river that comes from outside keeps its bed. Heads rise first, and every round
// leaves beds that fall.

// What the forms at a place that enter here raise a bed by; level ground raises it to its own height.
static int32_t raised_by_forms(const Level *level, size_t bed, int x, int y) {
    const LandEdits *edits = level->land->rules.edits;
    int32_t raised = 0, levelled = 0;
    for (int i = 0; i < edits->count; i++) {
        const LandEdit *edit = &edits->at[i];
        const Box box = box_of(level, edit);
        if (edit->entry != level->number || x < box.left || x >= box.right || y < box.top || y >= box.bottom)
            continue;
        const double at_x = middle_of(level, level->x + x), at_y = middle_of(level, level->y + y);
        if (edit->kind == EDIT_RAISE)
            raised += units_of(raised_at(edits, edit, at_x, at_y) * height_units(level));
        else
            levelled = max(levelled, units_of((double)difference(level_altitude(level, edit), level->z[bed]) *
                                              level_share(edits, edit, at_x, at_y)));
    }
    return max(sum(raised, levelled), 0);
}

// In next: how high a cell may rise. In spare: the most that it may stand above its receiver.
static void bound_row(const Level *level, int y, int first, int end) {
    for (int k = first; k < end; k++) {
        const size_t cell = (size_t)level->streams[k];
        const int x = (int)(cell % (size_t)level->width), receiver = level->receiver[cell];
        level->next[cell] = level->z[cell];
        level->spare[cell] = 0;
        if (receiver >= NEIGHBOURS || is_outlet(level, cell))
            continue;
        const int32_t raised = raised_by_forms(level, cell, x, y),
                      beyond =
                          raised_by_forms(level, cell, x + neighbour_x[receiver], y + neighbour_y[receiver]);
        const int32_t bed = max(level->z[towards(level, cell, receiver)], level->sea);
        level->next[cell] = sum(level->z[cell], raised);
        level->spare[cell] = sum(difference(level->z[cell], bed), max(difference(raised, beyond), 0));
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
    for (int k = first; k < end; k++)
        level->z[level->streams[k]] = level->fresh[k];
}

Status raise_heads(Level *level) {
    Status status = level->hillslope.raised ? level_step_streams(level, 1, bound_row) : STATUS_OK;
    for (int round = 0; level->hillslope.raised && round < HEAD_ROUNDS && status == STATUS_OK; round++) {
        status = level_step_streams(level, 1, rise_row);
        if (status == STATUS_OK)
            status = level_step_streams(level, 0, take_rise);
    }
    return status;
}

bool edits_raise(const LandEdits *edits, int level) {
    bool any = false;
    for (int i = 0; edits && i < edits->count; i++)
        any |= edits->at[i].height > 0 && edits->at[i].entry == level;
    return any;
}
