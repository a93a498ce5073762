// The bowls of craters on the levels that they enter, between erosion and drainage.

#include "land/craters.h"
#include "land/edit_sheets.h"
#include "land/edit_wishes.h"
#include "land/law.h"
#include "land/level.h"

#include "core/math.h"
#include "core/whole.h"
#include "water/drainage.h"

#include <math.h>
#include <string.h>

// A crater's bowl is all its own, and its water ends at its lowest place or in its lake: streams that come
// into it are led there, and those that leave it begin at its rim. That is done once, on the crater's first
// level, where the bowl is looked at as a whole, and only there, so that windows agree; finer levels inherit
// its streams as they do all others. Until the level is drained the bowl is no free ground, so that nothing
// fills it.

#define WALL_SLOPE 1.5 // of gorges at their feet, against the crater's depth over half its width
#define GORGE_AREA (4.0f * STREAM_CELLS) // of the crater's first level: smaller streams cut slots
#define STEEPENING 0.25                  // by which it grows with each cell

// In level->flow: what a cell of a bowl is.
enum {
    KEPT = 1, // a stream, lower than the bowl would be
    FED = 2,  // from outside the bowl
    LED = 4,  // a stream that leads to the bowl's sink
};

// A bowl and its box in the level, the last cells excluded.
typedef struct Bowl {
    const Level *level;
    int number; // of its edit
    int left, top, right, bottom;
} Bowl;

// --- digging -----------------------------------------------------------------------------------------------

static void end_here(const Level *level, size_t cell, int32_t altitude, int receiver) {
    level->z[cell] = altitude;
    level->wanted[cell] = UNWANTED;
    level->receiver[cell] = (uint8_t)receiver;
    level->area[cell] = 1;
}

static int32_t bowl_at(const Level *level, size_t cell) {
    return max(level->wanted[cell], level->sea + level->least_fall);
}

static void dig_crater(const Level *level, size_t cell) {
    const int32_t wanted = bowl_at(level, cell);
    const int receiver = level->receiver[cell], mark = level->marks[cell];
    const bool pool = mark == MARK_POOL || mark == MARK_SHORE, lower = wanted >= level->z[cell];
    if (level->z[cell] <= level->sea || level->wanted[cell] == UNWANTED ||
        (mark == MARK_SHORE && receiver < NEIGHBOURS && lower)) {
        level->marks[cell] = MARK_NEAR;
        return;
    }
    if (receiver < NEIGHBOURS && lower && !pool) {
        level->flow[cell] = KEPT;
        return;
    }
    if (receiver == LAND_SEA && !pool) // where another crater's water ends: streams there may be lower
        level->marks[cell] = MARK_BOTTOM;
    end_here(level, cell, receiver == LAND_SEA && !pool ? min(wanted, level->z[cell]) : wanted,
             pool ? LAND_LAKE : LAND_SEA);
}

// --- a bowl ------------------------------------------------------------------------------------------------

static bool is_own(const Bowl *bowl, size_t cell) {
    return bowl->level->marks[cell] >= MARK_BOWL && bowl->level->next[cell] == bowl->number;
}

static bool is_ground(const Bowl *bowl, size_t cell) {
    return is_own(bowl, cell) && bowl->level->marks[cell] == MARK_BOWL && !(bowl->level->flow[cell] & KEPT);
}

typedef bool BowlCell(const Bowl *bowl, size_t cell);

// Visits its cells; true if any visit is.
static bool visit_bowl(const Bowl *bowl, BowlCell *visit) {
    bool any = false;
    for (int y = bowl->top; y < bowl->bottom; y++)
        for (int x = bowl->left; x < bowl->right; x++) {
            const size_t cell = (size_t)y * (size_t)bowl->level->width + (size_t)x;
            any |= is_own(bowl, cell) && visit(bowl, cell);
        }
    return any;
}

