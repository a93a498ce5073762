// Bends the coasts of level 0's cells, along whose edges those of all finer levels would run. On the first
// levels a child where the spline crosses the coast takes its ground from a place up to half a coarse cell
// away. The way there is a smooth noise, so both sides of a strait bend together. As the ground lies between
// that of the cells around, no slope is too steep or too gentle for it.

#include "land/level.h"

#include "core/math.h"
#include "core/random.h"

enum {
    BENT_LEVELS = 3, // as many bend; finer detail then hides what is left of the cells
    ACROSS_STREAM = 1 << 23,
    DOWN_STREAM = 1 << 24,
    DEPTHS = 2, // of a cell; bends make no sea deeper: the floor would be pits
    PIECE = 64, // cells of a row
};

typedef struct Bends {
    const Level *level;
    const Parent *parent;
    RandomKey across, down;
} Bends;

// A child in the square between the centres of four coarse cells: its own, and those beside it, above or
// below it and diagonal to it.
typedef struct Square {
    int side, below; // the direction of the others: -1 or 1
    uint32_t columns[2], rows[2];
    float beside, before, aslant; // altitudes of the others above its own
} Square;

// Whether two rows have both land and sea.
KERNEL static bool has_coast(const int32_t *near_row, const int32_t *far_row, int32_t sea, int count) {
    int land = 0, wet = 0;
    for (int i = 0; i < count; i++) {
        land |= near_row[i] > sea || far_row[i] > sea;
        wet |= near_row[i] <= sea || far_row[i] <= sea;
    }
    return land && wet;
}

float smooth_chance(RandomKey key, const uint32_t columns[2], const uint32_t rows[2]) {
    const float a = random_signed(key, columns[0], rows[0]), b = random_signed(key, columns[1], rows[0]),
                d = random_signed(key, columns[0], rows[1]), e = random_signed(key, columns[1], rows[1]);
    return (9 * a + 3 * (b + d) + e) * 0.0625f;
}

// Altitude at a place in the square above its first corner, the child's own cell.
static float rise_at(const Square *square, float x, float y) {
    return x * (1 - y) * square->beside + (1 - x) * y * square->before + x * y * square->aslant;
}

// By how much the ground half a coarse cell away at most is higher than at the child itself.
static float bent_rise(const Bends *bends, const Square *square) {
    const float own = 0.25f, most = 0.75f;
    const float across = (float)square->side * smooth_chance(bends->across, square->columns, square->rows),
                down = (float)square->below * smooth_chance(bends->down, square->columns, square->rows);
    const float x = clamp(own + across, 0.0f, most), y = clamp(own + down, 0.0f, most);
    return rise_at(square, x, y) - rise_at(square, own, own);
}

static void bend_child(const Bends *bends, const int32_t *near_row, const int32_t *far_row, int x, int y) {
    const Level *level = bends->level;
    const int side = x & 1 ? 1 : -1, below = y & 1 ? 1 : -1;
    const int32_t a = near_row[x / 2], b = near_row[x / 2 + side], d = far_row[x / 2],
                  e = far_row[x / 2 + side];
    const int32_t lowest = min(min(a, b), min(d, e)), highest = max(max(a, b), max(d, e));
    if (lowest > bends->parent->sea || highest <= bends->parent->sea)
        return;
    const Int128 column = (level->x + x) / 2, row = (level->y + y) / 2;
    const Square square = { .side = side,
                            .below = below,
                            .columns = { bits_of_place(column), bits_of_place(column + side) },
                            .rows = { bits_of_place(row), bits_of_place(row + below) },
                            .beside = (float)difference(b, a),
                            .before = (float)difference(d, a),
                            .aslant = (float)difference(e, a) };
    int32_t *z = level->z + (size_t)y * (size_t)level->width + (size_t)x;
    const int32_t bent =
        sum(*z, whole_within((level->graded ? 1 : 2) * bent_rise(bends, &square), -HIGHEST, HIGHEST));
    *z = max(bent, min(*z, level->sea - level->cell / DEPTHS));
}

static void bend_rows(void *context, int first, int end) {
    const Bends *bends = context;
    const Level *level = bends->level;
    const Parent *parent = bends->parent;
    for (int y = first; y < end; y++) {
        const int row = parent->row + y / 2, beyond = row + (y & 1 ? 1 : -1);
        const int32_t *near_row = parent->sharp + parent_at(parent, parent->column, row),
                      *far_row = parent->sharp + parent_at(parent, parent->column, beyond);
        for (int left = 0; left < level->width; left += PIECE) {
            const int right = min(left + PIECE, level->width), outer = left / 2 - 1;
            if (!has_coast(near_row + outer, far_row + outer, parent->sea, (right - left) / 2 + 2))
                continue;
            for (int x = left; x < right; x++)
                bend_child(bends, near_row, far_row, x, y);
        }
    }
}

Status bend_coasts(const Level *level, const Parent *parent) {
    const LandRules *rules = &level->land->rules;
    if (level->number > BENT_LEVELS || !level->graded || rules->guided)
        return STATUS_OK;
    const uint32_t number = (uint32_t)level->number;
    Bends bends = { level, parent, random_key(rules->seed, ACROSS_STREAM + number),
                    random_key(rules->seed, DOWN_STREAM + number) };
    return parallel_rows(level->run, level->height, level->width * 0.3, bend_rows, &bends);
}
