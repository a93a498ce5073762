// Filling strip by strip (Barnes 2016). Of each strip the basins along its edges are keys, joined by spills:
// those within the strip, which fill_part finds, and those between neighbouring cells of two strips. From all
// of them follow the levels of keys, and from these, strip by strip, the filled heights.

#include "core/math.h"
#include "core/memory.h"
#include "large/large.h"
#include "water/filling.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct LargeFill {
    const Run *run;
    const Plane *height;
    float sea, lowest;
    int rows;
    Field strip, raised;
    FillPart part;
    uint32_t *start;     // of each strip: its keys are start + 1 …; 0 is what needs none
    uint32_t keys;       // so far
    uint32_t *above;     // of the last row of the strip before: keys …
    float *above_height; // … and heights
    SpillList spills;    // between keys
    SeenSpills seen;
    float *level; // of each key
} LargeFill;

Status large_read(const Plane *height, int first, int rows, float lowest, float *cells, Error *error) {
    const Status status = plane_read(height, first, rows, cells, error);
    const size_t count = (size_t)rows * (size_t)height->width;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        cells[i] = isfinite(cells[i]) ? cells[i] : lowest;
    return status;
}

// The cells of a strip, and which of its edges are open.
static Status read_strip(LargeFill *fill, int strip, Error *error) {
    const int rows = strip_rows(fill->height, fill->rows, strip);
    fill->strip.height = rows;
    fill->part.open_top = strip > 0;
    fill->part.open_bottom = strip + 1 < strip_count(fill->height, fill->rows);
    return large_read(fill->height, strip * fill->rows, rows, fill->lowest, field_cells(&fill->strip), error);
}

// --- keys --------------------------------------------------------------------------------------------------

static Status make_room(SpillList *list, size_t more, Error *error) {
    if (list->room - list->count >= more)
        return STATUS_OK;
    const size_t room = 3 * list->room / 2 + more;
    Spill *at = memory_enlarge(list->at, list->count, room, sizeof *at, error);
    if (!at)
        return STATUS_MEMORY;
    list->at = at;
    list->room = room;
    return STATUS_OK;
}

static uint32_t key_of(uint32_t start, uint32_t number) {
    return number > 0 ? start + number : 0;
}

// Between the last row of the strip above and the first of this one.
static void note_seam(LargeFill *fill, uint32_t start) {
    const float *row = field_row(&fill->strip, 0);
    const int width = fill->strip.width;
    for (int x = 0; x < width; x++)
        for (int to = max(x - 1, 0); to < min(x + 2, width); to++) {
            const uint32_t key = key_of(start, fill->part.top[to]);
            if (key != fill->above[x])
                note_spill(&fill->seen, &fill->spills, max(fill->above_height[x], row[to]), fill->above[x],
                           key);
        }
    seen_flush(&fill->seen, &fill->spills);
}

static Status look_at_strip(LargeFill *fill, int strip, Error *error) {
    FillPart *part = &fill->part;
    const size_t width = (size_t)fill->height->width;
    const uint32_t start = fill->start[strip] = fill->keys;
    part->spills.count = 0;
    Status status = read_strip(fill, strip, error);
    if (status == STATUS_OK)
        status = fill_part(fill->run, &fill->strip, fill->sea, part, error);
    if (status == STATUS_OK && part->key_count > NO_BASIN - 1 - fill->keys)
        status = fail(error, STATUS_INVALID, "too many basins");
    if (status == STATUS_OK)
        status = make_room(&fill->spills, part->spills.count + 3 * width + SPILLS_SEEN, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < part->spills.count; i++) {
        const Spill *spill = &part->spills.at[i];
        spills_add(&fill->spills, spill->height, key_of(start, spill->basin[0]),
                   key_of(start, spill->basin[1]));
    }
    if (part->open_top)
        note_seam(fill, start);
    for (size_t x = 0; part->open_bottom && x < width; x++)
        fill->above[x] = key_of(start, part->bottom[x]);
    memcpy(fill->above_height, field_row(&fill->strip, fill->strip.height - 1), width * sizeof(float));
    fill->keys += part->key_count;
    return STATUS_OK;
}

