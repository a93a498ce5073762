#include "land/edits.h"

#include "land/craters.h"
#include "land/level.h"

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/noise.h"
#include "core/whole.h"

#include <math.h>
#include <string.h>

// A hill's height is (1 - d²)³, d the distance from its point or line in half widths, which a noise stretches
// by BENDING: else hills would be round. Lines wander by WANDERING half widths, else ridges would be
// straight. The noises' lattice is LATTICE half widths wide.
#define BENDING 0.3
#define WANDERING 0.4
#define LATTICE 0.9
#define STEEPEST 1.717 // the greatest slope of that, per half width,
#define SHOULDER 0.447 // and the half widths from the middle at which it is
#define CROWN 0.45     // inside: the least slope that is asked for, against the greatest
#define EDGE 0.5       // of level ground: the half widths in which its sides meet the land
#define FRAYED 0.2     // its edges wander by so many half widths

// --- lists -------------------------------------------------------------------------------------------------

int edit_entry(double half, int cells) {
    int level = 1;
    while (level <= EDIT_ENTRY_MAX && half * ldexp(cells, level) < EDIT_HALF_CELLS)
        level++;
    return level;
}

bool edits_have_lakes(const LandEdits *edits, int first, int last) {
    bool any = false;
    for (int i = 0; edits && i < edits->count && !any; i++)
        any = edits->at[i].entry >= first && edits->at[i].entry <= last && edit_has_lake(&edits->at[i]);
    return any;
}

void edit_counts(const LandEdit *edit, Hillslope *form) {
    form->edits = true;
    form->lowers |= !edit_only_raises(edit);
    form->seaward |= edit->seaward;
    form->canals |= edit->kind == EDIT_CANAL;
    form->basins = max(form->basins, edit->basin);
    form->bowls = max(form->bowls, edit->bowl);
    if (edit->kind != EDIT_RAISE || form->last_fill < EDIT_FILL)
        form->fills = EDIT_FILL;
}

void edits_count(const LandEdits *edits, int level, Hillslope *form) {
    for (int i = 0; edits && i < edits->count; i++) {
        const LandEdit *edit = &edits->at[i];
        form->lakes |= edit->entry <= level && edit_has_lake(edit);
        if (edit->entry == level)
            edit_counts(edit, form);
    }
    form->rises = form->edits ? RISE_REACH + (form->seaward ? MOUTH_REACH_ON : 0) : 0;
}

double outline_half(const EditPoint *points, int count) {
    double area = 0, length = 0;
    for (int i = 0; i < count; i++) {
        const EditPoint *a = &points[i], *b = &points[(i + 1) % count];
        const double x = b->x - a->x, y = b->y - a->y;
        area += (a->x - points->x) * y - (a->y - points->y) * x;
        length += sqrt(x * x + y * y);
    }
    return length > 0 ? fabs(area) / length : 0; // `area`: twice that
}

// --- rough outlines ----------------------------------------------------------------------------------------

#define ASIDE 0.25 // of an edge's length
#define ACROSS 0.5 // of half the outline's width: its sides stay apart

typedef struct Roughening {
    uint64_t key; // of the chart
    double roughness, most;
    EditPoint *to;
    int count;
} Roughening;

// A place as its noise depends on it, so that it does not on the last bits of how the place was given.
static double nearby(double place) {
    return floor(ldexp(place, 30) + 0.5);
}

// Charts of a planet are told apart by their middles, a flat land's is 0.
static uint64_t chart_key(const EditChart *chart) {
    return chart->round ? mix_number(mix_number(mix_number(0, nearby(chart->up.x)), nearby(chart->up.y)),
                                     nearby(chart->up.z))
                        : 0;
}

static double length_of(EditPoint a, EditPoint b) {
    const double x = b.x - a.x, y = b.y - a.y;
    return sqrt(x * x + y * y);
}

static bool is_before(EditPoint a, EditPoint b) {
    return a.x != b.x ? a.x < b.x : a.y < b.y;
}

