#include "rivers/line_coverage.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static int clamp_cell(double at, int count) {
    return index_within(at, count);
}

typedef struct Stroke {
    Field *cover;
    int first, end;    // the rows that are drawn
    const Field *land; // land may be NULL
    float highest;     // that gets wet
} Stroke;

static Stroke stroke_on(Field *cover) {
    return (Stroke){ .cover = cover, .end = cover->height };
}

static void draw_once(const Stroke *stroke, Vec2 a, Vec2 b, double width) {
    Field *cover = stroke->cover;
    const double margin = 0.5 * width + 1;
    const double dx = b.x - a.x, dy = b.y - a.y;
    const int left = clamp_cell(min(a.x, b.x) - margin, cover->width);
    const int right = clamp_cell(max(a.x, b.x) + margin, cover->width);
    const int top = max(clamp_cell(min(a.y, b.y) - margin, cover->height), stroke->first);
    const int bottom = min(clamp_cell(max(a.y, b.y) + margin, cover->height), stroke->end - 1);
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            if (stroke->land && field_row(stroke->land, y)[x] > stroke->highest)
                continue;
            const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
            const double distance = segment_distance(px, py, dx, dy, segment_share(px, py, dx, dy));
            const double inside = 0.5 * max(width, 1) + 0.5 - distance;
            const double share = clamp(inside, 0, 1) * min(width, 1);
            float *cell = &field_row(cover, y)[x];
            *cell = max((float)share, *cell);
        }
}

// A line, and where the field's edges meet its images that reach into it.
static void draw_stroke(const Stroke *stroke, Vec2 a, Vec2 b, double width) {
    const Field *cover = stroke->cover;
    const int images = cover->wraps ? 1 : 0;
    const double margin = 0.5 * width + 1;
    for (int j = -images; j <= images; j++)
        for (int i = -images; i <= images; i++) {
            const double dx = i * (double)cover->width, dy = j * (double)cover->height;
            if (max(a.x, b.x) + dx + margin >= 0 && min(a.x, b.x) + dx - margin <= cover->width &&
                max(a.y, b.y) + dy + margin >= 0 && min(a.y, b.y) + dy - margin <= cover->height)
                draw_once(stroke, (Vec2){ a.x + dx, a.y + dy }, (Vec2){ b.x + dx, b.y + dy }, width);
        }
}

void stroke_line(Field *cover, Vec2 a, Vec2 b, double width) {
    const Stroke stroke = stroke_on(cover);
    draw_stroke(&stroke, a, b, width);
}

// --- networks ----------------------------------------------------------------------------------------------

enum { BAND = 64, CHUNKS_MAX = 256 }; // rows of cells in a band; chunks of reaches

// The pieces of lines that each band of rows draws, in their order; a piece has the number of its lower
// point. They are sorted by counting: counts[chunk × bands + band] of a chunk of reaches become its places in
// `pieces`.
typedef struct Bands {
    Field *cover;
    const Strokes *strokes;
    int bands, chunks;
    int *counts, *pieces, *starts; // starts[band] … before starts[band + 1]
} Bands;

// Piece k of a reach, from its point k - 1 to k.
static double piece_at(const Bands *bands, const RiverPoint *to, Vec2 *a, Vec2 *b) {
    const Strokes *strokes = bands->strokes;
    const RiverPoint *from = to - 1;
    const double width = (double)from->width * strokes->scale;
    *a = (Vec2){ from->x * strokes->scale, from->y * strokes->scale };
    *b = (Vec2){ to->x * strokes->scale, to->y * strokes->scale };
    return max(width, strokes->least);
}

typedef struct Rows {
    int first, last; // bands; none if first > last
} Rows;

// The bands that a piece may reach, moved down by so many fields.
static Rows rows_of_piece(const Bands *bands, const RiverPoint *to, int fields_down) {
    const int height = bands->cover->height;
    Vec2 a, b;
    const double margin = 0.5 * piece_at(bands, to, &a, &b) + 1, down = fields_down * (double)height;
    const double top = min(a.y, b.y) + down - margin, bottom = max(a.y, b.y) + down + margin;
    if (!(bottom >= 0 && top <= height))
        return (Rows){ 0, -1 };
    return (Rows){ clamp_cell(top, height) / BAND, clamp_cell(bottom, height) / BAND };
}

