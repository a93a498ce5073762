// A form is a bump, a trough, or one above the other, in an ellipse around a place drawn by chance. Its axis
// lies nearly along the slope of the ground at each of its cells, so forms bend with the ground, and no cell
// reads more of that than the spline does. Noise bends them further: ellipses look like craters. Where they
// overlap the highest bump and the deepest trough count: summed up they would make pits.

#include "land/soil_forms.h"

#include "land/smooth_noise.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>

// A form's height at u cells downslope of its middle and v cells aside, where w = 1 - (u/a)² - (v/b)² is
// above 0, is w (κ + (1 - κ) w) (α + β u). With κ = 1 its rim is an edge, with 0 it is smooth.
struct SoilForm {
    int x, y, reach;      // of its middle, in cells of the level; and how far it reaches
    float across, along;  // 1/b², and 1/a² - 1/b²
    float edge;           // κ
    float middle, rising; // α and β
    float bend;           // how far noise moves it, in cells
    float cosine, sine;   // of its axis against the slope
};

// On each lattice of blocks of 2^bits cells lie forms that reach no farther than a block's side.
typedef struct Sizes {
    int bits, each;    // forms in a block, at most
    float least, most; // half of their length
    float share;       // of them that are drawn, on average
} Sizes;

enum {
    LATTICES = 2,
    LARGE = 0,
    MOST_EACH = 4,
    FORM_STREAM = 1 << 27,
    NOISES_STREAM = FORM_STREAM + (1 << 20),
    KIND_BITS = 7,
    BUSY_BITS = 5
};
static const Sizes lattices[LATTICES] = { { 6, 4, 8, 42, 0.7f }, { 4, 1, 2, 8, 0.4f } };

#define TURNED 0.36f // the tangent of half the most
// Noise moves the parts of a form aside, by this share of its size, at most by so many cells.
#define BENT 0.3f
#define BENT_MOST 5.0f

// --- one form ----------------------------------------------------------------------------------------------

typedef struct Draw {
    RandomKey key;
    uint32_t column, row, count;
} Draw;

static float draw(Draw *of) {
    return random_unit(of->key, of->column + 0x9e3779b9U * of->count++, of->row);
}

static float between(Draw *of, float least, float most) {
    return least + (most - least) * draw(of);
}

// A turn by up to 40 degrees.
static void turn(Draw *of, SoilForm *form) {
    const float t = TURNED * (draw(of) + draw(of) - 1), by = 1 / (1 + t * t);
    form->cosine = (1 - t * t) * by;
    form->sine = 2 * t * by;
}

static SoilForm ellipse(float a, float b, float edge, float middle, float rising) {
    const float most = max(a, b), bend = min(BENT * most, BENT_MOST);
    return (SoilForm){ .reach = whole_int(most + 2 * bend),
                       .bend = bend,
                       .across = 1 / (b * b),
                       .along = 1 / (a * a) - 1 / (b * b),
                       .edge = edge,
                       .middle = middle,
                       .rising = rising / a };
}

// Where ground has flowed: a hollow, and a lobe below it.
static SoilForm slide(Draw *of, float size) {
    const float a = size * between(of, 0.5f, 1), b = size * between(of, 0.4f, 1);
    return ellipse(a, b, between(of, 0.3f, 0.9f), 0, a * between(of, 0.4f, 0.8f));
}

// A step along the slope, with a front.
static SoilForm bench(Draw *of, float size) {
    const float a = size * between(of, 0.15f, 0.35f), height = a * between(of, 0.3f, 0.55f);
    return ellipse(a, size, 1, height, height);
}

// Where water gathers: deepest at its head.
static SoilForm gully(Draw *of, float size) {
    const float b = size * between(of, 0.15f, 0.35f), depth = b * between(of, 0.5f, 1.2f);
    return ellipse(size, b, between(of, 0, 0.8f), -depth, 0.6f * depth);
}

