#include "picture/land_forms.h"

#include "core/kernel.h"

#include <string.h>

// NOLINTBEGIN(clang-analyzer-core.*): the analyzer takes sums of a loop that it does not follow for unset
// ones

// Sums of pairs `apart` cells apart.
KERNEL_INLINE void add_pairs(const float *restrict from, float *restrict to, int count, int apart) {
    for (int i = 0; i < count; i++)
        to[i] = from[i] + from[i + apart];
}

// Adds what was kept to a row, and keeps what the row was.
KERNEL_INLINE void add_kept(float *restrict kept, float *restrict row, int count) {
    for (int i = 0; i < count; i++) {
        const float here = row[i];
        row[i] = here + kept[i];
        kept[i] = here;
    }
}

KERNEL static void add_form_cells(Form *form, const float *restrict cells, int count) {
    float lines[2][FORM_READ];
    const int steps = form->steps, reach = form_reach(form);
    int left = count + 2 + 2 * reach - 1;
    add_pairs(cells, lines[0], left, 1);
    for (int i = 1; i < 2 * steps; i++) {
        const int apart = 1 << (i % steps);
        left -= apart;
        add_pairs(lines[(i + 1) % 2], lines[i % 2], left, apart);
    }
    float *restrict row = lines[1]; // the last of an even number
    for (int i = 0, first = 0; i < 2 * steps; i++) {
        const int apart = 1 << (i % steps);
        add_kept(form->sums[first + form->read % apart], row, left);
        first += apart;
    }
    const float scale = 1 / (float)(1 << (4 * steps));
    float *restrict means = form->rows[form->read % 3];
    for (int i = 0; i < left; i++)
        means[i] = row[i] * scale;
}

// NOLINTEND(clang-analyzer-core.*)

void form_begin(Form *form, int steps, float (*sums)[FORM_LINE]) {
    *form = (Form){ .steps = steps, .sums = sums };
    memset(sums, 0, 2 * (size_t)form_reach(form) * sizeof *sums);
}

void form_add(Form *form, const float *cells, int count) {
    add_form_cells(form, cells, count);
    form->read++;
}

const float *form_row(const Form *form, int i) {
    return form->rows[(form->read + i) % 3];
}