static bool is_fed(const Bowl *bowl, size_t cell) {
    const Level *level = bowl->level;
    bool fed = level->flow[cell] & FED;
    for (unsigned donors = donors_of(level, cell); donors && !fed;)
        fed = is_own(bowl, towards(level, cell, next_direction(&donors)));
    return fed;
}

// What is left of a stream below the bowl becomes a part of it.
static bool drop_stream(const Bowl *bowl, size_t cell) {
    const Level *level = bowl->level;
    if (!(level->flow[cell] & KEPT) || is_fed(bowl, cell))
        return false;
    level->flow[cell] = 0;
    end_here(level, cell, bowl_at(level, cell), LAND_SEA);
    return true;
}

// In level->fresh: how high water stands where all of it runs to the sink (Planchon and Darboux 2002).
static bool begin_flood(const Bowl *bowl, size_t cell) {
    bowl->level->fresh[cell] = is_ground(bowl, cell) ? HIGHEST : bowl->level->z[cell];
    return false;
}

static bool flood(const Bowl *bowl, size_t cell) {
    const Level *level = bowl->level;
    int32_t lowest = HIGHEST;
    if (!is_ground(bowl, cell))
        return false;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const size_t beside = towards(level, cell, d);
        lowest = is_own(bowl, beside) ? min(lowest, level->fresh[beside]) : lowest;
    }
    const int32_t water = lowest == HIGHEST ? HIGHEST : max(sum(lowest, level->least_fall), level->z[cell]);
    const bool falls = water < level->fresh[cell];
    level->fresh[cell] = water;
    return falls;
}

// Where another crater has taken the sink, the lowest cell becomes one; false: water reaches all cells.
static bool find_sink(const Bowl *bowl) {
    const Level *level = bowl->level;
    size_t lowest = 0;
    bool any = false;
    for (int y = bowl->top; y < bowl->bottom; y++)
        for (int x = bowl->left; x < bowl->right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            if (!is_ground(bowl, cell) || level->fresh[cell] < HIGHEST ||
                (any && level->z[cell] >= level->z[lowest]))
                continue;
            lowest = cell;
            any = true;
        }
    if (any) {
        level->marks[lowest] = MARK_BOTTOM;
        level->fresh[lowest] = level->z[lowest];
    }
    return any;
}

static bool take_flood(const Bowl *bowl, size_t cell) {
    bowl->level->z[cell] = bowl->level->fresh[cell];
    return false;
}

// The direction in which ground falls most steeply.
static int way_of(const Bowl *bowl, size_t cell) {
    const Level *level = bowl->level;
    int way = 0;
    float steepest = 0;
    for (int d = 0; d < NEIGHBOURS; d++) {
        const size_t beside = towards(level, cell, d);
        const float fall =
            (float)difference(level->fresh[cell], level->fresh[beside]) * (d % 2 ? ESKER_DIAGONAL : 1.0f);
        if (!is_own(bowl, beside) || fall <= steepest)
            continue;
        steepest = fall;
        way = d;
    }
    return way;
}

// The streams that come into a cell of the bowl from elsewhere, as bits.
static unsigned streams_into(const Bowl *bowl, size_t cell) {
    const Level *level = bowl->level;
    unsigned streams = 0;
    for (unsigned donors = level->flow[cell] & KEPT ? 0 : donors_of(level, cell); donors;) {
        const int d = next_direction(&donors);
        const size_t donor = towards(level, cell, d);
        const bool led = is_own(bowl, donor) ? !(level->flow[donor] & LED) : level->marks[donor] < MARK_BOWL;
        streams |= (unsigned)led << d;
    }
    return streams;
}

static bool lead_streams(const Bowl *bowl, size_t first) {
    const Level *level = bowl->level;
    for (unsigned streams = streams_into(bowl, first); streams;) {
        const size_t donor = towards(level, first, next_direction(&streams));
        for (size_t cell = first; is_ground(bowl, cell); cell = towards(level, cell, level->receiver[cell])) {
            const bool led = level->flow[cell] & LED;
            level->area[cell] = min(level->area[donor] + (led ? level->area[cell] : 0), AREA_MAX);
            if (led)
                continue;
            level->flow[cell] |= LED;
            level->receiver[cell] = (uint8_t)way_of(bowl, cell);
            if (level->runoff)
                level->runoff[cell] = level->runoff[donor];
        }
    }
    return false;
}