// Rock that comes to the surface: ledges, or stones.
static SoilForm ledge(Draw *of, float size) {
    const float a = size * between(of, 0.15f, 0.3f), height = a * between(of, 0.3f, 0.65f);
    return ellipse(a, size * between(of, 0.3f, 0.8f), 1, height, 0.7f * height);
}

static SoilForm stone(Draw *of, float size) {
    const float a = size * between(of, 0.25f, 0.6f), height = a * between(of, 0.4f, 1.2f);
    return ellipse(a, a * between(of, 0.6f, 1.6f), between(of, 0.5f, 1), height, 0);
}

// `kind`: about -1 to 1.
static SoilForm form_of(Draw *of, float size, float kind, bool large) {
    const float at = kind + between(of, -0.4f, 0.4f);
    return at < -0.25f  ? gully(of, size)
           : at < 0.1f  ? slide(of, size)
           : at < 0.35f ? bench(of, size)
           : large      ? ledge(of, size)
                        : stone(of, size);
}

// --- those of a level --------------------------------------------------------------------------------------

void soil_forms_free(SoilForms *forms) {
    memory_free(forms->forms);
    memory_free(forms->first);
}

typedef struct Blocks {
    Int128 left, top; // of the first one
    int width, height;
} Blocks;

static Int128 first_row(const Level *level) {
    const Int128 rows = (Int128)level->land->root.width << level->number;
    return level->y - level->patches->place.face * (level->land->rules.planet ? rows : 0);
}

static Blocks blocks_around(const Level *level, int bits) {
    const Int128 top = first_row(level);
    Blocks blocks = { .left = (level->x >> bits) - 1, .top = (top >> bits) - 1 };
    blocks.width = (int)(((level->x + level->width - 1) >> bits) + 2 - blocks.left);
    blocks.height = (int)(((top + level->height - 1) >> bits) + 2 - blocks.top);
    return blocks;
}

// What the forms of a lattice are drawn from. Where large ones are few, ground is smooth.
typedef struct Chances {
    const Level *level;
    const Sizes *sizes;
    RandomKey keys[MOST_EACH];
    LatticeNoise kinds, busy;
} Chances;

static Chances chances_of(const Level *level, int lattice, Int128 columns, Int128 rows) {
    const LandRules *rules = &level->land->rules;
    const uint32_t place = 8 * (uint32_t)level->number + (uint32_t)level->patches->place.face,
                   stream = FORM_STREAM + place * (MOST_EACH * LATTICES), noises = NOISES_STREAM + 2 * place;
    Chances chances = { .level = level,
                        .sizes = &lattices[lattice],
                        .kinds = { random_key(rules->seed, noises), KIND_BITS, columns, rows, rules->planet },
                        .busy = { random_key(rules->seed, noises + 1), BUSY_BITS, columns, rows,
                                  rules->planet } };
    for (int k = 0; k < MOST_EACH; k++)
        chances.keys[k] = random_key(rules->seed, stream + (uint32_t)(lattice * MOST_EACH + k));
    return chances;
}

static int draw_block(const Chances *chances, Int128 column, Int128 row, SoilForm *forms) {
    const Level *level = chances->level;
    const Sizes *sizes = chances->sizes;
    const bool large = sizes == &lattices[LARGE];
    const int side = 1 << sizes->bits;
    const Int128 left = column * side, top = row * side, middle_x = left + side / 2,
                 middle_y = top + side / 2;
    const float share = sizes->share + (large ? lattice_noise_at(&chances->busy, middle_x, middle_y) : 0);
    const uint32_t column_bits = bits_of_place(column), row_bits = bits_of_place(row);
    float kind = 0;
    int count = 0;
    for (int k = 0; k < sizes->each; k++) {
        Draw of = { chances->keys[k], column_bits, row_bits, 0 };
        if (left < 0 || top < 0 || draw(&of) > share)
            continue;
        if (count == 0)
            kind = lattice_noise_at(&chances->kinds, middle_x, middle_y);
        const float size = between(&of, sizes->least, sizes->most);
        SoilForm form = form_of(&of, size, kind, large);
        turn(&of, &form);
        form.x = (int)(left - level->x) + whole_int(draw(&of) * (float)side);
        form.y = (int)(top - first_row(level)) + whole_int(draw(&of) * (float)side);
        forms[count++] = form;
    }
    return count;
}

