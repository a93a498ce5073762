// Computes a level: which part of the coarser one it needs, and the order of the steps.

#include "land/deltas.h"
#include "land/edit_sheets.h"
#include "land/edits.h"
#include "land/law.h"
#include "land/runoff.h"
#include "land/strata.h"

#include "core/math.h"
#include "core/memory.h"

#include <assert.h>
#include <string.h>

// --- where it lies -----------------------------------------------------------------------------------------

// Extends cells first … end - 1 along an axis by `margin` on each side, up to the land's edge, to even
// numbers.
static Int128 spread(Int128 *first, int length, Int128 cells, int margin) {
    Int128 end = *first + length + margin;
    end = end > cells ? cells : end;
    *first = *first > margin ? *first - margin : 0;
    *first -= *first & 1;
    return end + (end & 1);
}

static Int128 grid_width(const Land *land, int level) {
    return (Int128)land->root.width << level;
}

static Int128 grid_height(const Land *land, int level) {
    return (Int128)land->root.height << level;
}

static LandWindow spread_by(const Land *land, const LandWindow *wanted, int margin) {
    LandWindow wide = { .x = wanted->x, .y = wanted->y, .level = wanted->level, .face = wanted->face };
    wide.width = (int)(spread(&wide.x, wanted->width, grid_width(land, wide.level), margin) - wide.x);
    wide.height = (int)(spread(&wide.y, wanted->height, grid_height(land, wide.level), margin) - wide.y);
    return wide;
}

// Where no edit is near, the steps that make them do nothing and need no margin.
static Hillslope form_near(const Land *land, const LandWindow *wanted) {
    Hillslope form = hillslope_of(&land->rules, wanted->level);
    form.deltas = deltas_reach(land, wanted, margin_of(&form));
    if (!form.edits)
        return form;
    LandWindow wide = spread_by(land, wanted, margin_of(&form));
    edits_near(land, &wide, &form);
    wide = spread_by(land, wanted, margin_of(&form) - margin_before_edits(&form) - form.rises);
    form.rises = rise_near(land, &wide, form.rises);
    return form;
}

static LandWindow with_margin(const Land *land, const LandWindow *wanted) {
    const Hillslope form = form_near(land, wanted);
    return spread_by(land, wanted, margin_of(&form));
}

LandWindow parent_of(const Land *land, const LandWindow *wanted) {
    const LandWindow wide = with_margin(land, wanted);
    const int level = wanted->level - 1;
    const Int128 width = grid_width(land, level), height = grid_height(land, level);
    Int128 left = wide.x / 2 - PARENT_MARGIN, top = wide.y / 2 - PARENT_MARGIN;
    Int128 right = (wide.x + wide.width) / 2 + PARENT_MARGIN,
           bottom = (wide.y + wide.height) / 2 + PARENT_MARGIN;
    left = left < 0 ? 0 : left;
    top = top < 0 ? 0 : top;
    right = right > width ? width : right;
    bottom = bottom > height ? height : bottom;
    return (LandWindow){
        .x = left, .y = top, .width = (int)(right - left), .height = (int)(bottom - top), .level = level
    };
}

// --- the arrays --------------------------------------------------------------------------------------------

static Status allocate(Level *level, Error *error) {
    const size_t n = level->count, rows = (size_t)level->height + 1;
    const Status status = level_arrays_new(level, n, error);
    level->streams = cells_new(n + 1, sizeof *level->streams, error);
    level->stream_rows = memory_new(rows, sizeof *level->stream_rows, error);
    level->row_streams = memory_new(rows, sizeof *level->row_streams, error);
    level->land_columns = memory_new(rows, sizeof *level->land_columns, error);
    level->limit = cells_new(n, sizeof *level->limit, error);
    const bool all =
        level->streams && level->stream_rows && level->row_streams && level->land_columns && level->limit;
    level->fresh_area = level->limit;    // which only erosion wants
    level->direction = level->next_flow; // which only erosion and drainage want
    return all ? status : STATUS_MEMORY;
}

static void level_free(const Level *level) {
    sheets_end(level);
    memory_free(level->springs);
    memory_free(level->edit_rows);
    memory_free(level->edits);
    memory_free(level->limit);
    memory_free(level->land_columns);
    memory_free(level->row_streams);
    memory_free(level->stream_rows);
    memory_free(level->streams);
    level_arrays_free(level);
}

// -----------------------------------------------------------------------------------------------------------