// The same whichever end comes first.
static EditPoint moved_middle(const Roughening *roughening, EditPoint a, EditPoint b, double length) {
    const EditPoint from = is_before(a, b) ? a : b, to = is_before(a, b) ? b : a;
    uint64_t bits = mix_number(mix_number(roughening->key, nearby(from.x)), nearby(from.y));
    bits = mix_number(mix_number(bits, nearby(to.x)), nearby(to.y));
    const double aside = (double)random_signed(random_key(bits, 0), 0, 0) * roughening->roughness *
                         min(ASIDE * length, roughening->most) / length;
    return (EditPoint){ clamp((from.x + to.x) / 2 - aside * (to.y - from.y), 0.0, 1.0),
                        clamp((from.y + to.y) / 2 + aside * (to.x - from.x), 0.0, 1.0) };
}

// Adds all points after a, up to b; how often halves are halved depends on the first edge alone.
static void roughen_edge(Roughening *roughening, EditPoint a, EditPoint b, int halvings) {
    EditPoint waiting[16];
    int level[16], count = 0;
    waiting[count] = b;
    level[count++] = halvings;
    while (count > 0) {
        const EditPoint end = waiting[count - 1];
        const double length = length_of(a, end);
        if (level[count - 1] > 0 && length > 0) {
            const int next = --level[count - 1];
            waiting[count] = moved_middle(roughening, a, end, length);
            level[count++] = next;
            continue;
        }
        roughening->to[roughening->count++] = a = end;
        count--;
    }
}

int outline_roughen(const EditChart *chart, const EditPoint *points, int count, double roughness,
                    double least, EditPoint *rough) {
    const double half = outline_half(points, count);
    double length = 0;
    for (int i = 0; i + 1 < count; i++)
        length += length_of(points[i], points[i + 1]);
    const double shortest = max(least, 2 * length / OUTLINE_MORE);
    Roughening roughening = {
        .key = chart_key(chart), .roughness = roughness, .most = ACROSS * half, .to = rough
    };
    rough[roughening.count++] = points[0];
    for (int i = 0; i + 1 < count; i++) {
        const double edge = length_of(points[i], points[i + 1]);
        int halvings = 0;
        while (roughness > 0 && ldexp(shortest, halvings) < edge)
            halvings++;
        roughen_edge(&roughening, points[i], points[i + 1], halvings);
    }
    return roughening.count;
}

// --- lists -------------------------------------------------------------------------------------------------

static double reach_of(const LandEdit *edit, int cells) {
    if (edit->kind == EDIT_PAINT)
        return edit->half;
    if (edit->kind == EDIT_CRATER)
        return edit->half * (edit->part > 0 ? CRATER_RIM_REACH : CRATER_REACH);
    if (edit->kind == EDIT_CANAL)
        return ldexp(CANAL_REACH, -edit->entry) / cells;
    if (edit_is_shape(edit))
        return ldexp(GORGE_CELLS + 2, -edit->entry) / cells;
    if (edit->kind == EDIT_RAISE && edit->outline)
        return 0;
    if (edit->kind == EDIT_RAISE && edit->count == 1)
        return edit->half / (1 - BENDING);
    return edit->half * (edit->kind == EDIT_RAISE ? 1 / (1 - BENDING) + WANDERING
                         : edit->outline          ? EDGE + FRAYED
                                                  : 1 + EDGE + FRAYED);
}

enum { SHEET_MORE = 4 }; // cells around what lies on several faces (edit_sheets.h)

// Cells of the edit's level across the larger side of what a box covers, of all faces one after the other.
static double cells_across(const LandEdit *edit, const EditBox *box, int cells) {
    EditBox on[CUBE_FACES];
    double sides = 0;
    chart_boxes(&edit->chart, box, on);
    for (int face = 0; face < CUBE_FACES; face++)
        if (!box_is_empty(&on[face]))
            sides += max(on[face].right - on[face].left, on[face].bottom - on[face].top);
    const int more = edit->chart.round && !boxes_on_one_face(on) ? SHEET_MORE : 0;
    return sides * ldexp(cells, edit->entry - (edit->chart.round ? 2 : 0)) +
           more; // a face is a quarter around
}