// A stream that is lower than the ground to which it leads cuts that, down to the sink.
static bool cut_beds(const Bowl *bowl, size_t first) {
    const Level *level = bowl->level;
    for (unsigned streams = streams_into(bowl, first); streams;) {
        int32_t bed = level->z[towards(level, first, next_direction(&streams))];
        for (size_t cell = first; is_own(bowl, cell) && level->receiver[cell] != LAND_LAKE;
             cell = towards(level, cell, level->receiver[cell])) {
            bed = max(min(level->z[cell], bed - level->least_fall), level->sea + 1);
            level->z[cell] = bed;
            if (level->receiver[cell] >= NEIGHBOURS)
                break;
        }
    }
    return false;
}

static void shape_bowl(const Bowl *bowl) {
    while (visit_bowl(bowl, drop_stream)) {
    }
    visit_bowl(bowl, begin_flood);
    do {
        while (visit_bowl(bowl, flood)) {
        }
    } while (find_sink(bowl));
    visit_bowl(bowl, take_flood);
    visit_bowl(bowl, lead_streams);
    visit_bowl(bowl, cut_beds);
}

// False: it is not known as a whole. `sheet`: across an edge of a planet's cube; else NULL.
static bool open_bowl(const Level *level, int number, Bowl *bowl, Sheet **sheet) {
    const LandEdit *edit = &level->land->rules.edits->at[number];
    const EditPoint middle = level->land->rules.edits->points[edit->first];
    const double half = CRATER_BOWL * edit->half;
    const EditBox box = { middle.x - half, middle.y - half, middle.x + half, middle.y + half };
    EditBox on[CUBE_FACES];
    Region cells;
    *sheet = NULL;
    if (!edit->bowl || edit->part > 0 || edit->entry != level->number)
        return false;
    chart_boxes(&edit->chart, &box, on);
    if (!known_box(level, on, 1, &cells)) {
        if (!sheet_open(level, on, 1, true, sheet))
            return false;
        cells = (*sheet)->inner;
    }
    *bowl =
        (Bowl){ *sheet ? &(*sheet)->level : level, number, cells.left, cells.top, cells.right, cells.bottom };
    return true;
}

// --- all of them -------------------------------------------------------------------------------------------

void free_craters(const Level *level) {
    const Region box = level->hillslope.bowls ? level->changed : (Region){ 0 };
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            if (level->marks[cell] == MARK_BOWL && level->receiver[cell] == LAND_SEA)
                level->receiver[cell] = LAND_NONE;
        }
}

typedef void CraterCell(const Level *level, size_t cell);

static void visit_craters(const Level *level, int least, CraterCell *visit) {
    const Region box = level->changed;
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            if (level->marks[cell] >= least)
                visit(level, cell);
        }
}

static void clear_state(const Level *level, size_t cell) {
    level->flow[cell] = 0;
}

// Before any bowl changes.
static void find_feeders(const Level *level, size_t cell) {
    for (unsigned donors = level->flow[cell] & KEPT ? donors_of(level, cell) : 0; donors;) {
        const size_t donor = towards(level, cell, next_direction(&donors));
        if (level->marks[donor] < MARK_BOWL || level->next[donor] != level->next[cell])
            level->flow[cell] |= FED;
    }
}

// What is left of a bowl's streams is no part of it.
static void settle_marks(const Level *level, size_t cell) {
    if (level->flow[cell] & KEPT || level->marks[cell] == MARK_SHORE)
        level->marks[cell] = MARK_NEAR;
}

// What a bowl has become, beyond edges of faces.
static void exchange_bowls(const Level *level) {
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_AREA | LEVEL_RECEIVER);
    level_exchange_wishes(level);
}

