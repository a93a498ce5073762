// Where shores run: those of the sea, and of lakes. Each level moves the shores of the coarser one off the
// edges of its cells. A cubic spline of the cells, 1 on land and -1 in water, divides land from water where
// it is 0, which rounds what is a cell or two wide. A child looks at the spline beside itself: the ways there
// are smooth noises, so both sides of a strait bend together. The longer waves turn what runs along an axis
// away from it, and the shorter ones make it rough, where the land is steep.

#include "land/edits.h"
#include "land/law.h"

#include "core/math.h"
#include "core/random.h"

#include <math.h>
#include <string.h>

enum {
    SHORT_BITS = 1, // children between points of the noises
    ACROSS_STREAM = 1 << 23,
    DOWN_STREAM = 1 << 24,
    SHORT_STREAM = 1 << 19,
    REACH = 2, // coarse cells around its own that decide what a child is
    PIECE = 64 // cells of a row
};
// In coarse cells; the longest way leads to a cell beside a child's own.
#define LONG 0.6f
#define SHORT_ON_PLAINS 0.45f
#define SHORT_ON_ROCK 0.6f
#define LONGEST 0.7f
#define ROCK 0.2f // the slope from which land counts as steep

Shoreline shoreline_of(const Level *level, const Parent *parent, bool of_lakes) {
    const LandRules *rules = &level->land->rules;
    const uint32_t stream = 8 * (uint32_t)level->number + (uint32_t)level->patches->place.face;
    const Int128 columns = (Int128)level->land->root.width << level->number,
                 rows = rules->planet ? columns : (Int128)level->land->root.height << level->number;
    const float share = level->graded ? law_share(level->land, level->number) : 1;
    Shoreline line = { .level = level,
                       .parent = parent,
                       .of_lakes = of_lakes,
                       .top = level->y - level->patches->place.face * (rules->planet ? rows : 0),
                       .per_slope = 1 / (ROCK * share * (float)level->cell) };
    for (int i = 0; i < 2; i++) {
        const uint32_t more = stream + (i ? SHORT_STREAM : 0);
        const int bits = i ? SHORT_BITS : SHORE_WAVE_BITS;
        line.across[i] = (LatticeNoise){ random_key(rules->seed, ACROSS_STREAM + more), bits, columns, rows,
                                         rules->planet };
        line.down[i] =
            (LatticeNoise){ random_key(rules->seed, DOWN_STREAM + more), bits, columns, rows, rules->planet };
        for (int child = 0; child < 1 << bits; child++)
            memcpy(line.weights[i][child], lattice_at(bits, child).down, sizeof line.weights[i][child]);
    }
    return line;
}

static void set_weights(float t, float weights[4]) {
    const float rest = 1 - t;
    weights[0] = rest * rest * rest * (1 / 6.0f);
    weights[1] = ((3 * t - 6) * t * t + 4) * (1 / 6.0f);
    weights[2] = (((3 - 3 * t) * t + 3) * t + 1) * (1 / 6.0f);
    weights[3] = t * t * t * (1 / 6.0f);
}

// --- waves -------------------------------------------------------------------------------------------------

// At points of the lattice with one column, in the three rows around a child.
static void draw_column(const Shoreline *line, int wave, Int128 column, ShoreWaves *waves, int k) {
    const LatticeNoise *across = &line->across[wave], *down = &line->down[wave];
    const uint32_t bits = bits_of_place(column);
    const bool inside =
        !across->is_zero_at_edges || lattice_is_inside(column, across->columns >> across->bits);
    for (int i = 0; i < 3; i++) {
        const bool drawn = inside && waves->inside[wave][i];
        waves->across[wave][i][k] = drawn ? random_signed(across->key, bits, waves->rows[wave][i]) : 0;
        waves->down[wave][i][k] = drawn ? random_signed(down->key, bits, waves->rows[wave][i]) : 0;
    }
}