static void set_box(LandEdit *edit, const EditPoint *points, int cells) {
    edit->left = edit->right = points[0].x;
    edit->top = edit->bottom = points[0].y;
    edit->key = chart_key(&edit->chart);
    for (int i = 0; i < edit->count; i++) {
        edit->left = min(edit->left, points[i].x);
        edit->right = max(edit->right, points[i].x);
        edit->top = min(edit->top, points[i].y);
        edit->bottom = max(edit->bottom, points[i].y);
        edit->key = mix_number(mix_number(edit->key, nearby(points[i].x)), nearby(points[i].y));
    }
    const double side = max(edit->right - edit->left, edit->bottom - edit->top);
    // Forms come a level earlier than others: only rivers older than a hill cut through it.
    // A canal is a stream of a cell or two there.
    const double finer = edit->kind == EDIT_RAISE ? 2 : edit->kind == EDIT_CANAL ? 2 * EDIT_HALF_CELLS : 1;
    edit->entry = edit_entry(finer * edit->half, cells) + edit->part;
    while (edit_is_shape(edit) && edit->entry > 1 && side * ldexp(cells, edit->entry) > LAKE_CELLS)
        edit->entry--;
    const double reach = reach_of(edit, cells);
    const EditBox box = { edit->left - reach, edit->top - reach, edit->right + reach, edit->bottom + reach };
    const double half = CRATER_BOWL * edit->half;
    const EditBox bowl = { points->x - half, points->y - half, points->x + half, points->y + half };
    const bool holds = edit_is_shape(edit) || edit_is_pit(edit), digs = edit->kind == EDIT_CRATER;
    edit->basin = holds ? whole_int(ceil(cells_across(edit, &box, cells))) + 3 : 0;
    edit->bowl =
        digs ? whole_int(edit->part == 0 ? ceil(cells_across(edit, &bowl, cells)) : 0) + 5 + GORGE_REACH : 0;
    edit->left = box.left;
    edit->top = box.top;
    edit->right = box.right;
    edit->bottom = box.bottom;
    chart_boxes(&edit->chart, &box, edit->on);
}

LandEdits *land_edits_copy(const LandEdits *edits, int more, int more_points, Error *error) {
    const int count = edits ? edits->count : 0, point_count = edits ? edits->point_count : 0;
    const size_t room = (size_t)count + (size_t)more, points = (size_t)point_count + (size_t)more_points;
    LandEdits *made =
        memory_new(sizeof *made + room * sizeof *made->at + points * sizeof *made->points, 1, error);
    if (!made)
        return NULL;
    *made = (LandEdits){ count, point_count, (LandEdit *)(void *)(made + 1), NULL };
    made->points = (EditPoint *)(void *)(made->at + room);
    if (!edits)
        return made;
    memcpy(made->at, edits->at, (size_t)count * sizeof *made->at);
    memcpy(made->points, edits->points, (size_t)point_count * sizeof *made->points);
    return made;
}

