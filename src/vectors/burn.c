// Carves streams into heights: along each line the bed never rises downstream, by the least cutting.
//
// The bed of a cell is the lowest of its own height and those upstream of it. Cells are taken from the lowest
// up, each gives its height to all cells downstream that have none yet: so the first height that a cell gets
// is the lowest that reaches it, also where lines meet, part or run in a circle.

#include "core/memory.h"
#include "places/overlay.h"
#include "places/points.h"

#include <stdlib.h>

typedef struct Burn {
    double depth;
    int direction;
} Burn;

enum { BY_HEIGHTS, AS_DRAWN };

typedef struct Link { // of a cell to the next one downstream
    uint32_t from, to;
} Link;

typedef struct Burning {
    Field *bed;
    Link *links;
    size_t count, room;
    size_t last;  // the cell before on the line, or SIZE_MAX
    bool upwards; // lines are drawn from their lower end
    Status status;
    Error *error;
} Burning;

// --- links -------------------------------------------------------------------------------------------------

static void add_link(void *context, size_t cell) {
    Burning *burning = context;
    const size_t last = burning->last;
    burning->last = cell;
    if (burning->status != STATUS_OK || cell == last)
        return;
    if (burning->count == burning->room) {
        const size_t room = 2 * burning->room + 1024;
        Link *links = memory_enlarge(burning->links, burning->count, room, sizeof *links, burning->error);
        if (!links) {
            burning->status = STATUS_MEMORY;
            return;
        }
        burning->links = links;
        burning->room = room;
    }
    // A line that is a single cell here is a link to itself.
    const uint32_t here = (uint32_t)cell, before = last == SIZE_MAX ? here : (uint32_t)last;
    burning->links[burning->count++] = burning->upwards ? (Link){ here, before } : (Link){ before, here };
}

static float height_of(const Field *height, const ShapePoint *point) {
    const int x = index_within(point->x, height->width), y = index_within(point->y, height->height);
    return field_row(height, y)[x];
}

// Whether the line leaves the field between two points: what follows begins anew.
static bool leaves(const Field *height, const ShapePoint *point) {
    return place_cell(point->x, point->y, height->width, height->height) == SIZE_MAX;
}

static void add_part(Burning *burning, const Shapes *shapes, const ShapePart *part, const Field *height,
                     bool by_heights) {
    const ShapePoint *points = shapes->points + part->first, *end = points + part->count - 1;
    burning->upwards = by_heights && height_of(height, points) < height_of(height, end);
    burning->last = SIZE_MAX;
    for (int i = 1; i < part->count; i++) {
        line_cells(&points[i - 1], &points[i], height->width, height->height, add_link, burning);
        if (leaves(height, &points[i]))
            burning->last = SIZE_MAX;
    }
}

static Status find_links(const Call *call, Burning *burning, Error *error) {
    const Burn *params = call->params;
    const Field *height = call->inputs[0].field;
    const Window window = window_of_field("height", height);
    Shapes *shapes;
    const Status status = overlay_new(&call->inputs[1], &window, &shapes, error);
    const bool by_heights = params->direction == BY_HEIGHTS && call->inputs[1].type != &type_network;
    for (int i = 0; status == STATUS_OK && i < shapes->part_count; i++)
        add_part(burning, shapes, &shapes->parts[i], height, by_heights);
    shapes_free(shapes);
    return status == STATUS_OK ? burning->status : status;
}

// --- beds --------------------------------------------------------------------------------------------------

static int compare_links(const void *one, const void *other) {
    const Link *a = one, *b = other;
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : (a->to > b->to) - (a->to < b->to);
}

typedef struct Ranked {
    float height;
    uint32_t cell;
} Ranked;

static int compare_ranks(const void *one, const void *other) {
    const Ranked *a = one, *b = other;
    return a->height != b->height ? (a->height < b->height ? -1 : 1)
                                  : (a->cell > b->cell) - (a->cell < b->cell);
}

enum { UNKNOWN, ON_LINE, DONE };

// Gives the bed of `from` to all that lies downstream and has none; `stack` has room for each link and one.
static void flow_down(const Burning *burning, uint32_t from, const uint32_t *first, uint8_t *state,
                      uint32_t *stack) {
    float *bed = field_cells(burning->bed);
    size_t depth = 0;
    stack[depth++] = from;
    state[from] = DONE;
    while (depth) {
        const uint32_t cell = stack[--depth];
        bed[cell] = bed[from];
        for (size_t i = first[cell]; i < burning->count && burning->links[i].from == cell; i++) {
            const uint32_t to = burning->links[i].to;
            if (state[to] != DONE) {
                state[to] = DONE;
                stack[depth++] = to;
            }
        }
    }
}