static Status find_levels(LargeFill *fill, Error *error) {
    const size_t count = (size_t)fill->keys + 1;
    Basin *basins = memory_new(count, sizeof *basins, error);
    Spill *scratch = fill->spills.scratch = memory_new(fill->spills.count + 1, sizeof *scratch, error);
    fill->level = memory_new(count, sizeof *fill->level, error);
    const bool room = basins && scratch && fill->level;
    if (room) {
        SpillList spills = fill->spills;
        basins_begin(basins, 0, (uint32_t)count);
        basins[0] = (Basin){ 0, 0, 0, -FLT_MAX };
        spills_join(&spills, basins, NULL);
        for (size_t i = 0; i < count; i++)
            fill->level[i] = basins[i].level;
    }
    memory_free(basins);
    memory_free(scratch);
    return room ? STATUS_OK : STATUS_MEMORY;
}

// --- all ---------------------------------------------------------------------------------------------------

static Status raise_strip(LargeFill *fill, int strip, Plane *filled, Error *error) {
    Field *raised = &fill->raised;
    fill->part.levels = fill->level + fill->start[strip] + 1;
    fill->part.filled = raised;
    Status status = read_strip(fill, strip, error);
    raised->height = fill->strip.height;
    if (status == STATUS_OK)
        status = fill_part(fill->run, &fill->strip, fill->sea, &fill->part, error);
    for (size_t i = 0; i < field_count(raised); i++) // nothing else is so low
        field_cells(raised)[i] = raised->cells[i] == fill->lowest ? NAN : raised->cells[i];
    return status == STATUS_OK
               ? plane_write(filled, strip * fill->rows, raised->height, field_cells(raised), error)
               : status;
}

static Status create(LargeFill *fill, Error *error) {
    const size_t width = (size_t)fill->height->width, strips = (size_t)strip_count(fill->height, fill->rows);
    FillPart *part = &fill->part;
    seen_clear(&fill->seen);
    part->spills.room = 2 * width;
    return (fill->start = memory_new(strips, sizeof *fill->start, error)) &&
                   (fill->above = memory_new_zeroed(width, sizeof *fill->above, error)) &&
                   (fill->above_height = memory_new(width, sizeof *fill->above_height, error)) &&
                   (part->top = memory_new(width, sizeof *part->top, error)) &&
                   (part->bottom = memory_new(width, sizeof *part->bottom, error)) &&
                   (part->spills.at = memory_new(part->spills.room, sizeof *part->spills.at, error))
               ? field_create(&fill->strip, fill->height->width, fill->rows, error)
               : STATUS_MEMORY;
}

static Status run_fill(LargeFill *fill, Plane *filled, Error *error) {
    const int strips = strip_count(fill->height, fill->rows);
    Status status = create(fill, error);
    for (int i = 0; i < strips && status == STATUS_OK; i++) {
        status = look_at_strip(fill, i, error);
        if (status == STATUS_OK)
            status = run_advance(fill->run, i + 1, 2.0 * strips);
    }
    if (status == STATUS_OK)
        status = find_levels(fill, error);
    memory_free(fill->spills.at);
    if (status == STATUS_OK)
        status = field_create(&fill->raised, fill->height->width, fill->rows, error);
    for (int i = 0; i < strips && status == STATUS_OK; i++) {
        status = raise_strip(fill, i, filled, error);
        if (status == STATUS_OK)
            status = run_advance(fill->run, strips + i + 1, 2.0 * strips);
    }
    return status;
}

Status large_fill(const Run *run, const Plane *height, float sea, float lowest, int rows, Plane *filled,
                  Error *error) {
    LargeFill fill = { .run = run, .height = height, .sea = sea, .lowest = lowest, .rows = rows };
    const Status status = run_fill(&fill, filled, error);
    field_free(&fill.strip);
    field_free(&fill.raised);
    memory_free(fill.part.top);
    memory_free(fill.part.bottom);
    memory_free(fill.part.spills.at);
    memory_free(fill.start);
    memory_free(fill.above);
    memory_free(fill.above_height);
    memory_free(fill.level);
    return status;
}
