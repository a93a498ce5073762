// Where the water of each cell ends, strip by strip: of each strip it is known what becomes of water that
// enters at each cell of its edges. Ways within a strip are those of outlet_routes.h.

#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "large/gates.h"
#include "large/large.h"
#include "water/outlet_routes.h"

#include <string.h>

typedef struct StripWays {
    const WayStrip *strip;
    Field size;
    uint8_t *direction;            // without those that lead out of the strip
    uint32_t *end;                 // of each cell
    uint32_t *straight, *diagonal; // steps to it, if they are wanted
} StripWays;

static void ways_free(StripWays *ways) {
    memory_free(ways->direction);
    memory_free(ways->end);
    memory_free(ways->straight);
    memory_free(ways->diagonal);
}

// Follows ways as far as the strip goes.
static Status ways_find(const Run *run, const WayStrip *strip, StripWays *ways, Error *error) {
    const size_t cells = memory_count(strip->width, strip->rows);
    *ways = (StripWays){ .strip = strip, .size = { .width = strip->width, .height = strip->rows } };
    if (!(ways->direction = memory_new(cells, 1, error)) ||
        !(ways->end = memory_new(cells, sizeof *ways->end, error)))
        return STATUS_MEMORY;
    if (strip->measured && (!(ways->straight = memory_new(cells, sizeof *ways->straight, error)) ||
                            !(ways->diagonal = memory_new(cells, sizeof *ways->diagonal, error))))
        return STATUS_MEMORY;
    for (size_t i = 0; i < cells; i++)
        ways->direction[i] = strip_receiver(strip->direction, strip->width, strip->rows, i) == SIZE_MAX
                                 ? DRAINS_OFF
                                 : strip->direction[i];
    return routes_follow(
        run, &ways->size, ways->direction,
        &(Routes){
            .end = ways->end, .straight = ways->straight, .diagonal = ways->diagonal, .steps = strip->steps },
        error);
}

static bool leaves(const WayStrip *strip, size_t end) {
    return strip->direction[end] < NEIGHBOURS;
}

// Of the way to where water ends or leaves; of a gate through which it leaves, of the step into the next
// strip.
static uint64_t length_from(const StripWays *ways, size_t cell, bool is_last) {
    const WayStrip *strip = ways->strip;
    const size_t row = cell / (size_t)strip->width, direction = strip->direction[cell];
    if (!is_last)
        return (uint64_t)ways->diagonal[cell] << 32 | ways->straight[cell];
    return strip->steps ? strip->steps[row * NEIGHBOURS + direction] : direction & 1 ? UINT64_C(1) << 32 : 1;
}

static void describe_gates(const StripWays *ways, int y, uint32_t *gates) {
    const WayStrip *strip = ways->strip;
    const size_t width = (size_t)strip->width;
    for (size_t x = 0; x < width; x++, gates += GATE_WORDS) {
        const size_t cell = (size_t)y * width + x, end = ways->end[cell];
        const bool goes_on = leaves(strip, end), is_last = goes_on && end == cell;
        const uint64_t length = strip->measured ? length_from(ways, cell, is_last) : 0;
        gates[GATE_VALUE] = strip->measured ? (uint32_t)length : goes_on ? 0 : strip->value[end];
        gates[GATE_HIGH] = (uint32_t)(length >> 32);
        gates[GATE_DIRECTION] = is_last ? strip->direction[cell] : NOWHERE;
        gates[GATE_EXIT] = goes_on ? gate_of(strip->width, end) : NOWHERE;
    }
}

Status large_ways_look(const Run *run, const WayStrip *strip, Notes *notes, Error *error) {
    StripWays ways;
    Status status = ways_find(run, strip, &ways, error);
    if (status == STATUS_OK)
        status = gate_notes_new(notes, strip->width, strip->rows, error);
    if (status == STATUS_OK) {
        notes->at[NOTES_LABELS] = strip->labels;
        describe_gates(&ways, 0, gate_notes(notes, 0));
        describe_gates(&ways, strip->rows - 1, gate_notes(notes, (size_t)strip->width));
    }
    ways_free(&ways);
    return status;
}

Status large_ways_finish(const Run *run, const WayStrip *strip, const uint64_t *ends, uint32_t labels_above,
                         uint32_t *value, Error *error) {
    StripWays ways;
    const Status status = ways_find(run, strip, &ways, error);
    for (size_t i = 0; status == STATUS_OK && i < memory_count(strip->width, strip->rows); i++) {
        const size_t end = ways.end[i];
        const uint32_t own = strip->value[end], label = own > 0 ? own + labels_above : 0;
        value[i] = leaves(strip, end)  ? (uint32_t)ends[gate_of(strip->width, end)]
                   : strip->labels > 0 ? label
                                       : own;
    }
    ways_free(&ways);
    return status;
}

Status large_ways_lengths(const Run *run, const WayStrip *strip, const uint64_t *ends, uint64_t *length,
                          Error *error) {
    StripWays ways;
    const Status status = ways_find(run, strip, &ways, error);
    for (size_t i = 0; status == STATUS_OK && i < memory_count(strip->width, strip->rows); i++) {
        const size_t end = ways.end[i];
        length[i] = (uint64_t)ways.diagonal[i] << 32 | ways.straight[i];
        length[i] += leaves(strip, end) ? ends[gate_of(strip->width, end)] : 0;
    }
    ways_free(&ways);
    return status;
}

// --- where water ends --------------------------------------------------------------------------------------

// A cell that drains nowhere is its own.
static size_t receiver_of(const Field *height, size_t cell, int direction) {
    return direction < NEIGHBOURS ? neighbour_of(height, cell, direction) : cell;
}

void large_end_basins(const Field *height, int first, float sea, WayStrip *strip) {
    const size_t width = (size_t)strip->width, start = (size_t)first * width;
    strip->labels = 0;
    for (size_t i = 0; i < memory_count(strip->width, strip->rows); i++) {
        const int direction = strip->direction[i];
        const size_t cell = start + i, to = receiver_of(height, cell, direction);
        const bool ends = to == cell || to >= field_count(height) || height->cells[to] < sea;
        strip->value[i] = ends && height->cells[cell] >= sea ? ++strip->labels : 0;
        strip->direction[i] = ends ? DRAINS_OFF : strip->direction[i];
    }
}

void large_end_rivers(const RiverStrip *rivers, int first, WayStrip *strip) {
    const Field *height = rivers->height;
    const size_t width = (size_t)strip->width, start = (size_t)first * width;
    strip->labels = 0;
    for (size_t i = 0; i < memory_count(strip->width, strip->rows); i++) {
        const int direction = strip->direction[i];
        const size_t cell = start + i, to = receiver_of(height, cell, direction);
        const bool is_sea = !field_has_data(height, cell) || height->cells[cell] < rivers->sea;
        const bool is_river = !is_sea && rivers->drained->cells[i] >= rivers->least;
        const float level = max(rivers->filled->cells[i], rivers->sea);
        if (is_river || to >= field_count(height) || (rivers->before_gaps && !field_has_data(height, to)))
            strip->direction[i] = DRAINS_OFF;
        memcpy(&strip->value[i], &level, sizeof level);
    }
}

void large_end_outlets(const uint32_t *outlets, size_t count, WayStrip *strip) {
    strip->labels = 0;
    memset(strip->value, 0, memory_count(strip->width, strip->rows) * sizeof *strip->value);
    for (size_t i = count; i > 0; i--) { // of several at one cell the first has it
        strip->direction[outlets[2 * i - 2]] = DRAINS_OFF;
        strip->value[outlets[2 * i - 2]] = outlets[2 * i - 1];
    }
}