// The cells of lines, lowered by `depth`, from the lowest up.
static size_t rank_cells(const Burning *burning, float depth, uint32_t *first, uint8_t *state,
                         Ranked *ranked) {
    float *bed = field_cells(burning->bed);
    size_t count = 0;
    for (size_t i = burning->count; i-- > 0;) {
        const uint32_t ends[] = { burning->links[i].from, burning->links[i].to };
        for (int k = 0; k < 2; k++)
            if (state[ends[k]] == UNKNOWN) {
                state[ends[k]] = ON_LINE;
                bed[ends[k]] -= depth;
                first[ends[k]] = (uint32_t)burning->count;
                ranked[count++] = (Ranked){ bed[ends[k]], ends[k] };
            }
        first[ends[0]] = (uint32_t)i;
    }
    qsort(ranked, count, sizeof *ranked, compare_ranks);
    return count;
}

static Status carve(const Burning *burning, float depth, Error *error) {
    const size_t cells = field_count(burning->bed), most = 2 * burning->count + 1;
    if (burning->count)
        qsort(burning->links, burning->count, sizeof *burning->links, compare_links);
    uint32_t *first = memory_new(cells, sizeof *first, error);
    uint8_t *state = first ? memory_new_zeroed(cells, 1, error) : NULL;
    Ranked *ranked = state ? memory_new(most, sizeof *ranked, error) : NULL;
    uint32_t *stack = ranked ? memory_new(most, sizeof *stack, error) : NULL;
    const size_t count = stack ? rank_cells(burning, depth, first, state, ranked) : 0;
    for (size_t i = 0; i < count; i++)
        if (state[ranked[i].cell] != DONE)
            flow_down(burning, ranked[i].cell, first, state, stack);
    const Status status = stack ? STATUS_OK : STATUS_MEMORY;
    memory_free(first);
    memory_free(state);
    memory_free(ranked);
    memory_free(stack);
    return status;
}

static Status run(const Call *call, Error *error) {
    const Burn *params = call->params;
    const Field *height = call->inputs[0].field;
    Burning burning = { .bed = &call->outputs[0].field, .error = error };
    if (field_count(height) > UINT32_MAX / 2)
        return fail(error, STATUS_INVALID, "the field is too large: at most %d cells along a side", 46340);
    for (size_t i = 0; i < field_count(height); i++)
        field_cells(burning.bed)[i] = height->cells[i];
    Status status = find_links(call, &burning, error);
    if (status == STATUS_OK)
        status = carve(&burning, (float)params->depth, error);
    if (status == STATUS_OK && !burning.count)
        tell(call->notice, "no line passes through height");
    memory_free(burning.links);
    return status;
}

static const Param params[] = {
    PARAM(Burn, depth, .initial = 0, .min = 0, .max = HEIGHT_MAX,
          .doc = "how much all cells of lines are lowered before, in the unit of heights"),
    PARAM(Burn, direction, .choices = CHOICES("heights", "drawn"),
          .doc = "where lines lead: \"heights\" from the higher end to the lower, \"drawn\" from the first "
                 "position to "
                 "the last, as rivers of a network do"),
    { 0 },
};

const Operation op_burn = {
    .name = "burn",
    .category = "vectors",
    .keywords = "stream burning enforce hydro conditioning carve channel agree culvert r.carve",
    .summary = "Carves streams into heights, so that water follows given lines",
    .description =
        "Along each line, and where lines meet, the bed never rises downstream; cells are only lowered, and "
        "no more than that needs. A line passes through cells that share sides. For water to leave the field "
        "there, a line must end at its border, or in a pit that fill raises. Parts of lines outside are "
        "left out; lines wholly outside are an error.",
    .source = "As the breaching of Soille 2004, Optimal removal of spurious pits, along given lines",
    .inputs = { { "height", "heights" }, { "lines", "streams", { &type_lines, &type_network } } },
    .outputs = { { "height", "heights with beds", .heights = true } },
    .params = params,
    .params_size = sizeof(Burn),
    .gaps = GAPS_KEPT,
    .wrapping = WRAPPING_LOST, // lines end at edges
    .any_sizes = true,
    .example = "local stream = esker.lines{ size = 64, list = { { { 5, 5 }, { 30, 40 }, { 63, 60 } } } }\n"
               "local land = height:burn(stream, { depth = 0.01 })",
    .see_also = "breach fill flatten snap",
    .run = run,
};
