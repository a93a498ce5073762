// Filling strip by strip (Barnes 2016). Of each strip the basins along its edges are keys, joined by spills:
// those within the strip, which fill_part finds, and those between neighbouring cells of two strips. From all
// of them follow the levels of keys, and from these, strip by strip, the filled heights.

#include "core/math.h"
#include "core/memory.h"
#include "large/large.h"
#include "water/filling.h"

#include <float.h>
#include <string.h>

// Notes: these words; for each cell of the first row its key, then of the last row; the heights of both; and
// the spills. An edge that is not open has keys 0.
enum { MARK, WIDTH, OPEN, KEYS, SPILLS, HEAD_WORDS };
enum { OPEN_TOP = 1, OPEN_BOTTOM = 2, SPILL_WORDS = 3 };
#define NOTES_MARK UINT32_C(0x4c4c4946) // "FILL"

static FillPart part_of(const FillStrip *strip) {
    return (FillPart){ .open_top = strip->open_top, .open_bottom = strip->open_bottom };
}

// --- one strip ---------------------------------------------------------------------------------------------

static Status part_create(FillPart *part, size_t width, Error *error) {
    part->spills.room = 2 * width;
    return (part->top = memory_new_zeroed(width, sizeof *part->top, error)) &&
                   (part->bottom = memory_new_zeroed(width, sizeof *part->bottom, error)) &&
                   (part->spills.at = memory_new(part->spills.room, sizeof *part->spills.at, error))
               ? STATUS_OK
               : STATUS_MEMORY;
}

static void part_free(FillPart *part) {
    memory_free(part->top);
    memory_free(part->bottom);
    memory_free(part->spills.at);
}

static Status write_notes(const FillStrip *strip, const FillPart *part, Notes *notes, Error *error) {
    const Field *height = strip->height;
    const size_t width = (size_t)height->width, row = width * sizeof(uint32_t);
    notes->count = HEAD_WORDS + 4 * width + SPILL_WORDS * part->spills.count;
    uint32_t *at = notes->at = memory_new(notes->count, sizeof *at, error);
    if (!at)
        return STATUS_MEMORY;
    at[MARK] = NOTES_MARK;
    at[WIDTH] = (uint32_t)height->width;
    at[OPEN] = (strip->open_top ? OPEN_TOP : 0) | (strip->open_bottom ? OPEN_BOTTOM : 0);
    at[KEYS] = part->key_count;
    at[SPILLS] = (uint32_t)part->spills.count;
    at += HEAD_WORDS;
    memcpy(at, part->top, row);
    memcpy(at + width, part->bottom, row);
    memcpy(at + 2 * width, field_row(height, 0), row);
    memcpy(at + 3 * width, field_row(height, height->height - 1), row);
    at += 4 * width;
    for (size_t i = 0; i < part->spills.count; i++, at += SPILL_WORDS) {
        const Spill *spill = &part->spills.at[i];
        memcpy(at, &spill->height, sizeof *at);
        at[1] = spill->basin[0];
        at[2] = spill->basin[1];
    }
    return STATUS_OK;
}

Status large_fill_look(const Run *run, const FillStrip *strip, Notes *notes, Error *error) {
    FillPart part = part_of(strip);
    *notes = (Notes){ 0 };
    Status status = part_create(&part, (size_t)strip->height->width, error);
    if (status == STATUS_OK)
        status = fill_part(run, strip->height, strip->sea, &part, error);
    if (status == STATUS_OK)
        status = write_notes(strip, &part, notes, error);
    part_free(&part);
    return status;
}

Status large_fill_finish(const Run *run, const FillStrip *strip, const float *levels, size_t count,
                         Field *filled, Error *error) {
    FillPart part = part_of(strip);
    part.levels = levels;
    part.level_count = count;
    part.filled = filled;
    Status status = part_create(&part, (size_t)strip->height->width, error);
    if (status == STATUS_OK)
        status = fill_part(run, strip->height, strip->sea, &part, error);
    if (status == STATUS_OK && part.key_count != count)
        status = fail(error, STATUS_FILE, "the levels of a strip are those of another field");
    part_free(&part);
    return status;
}

// --- all strips --------------------------------------------------------------------------------------------

struct FillJoin {
    int width;
    size_t strips, room;
    uint32_t *start;     // of each strip and one more: its keys are start + 1 …; 0 is what needs none
    uint32_t *above;     // of the last row of the strip before: keys …
    float *above_height; // … and heights
    bool open_below;     // whether that strip goes on
    SpillList spills;    // between keys
    SeenSpills seen;
    float *level; // of each key
};

FillJoin *fill_join_new(int width, Error *error) {
    FillJoin *join = memory_new_zeroed(1, sizeof *join, error);
    if (!join)
        return NULL;
    join->width = width;
    seen_clear(&join->seen);
    if ((join->start = memory_new_zeroed(1, sizeof *join->start, error)) &&
        (join->above = memory_new_zeroed((size_t)width, sizeof *join->above, error)) &&
        (join->above_height = memory_new_zeroed((size_t)width, sizeof *join->above_height, error)))
        return join;
    fill_join_free(join);
    return NULL;
}

