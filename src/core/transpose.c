#include "core/transpose.h"

// Squares of TILE × TILE cells, one line of the cache wide. They are read along the rows of `from`, BAND rows
// of `to` at a time: rows that lie a power of two apart drive each other out of the cache.
enum { TILE = 16, BAND = 64 };

typedef struct Transpose {
    const Field *from;
    Field *to;
} Transpose;

static void transpose_tile(const float *restrict from, size_t from_width, float *restrict to,
                           size_t to_width) {
    float tile[TILE][TILE];
    for (size_t i = 0; i < TILE; i++)
        for (size_t k = 0; k < TILE; k++)
            tile[i][k] = from[i * from_width + k];
    for (size_t k = 0; k < TILE; k++)
        for (size_t i = 0; i < TILE; i++)
            to[k * to_width + i] = tile[i][k];
}

static void transpose_bands(void *context, int first, int end) {
    const Transpose *both = context;
    const Field *from = both->from;
    Field *to = both->to;
    const int rows = min(end * BAND, to->height);
    for (int band = first * BAND; band < rows; band += BAND)
        for (int x = 0; x < to->width; x += TILE)
            for (int y = band; y < min(band + BAND, rows); y += TILE) {
                if (x + TILE <= to->width && y + TILE <= rows)
                    transpose_tile(field_row(from, x) + y, (size_t)from->width, field_row(to, y) + x,
                                   (size_t)to->width);
                else
                    for (int row = y; row < min(y + TILE, rows); row++)
                        for (int column = x; column < min(x + TILE, to->width); column++)
                            field_row(to, row)[column] = field_row(from, column)[row];
            }
}

Status field_transpose(const Run *run, const Field *from, Field *to) {
    Transpose both = { from, to };
    return parallel_rows(run, (to->height + BAND - 1) / BAND, to->width * 1.0 * BAND, transpose_bands, &both);
}
