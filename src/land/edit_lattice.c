#include "land/edit_lattice.h"

#include <math.h>

static double between(double a, double b, double share) {
    return a + share * (b - a);
}

EditForm form_between(const EditForm *a, const EditForm *b, double share) {
    return (EditForm){ between(a->share, b->share, share), between(a->flanks, b->flanks, share) };
}

double lattice_beyond(const LatticeRows *rows, Int128 cell) {
    const Int128 step = (Int128)1 << rows->bits;
    return ldexp((double)(int64_t)(cell & (step - 1)), -rows->bits);
}

EditForm lattice_form(const LatticeRows *rows, Int128 x, int column) {
    if (column < rows->begin || column >= rows->end)
        return (EditForm){ 0 };
    const EditForm *form = rows->forms + 2 * (size_t)rows->room + (size_t)((x >> rows->bits) - rows->first);
    return form_between(form, form + 1, lattice_beyond(rows, x));
}