static void begin_row(const Shoreline *line, Int128 y, ShoreWaves *waves) {
    *waves = (ShoreWaves){ .known = true, .y = y };
    for (int wave = 0; wave < 2; wave++) {
        const LatticeNoise *noise = &line->across[wave];
        const Lattice lattice = lattice_at(noise->bits, y);
        for (int i = 0; i < 3; i++) {
            const Int128 row = lattice.row + i - 1;
            waves->weights[wave][i] = LATTICE_CONTRAST * lattice.down[i];
            waves->rows[wave][i] = bits_of_place(row);
            waves->inside[wave][i] =
                !noise->is_zero_at_edges || lattice_is_inside(row, noise->rows >> noise->bits);
        }
    }
}

static void draw_columns(const Shoreline *line, int wave, Int128 column, ShoreWaves *waves) {
    const bool next = waves->drawn[wave] && column == waves->column[wave] + 1;
    if (waves->drawn[wave] && column == waves->column[wave])
        return;
    for (int i = 0; i < 3 && next; i++)
        for (int k = 0; k < 2; k++) {
            waves->across[wave][i][k] = waves->across[wave][i][k + 1];
            waves->down[wave][i][k] = waves->down[wave][i][k + 1];
        }
    for (int k = next ? 2 : 0; k < 3; k++)
        draw_column(line, wave, column + k - 1, waves, k);
    waves->drawn[wave] = true;
    waves->column[wave] = column;
}

typedef struct Way {
    float across, down; // in coarse cells
} Way;

// As lattice_noise_at gives it, of the long or the short waves.
static Way wave_at(const Shoreline *line, int wave, Int128 x, ShoreWaves *waves) {
    const int bits = line->across[wave].bits;
    const float *weights = line->weights[wave][(int)(x & ((1 << bits) - 1))];
    Way sum = { 0, 0 };
    draw_columns(line, wave, x >> bits, waves);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const float weight = waves->weights[wave][i] * weights[k];
            sum.across += weight * waves->across[wave][i][k];
            sum.down += weight * waves->down[wave][i][k];
        }
    return sum;
}

// How far a child looks.
static Way way_of(const Shoreline *line, ShoreWaves *waves, float fine, Int128 column, Int128 row) {
    if (!waves->known || waves->y != row)
        begin_row(line, row, waves);
    const Way wide = wave_at(line, 0, column, waves), narrow = wave_at(line, 1, column, waves);
    return (Way){ LONG * wide.across + fine * narrow.across, LONG * wide.down + fine * narrow.down };
}

// The spline of 4 × 4 coarse cells, of which (column, row) is the first: more than 0 on land. Beyond the
// window lie copies of its outermost cells.
static float land_at(const Shoreline *line, int column, int row, int32_t water, const float columns[4],
                     const float rows[4]) {
    const LandWindow *window = line->parent->window;
    size_t beside[4];
    float land = 0;
    for (int k = 0; k < 4; k++)
        beside[k] = (size_t)clamp(column + k, 0, window->width - 1);
    for (int i = 0; i < 4; i++) {
        const size_t start = (size_t)clamp(row + i, 0, window->height - 1) * (size_t)window->width;
        const int32_t *altitude = window->altitude + start;
        const uint8_t *receiver = window->receiver + start;
        for (int k = 0; k < 4; k++) {
            const bool wet = line->of_lakes ? receiver[beside[k]] == LAND_LAKE && altitude[beside[k]] == water
                                            : altitude[beside[k]] <= water;
            land += wet ? -rows[i] * columns[k] : rows[i] * columns[k];
        }
    }
    return land;
}