void fill_join_free(FillJoin *join) {
    if (!join)
        return;
    memory_free(join->start);
    memory_free(join->above);
    memory_free(join->above_height);
    memory_free(join->spills.at);
    memory_free(join->level);
    memory_free(join);
}

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

// Whether the notes can be those of the next strip, whoever wrote them.
static bool are_sound(const FillJoin *join, const uint32_t *notes, size_t count) {
    const size_t width = (size_t)join->width;
    if (count < HEAD_WORDS + 4 * width || notes[MARK] != NOTES_MARK || notes[WIDTH] != width ||
        count != HEAD_WORDS + 4 * width + (size_t)SPILL_WORDS * notes[SPILLS])
        return false;
    const bool open_top = notes[OPEN] & OPEN_TOP;
    if (open_top != (join->strips > 0) || (join->strips > 0 && !join->open_below))
        return false;
    for (size_t x = 0; x < 2 * width; x++)
        if (notes[HEAD_WORDS + x] > notes[KEYS])
            return false;
    const uint32_t *spill = notes + HEAD_WORDS + 4 * width;
    for (size_t i = 0; i < notes[SPILLS]; i++, spill += SPILL_WORDS)
        if (spill[1] > notes[KEYS] || spill[2] > notes[KEYS])
            return false;
    return true;
}

// Between the last row of the strip above and the first of this one.
static void note_seam(FillJoin *join, uint32_t start, const uint32_t *top, const float *row) {
    for (int x = 0; x < join->width; x++)
        for (int to = max(x - 1, 0); to < min(x + 2, join->width); to++) {
            const uint32_t key = key_of(start, top[to]);
            if (key != join->above[x])
                note_spill(&join->seen, &join->spills, max(join->above_height[x], row[to]), join->above[x],
                           key);
        }
    seen_flush(&join->seen, &join->spills);
}

static Status add_start(FillJoin *join, uint32_t keys, Error *error) {
    const uint32_t start = join->start[join->strips];
    if (keys > NO_BASIN - 1 - start)
        return fail(error, STATUS_INVALID, "too many basins");
    uint32_t *grown =
        memory_enlarge(join->start, join->strips + 1, join->strips + 2, sizeof *join->start, error);
    if (!grown)
        return STATUS_MEMORY;
    join->start = grown;
    join->start[++join->strips] = start + keys;
    return STATUS_OK;
}

Status fill_join_add(FillJoin *join, const uint32_t *notes, size_t count, Error *error) {
    const size_t width = (size_t)join->width;
    if (!are_sound(join, notes, count))
        return fail(error, STATUS_FILE, "the notes of a strip are damaged, or those of another field");
    const uint32_t start = join->start[join->strips], spills = notes[SPILLS];
    Status status = make_room(&join->spills, spills + 3 * width + SPILLS_SEEN, error);
    if (status == STATUS_OK)
        status = add_start(join, notes[KEYS], error);
    if (status != STATUS_OK)
        return status;
    const uint32_t *top = notes + HEAD_WORDS, *bottom = top + width, *spill = top + 4 * width;
    for (size_t i = 0; i < spills; i++, spill += SPILL_WORDS) {
        float height;
        memcpy(&height, spill, sizeof height);
        spills_add(&join->spills, height, key_of(start, spill[1]), key_of(start, spill[2]));
    }
    if (notes[OPEN] & OPEN_TOP)
        note_seam(join, start, top, (const float *)(const void *)(top + 2 * width));
    for (size_t x = 0; x < width; x++)
        join->above[x] = key_of(start, bottom[x]);
    memcpy(join->above_height, top + 3 * width, width * sizeof(float));
    join->open_below = notes[OPEN] & OPEN_BOTTOM;
    return STATUS_OK;
}

Status fill_join_solve(FillJoin *join, Error *error) {
    const size_t count = (size_t)join->start[join->strips] + 1;
    if (join->open_below)
        return fail(error, STATUS_FILE, "the notes of the last strip are missing");
    Basin *basins = memory_new(count, sizeof *basins, error);
    Spill *scratch = join->spills.scratch = memory_new(join->spills.count + 1, sizeof *scratch, error);
    join->level = memory_new(count, sizeof *join->level, error);
    const bool room = basins && scratch && join->level;
    if (room) {
        SpillList spills = join->spills;
        basins_begin(basins, 0, (uint32_t)count);
        basins[0] = (Basin){ 0, 0, 0, -FLT_MAX };
        spills_join(&spills, basins, NULL);
        for (size_t i = 0; i < count; i++)
            join->level[i] = basins[i].level;
    }
    memory_free(basins);
    memory_free(scratch);
    return room ? STATUS_OK : STATUS_MEMORY;
}

const float *fill_join_levels(const FillJoin *join, int strip, size_t *count) {
    *count = join->start[strip + 1] - join->start[strip];
    return join->level + join->start[strip] + 1;
}