static Level level_of(const Land *land, const Run *run, const LandWindow *wanted) {
    const LandWindow wide = with_margin(land, wanted);
    Level level = { .land = land,
                    .run = run,
                    .number = wanted->level,
                    .graded = is_graded(&land->rules, wanted->level),
                    .cell = land->cell,
                    .least_fall = least_fall(&land->rules, wanted->level),
                    .hillslope = form_near(land, wanted),
                    .x = wide.x,
                    .y = wide.y,
                    .width = wide.width,
                    .height = wide.height,
                    .count = memory_count(wide.width, wide.height),
                    .ends_left = wide.x == 0,
                    .ends_top = wide.y == 0,
                    .ends_right = wide.x + wide.width == grid_width(land, wanted->level),
                    .ends_bottom = wide.y + wide.height == grid_height(land, wanted->level) };
    level.region = (Region){ level.ends_left, level.ends_top, level.width - level.ends_right,
                             level.height - level.ends_bottom };
    return level;
}

// --- the steps ---------------------------------------------------------------------------------------------

static void keep_rows(void *context, int first, int end) {
    const Level *level = context;
    const size_t at = (size_t)first * (size_t)level->width, after = (size_t)end * (size_t)level->width;
    memcpy(level->spare + at, level->z + at, (after - at) * sizeof *level->z);
}

// Where a stream has left its inherited course, restores the ground from before it.
KERNEL static void restore_ground(int32_t *restrict z, const uint8_t *restrict receiver,
                                  const int32_t *restrict former, int32_t lowest, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const int32_t ground = max(former[i], lowest);
        z[i] = receiver[i] == LAND_NONE ? ground : z[i];
    }
}

static void restore_rows(void *context, int first, int end) {
    const Level *level = context;
    const size_t at = (size_t)first * (size_t)level->width, after = (size_t)end * (size_t)level->width;
    restore_ground(level->z + at, level->receiver + at, level->spare + at, level->sea + 1, after - at);
}

static Status interpolate(Level *level, Parent *parents, Error *error) {
    Status status = STATUS_OK;
    for (int i = 0; i < level->patch_count && status == STATUS_OK; i++) {
        Level part = level_part(level, &level->patches[i]);
        status = parent_open(&parents[i], &part, &level->patches[i].parent, error);
        parents[i].offset = parents[0].offset;
        if (status == STATUS_OK)
            status = upsample(&part, &parents[i], error);
        level->base = part.base;
        level->sea = part.sea;
    }
    level_exchange(level, LEVEL_ALTITUDE | LEVEL_SLOPE);
    return status;
}

static Status steepen(Level *level, Parent *parents, Error *error) {
    Status status = find_springs(level, error);
    if (status == STATUS_OK)
        status = find_delta_springs(level, parents, error);
    return status == STATUS_OK ? begin_edits(level, error) : status;
}

static Status coast(Level *level, Parent *parents, Error *error) {
    (void)error;
    find_lakes(level, parents);
    return draw_coast(level, parents);
}

static Status inherit(Level *level, Parent *parents, Error *error) {
    const Status status = parallel_rows(level->run, level->height, level->width * 1.0, keep_rows, level);
    return status == STATUS_OK ? inherit_streams(level, parents, error) : status;
}

static Status lakes(Level *level, Parent *parents, Error *error) {
    (void)error;
    return draw_lakes(level, parents);
}

static Status open_seas(Level *level, Parent *parents, Error *error) {
    (void)error;
    return keep_seas_open(level, parents);
}

static Status straighten(Level *level) {
    const Status status = find_land(level);
    return status == STATUS_OK ? straighten_streams(level) : status;
}

static Status restore(Level *level) {
    return parallel_rows(level->run, level->height, level->width * 1.0, restore_rows, level);
}

// Depth of the deepest pit that is filled: a deeper one has a path out that is longer than the steps reach.
// After erosion half a cell is enough, and on soil after its first levels 1/16; on graded levels 16 cells:
// all around a pit on a pass, ridges rise, and what is not filled grows deeper on each level; below tables,
// whose cliffs are 30 cells high two levels on, banks of streams may dam a whole valley.
static Status fill_before(Level *level) {
    const int32_t cell = level->hillslope.soil ? level->cell / 8 : level->cell;
    return fill_pits(level, level->hillslope.first_fill, level->graded ? 8 * cell : cell);
}