void dig_craters(Level *level) {
    if (!level->hillslope.bowls)
        return;
    level_exchange(level, LEVEL_NEXT); // whose bowl a cell lies in
    visit_craters(level, MARK_SHORE, clear_state);
    visit_craters(level, MARK_SHORE, dig_crater);
    visit_craters(level, MARK_BOWL, find_feeders);
    for (int i = 0; i < level->edit_count; i++) {
        Bowl bowl;
        Sheet *sheet;
        if (!open_bowl(level, level->edits[i], &bowl, &sheet))
            continue;
        shape_bowl(&bowl);
        if (sheet)
            sheet_return(sheet);
        exchange_bowls(level);
    }
    visit_craters(level, MARK_SHORE, settle_marks);
    exchange_bowls(level);
    level_shrink(level, max(level->hillslope.bowls - GORGE_REACH, 0));
}

// --- gorges ------------------------------------------------------------------------------------------------

// In level->next: how high walls of gorges may be.
static void begin_walls(const Level *level, const Region *box, float least) {
    for (int y = box->top; y < box->bottom; y++)
        for (int x = box->left; x < box->right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const bool stream = level->receiver[cell] < NEIGHBOURS && level->area[cell] >= least;
            level->next[cell] = level->spare[cell] = stream ? level->z[cell] : HIGHEST;
        }
}

static void raise_walls(const Level *level, const Region *box, double steep) {
    const int32_t beside = whole_int(steep), aslant = whole_int(steep / ESKER_DIAGONAL);
    for (int y = box->top + 1; y < box->bottom - 1; y++)
        for (int x = box->left + 1; x < box->right - 1; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            int32_t wall = level->next[cell];
            for (int d = 0; d < NEIGHBOURS; d++) {
                const int32_t from = level->next[towards(level, cell, d)];
                wall = from < HIGHEST ? min(wall, sum(from, d % 2 ? aslant : beside)) : wall;
            }
            level->spare[cell] = wall;
        }
}

static void ease_gorges_in(Level *level, const LandEdit *edit, Region box) {
    const LandRules *rules = &level->land->rules;
    const int graded = max(rules->graded, 0);
    const double slope =
        WALL_SLOPE * edit->depth / (edit->half * ldexp(local_edits(level).cells, graded - level->number));
    const double steep =
        slope * ldexp(level->land->cell, graded - level->number + doublings(rules, level->number));
    begin_walls(level, &box, ldexpf(GORGE_AREA, 2 * edit->part));
    for (int round = 0; round < GORGE_REACH; round++) {
        raise_walls(level, &box, min(steep * (1 + STEEPENING * round), HIGHEST / 2.0));
        int32_t *walls = level->spare;
        level->spare = level->next;
        level->next = walls;
    }
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            const size_t cell = (size_t)y * (size_t)level->width + (size_t)x;
            const int32_t wanted = level->wanted[cell], z = level->z[cell];
            if (wanted != UNWANTED && wanted > z)
                level->wanted[cell] = max(min(wanted, level->next[cell]), z);
        }
}

static void ease_gorges_of(Level *level, const LandEdit *edit) {
    Sheet *sheet;
    if (boxes_on_one_face(edit->on) || !level->seams)
        ease_gorges_in(level, edit, region_within(edit_box(level, edit), level->region));
    else if (sheet_open(level, edit->on, 1, false, &sheet)) {
        ease_gorges_in(&sheet->level, edit, sheet->inner);
        sheet_return(sheet);
    }
}

void ease_gorges(Level *level) {
    for (int i = 0; i < level->edit_count; i++) {
        const LandEdit *edit = &level->land->rules.edits->at[level->edits[i]];
        if (edit->kind == EDIT_CRATER && edit->entry == level->number)
            ease_gorges_of(level, edit);
    }
    level_shrink(level, min(level->hillslope.bowls, (int)GORGE_REACH));
}
