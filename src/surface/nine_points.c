#include "surface/nine_points.h"

#include "core/math.h"

#include <string.h>

// --- nine points -------------------------------------------------------------------------------------------

// Row y of the field, inside it, and one more cell at either end.
static void read_inside(const Field *height, bool wraps, int first, int count, int y, float *cells) {
    const float *row = field_row(height, y);
    const int last = height->width - 1, end = first + count;
    memcpy(cells, row + first, (size_t)count * sizeof *cells);
    if (first > 0)
        cells[-1] = row[first - 1];
    else
        cells[-1] = wraps ? row[last] : 2 * row[0] - row[min(1, last)];
    if (end <= last)
        cells[count] = row[end];
    else
        cells[count] = wraps ? row[0] : 2 * row[last] - row[max(last - 1, 0)];
}

// 2 × nearest - next: the row beyond an edge.
KERNEL static void continue_row(int count, const float *restrict next, float *restrict nearest) {
    for (int x = -1; x <= count; x++)
        nearest[x] = 2 * nearest[x] - next[x];
}

void nine_points_row(const Field *height, bool wraps, int first, int count, int y, float *cells) {
    const int last = height->height - 1, inside = neighbour_at(y, height->height, wraps);
    read_inside(height, wraps, first, count, inside, cells);
    if (wraps || y == inside)
        return;
    float next[NINE_POINTS_CHUNK + 2];
    read_inside(height, wraps, first, count, y < 0 ? min(1, last) : max(last - 1, 0), next + 1);
    continue_row(count, next + 1, cells);
}

typedef struct Pass {
    const Call *call;
    NinePointsKernel *kernel;
    const void *context;
    Field *to;
} Pass;

static void pass_rows(void *context, int first, int end) {
    const Pass *pass = context;
    const Call *call = pass->call;
    const Field *height = call->inputs[0].field;
    float rows[3][NINE_POINTS_CHUNK + 2];
    for (int start = 0; start < call->width; start += NINE_POINTS_CHUNK) {
        const int count = min(call->width - start, NINE_POINTS_CHUNK);
        for (int i = -1; i <= 0; i++)
            nine_points_row(height, call->wraps, start, count, first + i, rows[(first + i + 3) % 3] + 1);
        for (int y = first; y < end; y++) {
            const CellShape shape = field_row_shape(height, y);
            nine_points_row(height, call->wraps, start, count, y + 1, rows[(y + 4) % 3] + 1);
            pass->kernel(pass->context,
                         (NinePoints){ .up = rows[(y + 2) % 3] + 1,
                                       .row = rows[y % 3] + 1,
                                       .down = rows[(y + 4) % 3] + 1,
                                       .x = start,
                                       .y = y,
                                       .per_width = (float)(1 / shape.across),
                                       .per_height = (float)(1 / shape.down) },
                         count, pass->to ? field_row(pass->to, y) + start : NULL);
        }
    }
}

Status nine_points(const Call *call, NinePointsKernel *kernel, const void *context, double nanoseconds,
                   Field *to) {
    Pass pass = { call, kernel, context, to };
    return parallel_rows(call->run, call->height, call->width * nanoseconds, pass_rows, &pass);
}

// --- quadratic ---------------------------------------------------------------------------------------------
