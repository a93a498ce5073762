#!/bin/sh
# The compiler refuses to write cells of a `const Field *` and pixels of a `const Image *`. Prints TAP.
set -u
cd "$(dirname "$0")/.."
count=0
compiles() { # yes or no, NAME, one statement
    count=$((count + 1))
    printf '#include "core/field.h"\n#include "core/image.h"\nvoid f(Field *w, const Field *r, Image *p, const Image *q);\n
void f(Field *w, const Field *r, Image *p, const Image *q) { (void)w, (void)r, (void)p, (void)q; %s }\n' "$3" |
        gcc -std=c11 -Isrc -Wall -Werror -fsyntax-only -x c - 2>/dev/null && found=yes || found=no
    [ "$found" = "$1" ] && echo "ok $count - $2" || echo "not ok $count - $2"
}
compiles yes "a field's row is written" 'field_row(w, 0)[0] = 1;'
compiles yes "a field's cells are written" 'field_cells(w)[0] = 1;'
compiles no "no row of a const field is written" 'field_row(r, 0)[0] = 1;'
compiles no "no cells of a const field are written" 'field_cells(r)[0] = 1;'
compiles no "no cells are written past the accessors" 'r->cells[0] = 1;'
compiles no "no pointer to write by comes from a const field" 'float *row = field_row(r, 0); row[0] = 1;'
compiles yes "an image's row is written" 'image_row(p, 0)[0].red = 1;'
compiles no "no row of a const image is written" 'image_row(q, 0)[0].red = 1;'
compiles no "no pixels are written past the accessor" 'q->pixels[0].red = 1;'
echo "1..$count"