static Status fill_after(Level *level) {
    const bool soil = level->hillslope.soil, hard = level->land->rules.hardness > 0 && !soil;
    const int32_t cell = level->hillslope.smooth ? level->cell / 8 : level->cell;
    const int32_t last = level->graded ? 16 * cell : cell / 2;
    // As fill_edits does where that takes fewer rounds than there.
    level->deep = level->marks && level->hillslope.last_fill >= EDIT_FILL ? MARK_HILL_TOP : 0;
    const Status status = fill_pits(level, level->hillslope.last_fill, hard ? 32 * cell : last);
    level->deep = 0;
    return status;
}

static Status lower_border(Level *level) {
    lower_edge(level);
    return STATUS_OK;
}

// Where divides move, which they do not on soil.
static Status peel(Level *level) {
    return level->hillslope.soil ? STATUS_OK : peel_streams(level);
}

// Reads no coarser level, but may lack memory.
static Status arms(Level *level, Parent *parents, Error *error) {
    (void)parents;
    return build_deltas(level, error);
}

// Either function takes the step. `from_coarse` reads the coarser level, which is freed after the last of
// them. `sets`: arrays (LEVEL_ALTITUDE …) that hold nothing before. `rim`: cells along the region's edge that
// are not valid all the same; no step reads them before it shrinks the region.
typedef struct LevelStep {
    const char *name;
    unsigned sets;
    int rim;
    Status (*from_coarse)(Level *level, Parent *parents, Error *error);
    Status (*take)(Level *level);
} LevelStep;

// clang-format off
static const LevelStep steps[] = {
    { "interpolate", LEVEL_ALTITUDE | LEVEL_SLOPE, INHERIT_REACH, .from_coarse = interpolate },
    { "steepen", .from_coarse = steepen },
    { "coast", LEVEL_AREA | LEVEL_RECEIVER, INHERIT_REACH, .from_coarse = coast },
    { "inherit", .from_coarse = inherit },
    { "deltas", .take = lay_deltas },
    { "lakes", .from_coarse = lakes },
    { "open-seas", .from_coarse = open_seas },
    { "arms", .from_coarse = arms },
    { "sea-floor", .rim = SHELF_REACH, .take = smooth_shelf },
    { "straighten", .take = straighten },
    { "restore", .take = restore },
    { "shores", .take = raise_shores },
    { "profile", .take = even_streams },
    { "sink", .take = sink_streams },
    { STEP_CANALS, .take = carve_canals },
    { "fill", .take = fill_before },
    { "feet", .take = lower_feet },
    { "beaches", .take = lay_beaches },
    { "deposit", .take = deposit },
    { "border", .take = lower_border },
    { "erode", .take = erode },
    { "rebound", .take = rebound },
    { "tables", .take = raise_tables },
    { "edits", .take = raise_edits },
    { "sink-again", .take = sink_streams },
    { "peel", .take = peel },
    { "banks", .take = raise_banks },
    { "shores-again", .take = raise_shores },
    { "border-again", .take = lower_border },
    { "fill-again", .take = fill_after },
    { "fill-edits", .take = fill_edits },
    { "drain", .take = drain },
    { STEP_BEFORE_BASINS, .take = lower_edits },
    { "basins", .take = fill_basins },
    { "small-lakes", .take = cut_small_lakes },
};
// clang-format on

static Status take_steps(Level *level, Error *error) {
    const LandWatch *watch = &level->land->watch;
    const int count = sizeof steps / sizeof *steps;
    Parent parents[PATCHES] = { 0 };
    Status status = STATUS_OK;
    unsigned arrays = 0;
    int coarse = count; // the end of the steps that read the coarser level
    while (coarse > 0 && !steps[coarse - 1].from_coarse)
        coarse--;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const LevelStep *step = &steps[i];
        status = step->take ? step->take(level) : step->from_coarse(level, parents, error);
        for (int k = 0; k < level->patch_count && (i == coarse - 1 || status != STATUS_OK); k++)
            parent_free(&parents[k]);
        arrays |= step->sets;
        if (status == STATUS_OK && watch->look)
            watch->look(watch->context, level, &(LandStep){ i, step->name, arrays, step->rim });
    }
    return status;
}

// --- windows -----------------------------------------------------------------------------------------------

// That no step's reach was forgotten.
static void assert_made(const Level *level, const LandWindow *window) {
    assert(window->x - level->x + level->ends_left >= level->region.left);
    assert(window->y - level->y + level->ends_top >= level->region.top);
    (void)level;
    (void)window;
}