bool child_is_wet(const Shoreline *line, ShoreWaves *waves, int x, int y, int32_t water) {
    const Level *level = line->level;
    const Parent *parent = line->parent;
    const float rough = clamp(level->slope[(size_t)y * (size_t)level->width + (size_t)x] * line->per_slope,
                              0.0f, 1.0f),
                fine = lerp(SHORT_ON_PLAINS, SHORT_ON_ROCK, rough);
    const Int128 column = level->x + x, row = line->top + y;
    const Way way = way_of(line, waves, fine, column, row);
    const float across = clamp(way.across, -LONGEST, LONGEST), down = clamp(way.down, -LONGEST, LONGEST);
    const float right = (x & 1 ? 0.25f : -0.25f) + across, below = (y & 1 ? 0.25f : -0.25f) + down;
    const int left = right < 0 ? -1 : 0, top = below < 0 ? -1 : 0;
    float columns[4], rows[4];
    set_weights(right - (float)left, columns);
    set_weights(below - (float)top, rows);
    const float land =
        land_at(line, parent->column + x / 2 + left - 1, parent->row + y / 2 + top - 1, water, columns, rows);
    if (!line->of_lakes || land <= 0)
        return land <= 0;
    return edit_shore_has(level, 1, (double)column / 2 + 0.25 + across, (double)row / 2 + 0.25 + down);
}

// --- coasts ------------------------------------------------------------------------------------------------

enum { DRY = 1, WET = 2, AROUND = 2 * REACH + 1, COLUMNS = PIECE / 2 + 1 + 2 * REACH };

KERNEL static void add_sides(const int32_t *restrict altitude, int32_t sea, int count,
                             uint8_t *restrict sides) {
    for (int i = 0; i < count; i++)
        sides[i] |= altitude[i] <= sea ? WET : DRY;
}

// Of columns of coarse cells, those of rows around one: whether there is land and whether there is sea.
// Beyond the window lie copies of its outermost cells. Returns what there is in all.
static unsigned find_sides(const Shoreline *line, int row, int first, int count, uint8_t *sides) {
    const LandWindow *window = line->parent->window;
    const int left = clamp(-first, 0, count - 1),
              right = clamp(window->width - first, left + 1, count); // of `sides`
    unsigned all = 0;
    memset(sides, 0, (size_t)count);
    for (int y = row - REACH; y <= row + REACH; y++)
        add_sides(window->altitude + (size_t)clamp(y, 0, window->height - 1) * (size_t)window->width +
                      (size_t)clamp(first + left, 0, window->width - 1),
                  line->parent->sea, right - left, sides + left);
    for (int i = 0; i < left; i++)
        sides[i] = sides[left];
    for (int i = right; i < count; i++)
        sides[i] = sides[right - 1];
    for (int i = 0; i < count; i++)
        all |= sides[i];
    return all;
}

static bool has_coast(const uint8_t *sides) {
    unsigned all = 0;
    for (int i = 0; i < AROUND; i++)
        all |= sides[i];
    return all == (DRY | WET);
}

// Ground that is on the wrong side of the sea's level is mirrored there, as land a quarter as high.
static void set_side(const Level *level, int x, int y, bool wet) {
    int32_t *z = level->z + (size_t)y * (size_t)level->width + (size_t)x;
    const int32_t above = difference(*z, level->sea);
    if (wet && above > 0)
        *z = level->sea - 1 - above;
    else if (!wet && above <= 0)
        *z = level->sea + 1 - above / 4;
}

static void draw_rows(void *context, int first, int end) {
    const Shoreline *line = context;
    const Level *level = line->level;
    const Parent *parent = line->parent;
    ShoreWaves waves = { 0 };
    for (int y = first; y < end; y++)
        for (int left = 0; left < level->width; left += PIECE) {
            const int right = min(left + PIECE, level->width), column = left / 2;
            uint8_t sides[COLUMNS];
            if (find_sides(line, parent->row + y / 2, parent->column + column - REACH,
                           (right - 1) / 2 - column + AROUND, sides) != (DRY | WET))
                continue;
            for (int x = left; x < right; x++)
                if (has_coast(sides + (x / 2 - column)))
                    set_side(level, x, y, child_is_wet(line, &waves, x, y, parent->sea));
        }
}

bool has_shorelines(const LandRules *rules) {
    return !rules->guided;
}

Status draw_coastline(const Level *level, const Parent *parent) {
    Shoreline line = shoreline_of(level, parent, false);
    return has_shorelines(&level->land->rules)
               ? parallel_rows(level->run, level->height, level->width * 0.5, draw_rows, &line)
               : STATUS_OK;
}