// Counts a chunk's pieces in each band; or, once there is room for them, puts them there.
static void sort_chunk(const Bands *bands, int chunk) {
    const RiverNetwork *network = bands->strokes->network;
    const int images = bands->cover->wraps ? 1 : 0;
    int *counts = bands->counts + (size_t)chunk * (size_t)bands->bands;
    const int first = (int)((int64_t)chunk * network->reach_count / bands->chunks),
              end = (int)((int64_t)(chunk + 1) * network->reach_count / bands->chunks);
    for (int i = first; i < end; i++) {
        const Reach *reach = &network->reaches[i];
        for (int k = reach->first + 1; k < reach->first + reach->count; k++)
            for (int image = -images; image <= images; image++) {
                const Rows rows = rows_of_piece(bands, &network->points[k], image);
                for (int band = rows.first; band <= rows.last; band++) {
                    if (bands->pieces)
                        bands->pieces[counts[band]] = k;
                    counts[band]++;
                }
            }
    }
}

static void sort_chunks(void *context, int first, int end) {
    for (int chunk = first; chunk < end; chunk++)
        sort_chunk(context, chunk);
}

// Turns counts into places: those of a band's chunks one after the other. False: too many.
static bool place_chunks(Bands *bands) {
    int64_t sum = 0;
    for (int band = 0; band < bands->bands; band++) {
        bands->starts[band] = (int)sum;
        for (int chunk = 0; chunk < bands->chunks; chunk++) {
            int *count = &bands->counts[(size_t)chunk * (size_t)bands->bands + (size_t)band];
            const int own = *count;
            *count = (int)sum;
            sum += own;
        }
        if (sum > INT_MAX)
            return false;
    }
    bands->starts[bands->bands] = (int)sum;
    return true;
}

static Status sort_pieces(const Run *run, Bands *bands, Error *error) {
    const RiverNetwork *network = bands->strokes->network;
    const double cost = 5.0 * network->point_count / bands->chunks;
    bands->counts = memory_new_cells_zeroed(bands->chunks, bands->bands, sizeof *bands->counts, error);
    bands->starts = memory_new((size_t)bands->bands + 1, sizeof *bands->starts, error);
    if (!bands->counts || !bands->starts)
        return STATUS_MEMORY;
    const Status status = parallel_rows(run, bands->chunks, cost, sort_chunks, bands);
    if (status != STATUS_OK)
        return status;
    if (!place_chunks(bands))
        return fail(error, STATUS_INVALID, "lines of more than %d pieces", INT_MAX);
    bands->pieces = memory_new((size_t)bands->starts[bands->bands], sizeof *bands->pieces, error);
    return bands->pieces ? parallel_rows(run, bands->chunks, cost, sort_chunks, bands) : STATUS_MEMORY;
}

static void draw_bands(void *context, int first, int end) {
    const Bands *bands = context;
    const Strokes *strokes = bands->strokes;
    Field *cover = bands->cover;
    for (int band = first; band < end; band++) {
        Stroke stroke = { .cover = cover,
                          .first = band * BAND,
                          .end = min((band + 1) * BAND, cover->height),
                          .land = strokes->land };
        memset(field_row(cover, stroke.first), 0,
               (size_t)(stroke.end - stroke.first) * (size_t)cover->width * sizeof(float));
        for (int i = bands->starts[band]; i < bands->starts[band + 1]; i++) {
            const RiverPoint *to = &strokes->network->points[bands->pieces[i]];
            Vec2 a, b;
            const double width = piece_at(bands, to, &a, &b);
            stroke.highest = to[-1].altitude + strokes->bank;
            draw_stroke(&stroke, a, b, width);
        }
    }
}

Status stroke_network(const Run *run, Field *cover, const Strokes *strokes, Error *error) {
    Bands bands = { .cover = cover,
                    .strokes = strokes,
                    .bands = (cover->height + BAND - 1) / BAND,
                    .chunks = clamp(strokes->network->reach_count, 1, CHUNKS_MAX) };
    Status status = sort_pieces(run, &bands, error);
    const double cost = 1.0 * BAND * cover->width + 100.0 * strokes->network->point_count / bands.bands;
    if (status == STATUS_OK)
        status = parallel_rows(run, bands.bands, cost, draw_bands, &bands);
    memory_free(bands.counts);
    memory_free(bands.starts);
    memory_free(bands.pieces);
    return status;
}