static void copy_out(const Level *level, LandWindow *window) {
    const size_t width = (size_t)window->width;
    const int left = (int)(window->x - level->x), top = (int)(window->y - level->y);
    assert_made(level, window);
    window->base = level->base;
    for (int y = 0; y < window->height; y++) {
        const size_t from = (size_t)(top + y) * (size_t)level->width + (size_t)left, to = (size_t)y * width;
        memcpy(window->altitude + to, level->z + from, width * sizeof *level->z);
        memcpy(window->area + to, level->area + from, width * sizeof *level->area);
        memcpy(window->receiver + to, level->receiver + from, width);
        if (window->runoff)
            memcpy(window->runoff + to, level->runoff + from, width * sizeof *level->runoff);
    }
}

static void clear_directions(void *context, int first, int end) {
    const Level *level = context;
    const size_t width = (size_t)level->width;
    memset(level->direction + (size_t)first * width, 0,
           (size_t)(end - first) * width * sizeof *level->direction);
    if (level->runoff)
        memset(level->runoff + (size_t)first * width, RUNOFF_UNKNOWN,
               (size_t)(end - first) * width * sizeof *level->runoff);
}

// Runs all steps on a level whose arrays are set up.
static Status make(Level *level, Error *error) {
    Status status = allocate(level, error);
    if (status == STATUS_OK)
        status = parallel_rows(level->run, level->height, level->width * 0.5, clear_directions, level);
    return status == STATUS_OK ? take_steps(level, error) : status;
}

Status level_reserve(const Land *land, const LandWindow *wanted, Error *error) {
    Level level = level_of(land, NULL, wanted);
    const Status status = allocate(&level, error);
    level_free(&level);
    return status;
}

// Takes the level's arrays.
static LandWindow window_of_level(Level *level) {
    const LandWindow window = { .x = level->x,
                                .y = level->y,
                                .width = level->width,
                                .height = level->height,
                                .level = level->number,
                                .base = level->base,
                                .altitude = level->z,
                                .area = level->area,
                                .receiver = level->receiver,
                                .runoff = level->runoff };
    level->z = NULL;
    level->area = NULL;
    level->receiver = NULL;
    level->runoff = NULL;
    return window;
}

Status level_compute(const Land *land, const Run *run, const LandWindow *parent, const LandWindow *wanted,
                     LandWindow *made, Error *error) {
    Level level = level_of(land, run, wanted);
    const Patch patch = {
        .place = { .face = wanted->face, .x = level.x, .y = level.y, .height = level.height },
        .parent = *parent
    };
    level.patches = &patch;
    level.patch_count = 1;
    const Status status = make(&level, error);
    if (status == STATUS_OK) {
        assert_made(&level, wanted);
        *made = window_of_level(&level);
    }
    level_free(&level);
    return status;
}

// --- patches of a planet ----------------------------------------------------------------------------------

// The patch of the window's face.
static const Patch *patch_of(const Level *level, const LandWindow *window) {
    const Patch *patch = level->patches;
    while (patch->place.face != window->face)
        patch++;
    return patch;
}

Status level_compute_patches(const Land *land, const Run *run, int number, const Patch *patches, int count,
                             int width, Int128 side, LandWindow *windows, int window_count, Error *error) {
    const int height = patches[count - 1].place.row + patches[count - 1].place.height;
    Level level = { .land = land,
                    .run = run,
                    .number = number,
                    .graded = is_graded(&land->rules, number),
                    .cell = land->cell,
                    .least_fall = least_fall(&land->rules, number),
                    .hillslope = hillslope_of(&land->rules, number),
                    .width = width,
                    .height = height,
                    .count = memory_count(width, height),
                    .region = { GUARD, GUARD, width - GUARD, height - GUARD },
                    .patches = patches,
                    .patch_count = count };
    Seams seams = { 0 }, coarse = { 0 };
    Status status = level_sew(&level, &seams, &coarse, side, error);
    if (status == STATUS_OK)
        status = make(&level, error);
    for (int i = 0; i < window_count && status == STATUS_OK; i++) {
        const Patch *patch = patch_of(&level, &windows[i]);
        const Level part = level_part(&level, patch);
        status = window_create(&windows[i], land->rules.watered, error);
        if (status == STATUS_OK)
            copy_out(&part, &windows[i]);
    }
    level_free(&level);
    seams_free(&seams);
    seams_free(&coarse);
    return status;
}