void land_edits_add(LandEdits *edits, const LandEdit *added, const EditPoint *points, int cells) {
    LandEdit *edit = &edits->at[edits->count++];
    *edit = *added;
    edit->first = edits->point_count;
    edits->point_count += added->count + added->data;
    memcpy(edits->points + edit->first, points, (size_t)(added->count + added->data) * sizeof *points);
    set_box(edit, points, cells);
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

// A noise as value_noise_double() gives it.
static double noise_by(NoiseCell *cell, RandomKey key, uint32_t layer, double x, double y) {
    const int column = whole_int(x), row = whole_int(y);
    if (!cell->known || cell->column != column || cell->row != row) {
        const uint32_t across = (uint32_t)column + layer, down = (uint32_t)row;
        *cell = (NoiseCell){
            true,
            column,
            row,
            { (double)random_signed(key, across, down), (double)random_signed(key, across + 1, down),
              (double)random_signed(key, across, down + 1), (double)random_signed(key, across + 1, down + 1) }
        };
    }
    return bilinear(cell->at[0], cell->at[1], cell->at[2], cell->at[3], smoothstep(x - column),
                    smoothstep(y - row));
}

// -1 … 1, two octaves; `number`: which of an edit's noises.
static double noise_of(const LandEdit *edit, FormNoises *noises, uint32_t number, double x, double y) {
    const RandomKey key = random_key(edit->key, number);
    const double u = (x - edit->left) / (LATTICE * edit->half) + 4,
                 v = (y - edit->top) / (LATTICE * edit->half) + 4;
    NoiseCell *cells = noises->cells[number];
    return noise_by(&cells[0], key, 0, u, v) * (2 / 3.0) +
           noise_by(&cells[1], key, 1 << 16, 2 * u, 2 * v) / 3;
}

static double smooth_within(double distance, double end, double width) {
    return smoothstep(clamp((end - distance) / width, 0.0, 1.0));
}

static double wandering_distance(const LandEdits *edits, const LandEdit *edit, FormNoises *noises, double far,
                                 double x, double y) {
    const double away = far * edit->half;
    return distance_of(edits, edit, x + away * noise_of(edit, noises, 1, x, y),
                       y + away * noise_of(edit, noises, 2, x, y));
}

// Inside its shoulder a form asks for more slope than its rounded top has: with that, finer levels would lift
// its flanks above its middle, and leave a bowl or a trough there. With its greatest slope the middle would
// become a peak, a third higher than asked for.
static EditForm raised_form(const LandEdits *edits, const LandEdit *edit, FormNoises *noises, double x,
                            double y) {
    double distance = distance_of(edits, edit, x, y);
    if (distance >= 1 / (1 - BENDING) + (edit->count > 1 ? WANDERING : 0))
        return (EditForm){ 0 };
    if (edit->count > 1)
        distance = wandering_distance(edits, edit, noises, WANDERING, x, y);
    distance *= 1 + BENDING * noise_of(edit, noises, 0, x, y);
    const double left = 1 - distance * distance, slope = 6 * distance * left * left / STEEPEST;
    if (distance >= 1)
        return (EditForm){ 0 };
    return (EditForm){ left * left * left, distance < SHOULDER ? max(slope, CROWN) : slope };
}

bool edit_outline_has(const LandEdits *edits, const LandEdit *edit, double reach, double x, double y) {
    return distance_of(edits, edit, x, y) * edit->half <= reach;
}

double edit_depth(const LandEdits *edits, const LandEdit *edit, double x, double y) {
    const EditPoint *points = edits->points + edit->first;
    return is_inside(points, edit->count, x, y) ? line_distance(points, edit->count, x, y) : 0;
}

// From the outline inward a slope, then a plateau, which wanders the more the farther inside.
static EditForm outlined_form(const LandEdits *edits, const LandEdit *edit, FormNoises *noises, double x,
                              double y) {
    const double way = edit_depth(edits, edit, x, y), away = WANDERING * way;
    if (way <= 0)
        return (EditForm){ 0 };
    const double bent = edit_depth(edits, edit, x + away * noise_of(edit, noises, 1, x, y),
                                   y + away * noise_of(edit, noises, 2, x, y));
    const double left = 1 - min(bent * (1 + BENDING * noise_of(edit, noises, 0, x, y)) / edit->half, 1.0);
    return (EditForm){ 1 - left * left, 2 * left / STEEPEST };
}

EditForm edit_form(const LandEdits *edits, const LandEdit *edit, double x, double y) {
    FormNoises noises = { 0 };
    return edit_form_by(edits, edit, &noises, x, y);
}

EditForm edit_form_by(const LandEdits *edits, const LandEdit *edit, FormNoises *noises, double x, double y) {
    if (edit->kind == EDIT_CRATER)
        return (EditForm){ crater_share(edit, edits->points + edit->first, x, y), 0 };
    if (edit->kind == EDIT_LAKE || edit->kind == EDIT_SEA)
        return (EditForm){ edit_outline_has(edits, edit, 0, x, y), 0 };
    if (edit->outline && edit->kind != EDIT_LEVEL)
        return outlined_form(edits, edit, noises, x, y);
    if (edit->kind == EDIT_RAISE)
        return raised_form(edits, edit, noises, x, y);
    const double distance = wandering_distance(edits, edit, noises, FRAYED, x, y);
    return (EditForm){ smooth_within(distance, (edit->outline ? 0 : 1) + EDGE, EDGE), 0 };
}
