// Where the runoff that streams carry comes from: the ground of level 0, whose streams know the mean of all
// that they drain. Finer levels inherit it with the drained area, so it needs no more land around a window; a
// stream that begins on a finer level has that of its own ground.

#include "land/runoff.h"

#include "core/memory.h"
#include "land/level.h"
#include "land/tiles.h"

// --- level 0 -----------------------------------------------------------------------------------------------

static bool drains_on(const LandWindow *root, size_t cell) {
    return root->receiver[cell] < NEIGHBOURS || root->receiver[cell] == LAND_LAKE;
}

// From the highest cells down: sums are exact enough in doubles, and their order is always the same.
static void carry_down(const Land *land, double *water, double *cells) {
    const LandWindow *root = &land->root;
    for (size_t i = (size_t)root->width * (size_t)root->height; i-- > 0;) {
        const size_t cell = (size_t)land->upward[i];
        root->runoff[cell] = runoff_code((float)(water[cell] / cells[cell]));
        if (root->receiver[cell] != LAND_LAKE)
            water[cell] = max(water[cell], 0);
        if (!drains_on(root, cell))
            continue;
        water[land->target[cell]] += water[cell];
        cells[land->target[cell]] += cells[cell];
    }
}

Status land_set_runoff(Land *land, const float *local, Error *error) {
    const size_t count = (size_t)land->root.width * (size_t)land->root.height;
    float *kept = memory_new(count, sizeof *kept, error);
    double *sums = kept ? memory_new(2 * count, sizeof *sums, error) : NULL;
    if (!sums) {
        memory_free(kept);
        return STATUS_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        sums[i] = (double)clamp(local[i], -1e5f, 1e5f);
        kept[i] = max((float)sums[i], 0);
        sums[count + i] = 1;
    }
    carry_down(land, sums, sums + count);
    memory_free(sums);
    memory_free(land->local);
    land->local = kept;
    tiles_drop(land->tiles);
    return STATUS_OK;
}

// --- the ground of finer levels ----------------------------------------------------------------------------

enum { PART_BITS = 15 };

// A place between two cells of level 0.
typedef struct Between {
    int cell;    // the first
    float share; // of the next
} Between;

// The middle of a cell of a level, at most between the first and last of `count` cells from `first` on.
static Between between_cells(Int128 at, int level, Int128 first, int count) {
    const Int128 part = (Int128)1 << PART_BITS;
    const Int128 place = (((2 * at + 1) << (PART_BITS - 1)) >> level) - part / 2;
    const Int128 within = clamp(place, first * part, (first + count - 1) * part);
    const int cell = (int)(within >> PART_BITS);
    return cell - first == count - 1 && count > 1
               ? (Between){ cell - 1, 1 }
               : (Between){ cell, (float)(int)(within & (part - 1)) / (float)(1 << PART_BITS) };
}

static void spread_row(const Level *part, int face, int y) {
    const Land *land = part->land;
    const LandWindow *root = &land->root;
    const int rows = land->rules.planet ? root->width : root->height;
    const Between down = between_cells(part->y + y, part->number, (Int128)face * rows, rows);
    const float *upper = land->local + (size_t)down.cell * (size_t)root->width,
                *lower = rows > 1 ? upper + root->width : upper;
    const size_t start = (size_t)y * (size_t)part->width;
    for (int x = 0; x < part->width; x++) {
        uint16_t *runoff = &part->runoff[start + (size_t)x];
        if (*runoff != RUNOFF_UNKNOWN)
            continue;
        const Between across = between_cells(part->x + x, part->number, 0, root->width);
        const int next = root->width > 1 ? across.cell + 1 : across.cell;
        const float above = upper[across.cell] + (upper[next] - upper[across.cell]) * across.share,
                    below = lower[across.cell] + (lower[next] - lower[across.cell]) * across.share;
        *runoff = runoff_code(above + (below - above) * down.share);
    }
}

typedef struct Spreading {
    Level part;
    int face;
} Spreading;

static void spread_rows(void *context, int first, int end) {
    const Spreading *spreading = context;
    for (int y = first; y < end; y++)
        spread_row(&spreading->part, spreading->face, y);
}

Status level_spread_runoff(const Level *level) {
    Status status = STATUS_OK;
    for (int i = 0; i < level->patch_count && status == STATUS_OK && level->land->local; i++) {
        Spreading spreading = { level_part(level, &level->patches[i]), level->patches[i].place.face };
        status =
            parallel_rows(level->run, spreading.part.height, level->width * 4.0, spread_rows, &spreading);
    }
    level_exchange(level, LEVEL_AREA);
    return status;
}