Status soil_forms_draw(const Level *level, SoilForms *forms, Error *error) {
    const LandRules *rules = &level->land->rules;
    const Int128 columns = (Int128)level->land->root.width << level->number;
    const Int128 rows = rules->planet ? columns : (Int128)level->land->root.height << level->number;
    size_t most = 1, lines = 1;
    for (int i = 0; i < LATTICES; i++) {
        const Blocks blocks = blocks_around(level, lattices[i].bits);
        most += memory_count(blocks.width, blocks.height) * (size_t)lattices[i].each;
        lines += (size_t)blocks.height;
    }
    forms->forms = memory_new(most, sizeof *forms->forms, error);
    forms->first = memory_new(lines, sizeof *forms->first, error);
    if (!forms->forms || !forms->first)
        return STATUS_MEMORY;
    int count = 0;
    int *first = forms->first;
    for (int i = 0; i < LATTICES; i++) {
        const Chances chances = chances_of(level, i, columns, rows);
        const int bits = lattices[i].bits;
        const Blocks blocks = blocks_around(level, bits);
        const Int128 end_x = columns >> bits, end_y = rows >> bits;
        for (int y = 0; y < blocks.height; y++) {
            *first++ = count;
            for (int x = 0; x < blocks.width; x++) {
                const Int128 column = blocks.left + x, row = blocks.top + y;
                if (!rules->planet || (lattice_is_inside(column, end_x) && lattice_is_inside(row, end_y)))
                    count += draw_block(&chances, column, row, forms->forms + count);
            }
        }
    }
    *first = count;
    return STATUS_OK;
}

// --- their heights -----------------------------------------------------------------------------------------

KERNEL static void add_form(const SoilRow *row, SoilForm form, int left, int count, int from_top,
                            float *restrict raised, float *restrict sunk) {
    const float *restrict east = row->east + left, *restrict south = row->south + left;
    const float *restrict aside = row->aside + left, *restrict off = row->off + left;
    const float straight = 1 - form.edge;
    const int first = left - form.x;
    for (int i = 0; i < count; i++) {
        const float right = (float)(first + i) + form.bend * aside[i];
        const float down = (float)from_top + form.bend * off[i];
        const float u = -(form.cosine * (right * east[i] + down * south[i]) +
                          form.sine * (down * east[i] - right * south[i]));
        const float inside = 1 - (right * right + down * down) * form.across - u * u * form.along;
        const float w = max(inside, 0.0f);
        const float height = w * (form.edge + straight * w) * (form.middle + form.rising * u);
        raised[i] = max(raised[i], height);
        sunk[i] = min(sunk[i], height);
    }
}

void soil_forms_add(const Level *level, const SoilForms *forms, int y, const SoilRow *ground, float *raised,
                    float *sunk) {
    const int *first = forms->first;
    for (int i = 0; i < LATTICES; i++) {
        const Blocks blocks = blocks_around(level, lattices[i].bits);
        const int row = (int)(((first_row(level) + y) >> lattices[i].bits) - blocks.top);
        for (int k = first[row - 1]; k < first[row + 2]; k++) {
            const SoilForm *form = &forms->forms[k];
            const int from_top = y - form->y, rest = form->reach * form->reach - from_top * from_top;
            if (rest <= 0)
                continue;
            const int half = whole_int(sqrtf((float)rest)) + 1;
            const int left = max(form->x - half, 0), right = min(form->x + half + 1, level->width);
            if (left < right)
                add_form(ground, *form, left, right - left, from_top, raised + left, sunk + left);
        }
        first += blocks.height;
    }
}
