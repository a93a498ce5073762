#include "rivers/strokes.h"

#include "core/math.h"
#include "core/whole.h"

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

static void draw_reaches(Stroke stroke, const RiverNetwork *network, double scale, double least, float bank) {
    for (int i = 0; i < network->reach_count; i++) {
        const RiverPoint *points = network->points + network->reaches[i].first;
        for (int k = 1; k < network->reaches[i].count; k++) {
            const RiverPoint *from = &points[k - 1], *to = &points[k];
            const double width = (double)from->width * scale;
            stroke.highest = from->altitude + bank;
            draw_stroke(&stroke, (Vec2){ from->x * scale, from->y * scale },
                        (Vec2){ to->x * scale, to->y * scale }, max(width, least));
        }
    }
}

void stroke_reaches(Field *cover, const RiverNetwork *network, double scale, double least) {
    draw_reaches(stroke_on(cover), network, scale, least, 0);
}

// --- on land -----------------------------------------------------------------------------------------------

// Each band of rows is drawn with all lines, so that there are few bands.
enum { BANDS = 16 };

typedef struct Water {
    Field *cover;
    const Field *land;
    const RiverNetwork *network;
    float bank;
} Water;

static void draw_bands(void *context, int first, int end) {
    const Water *water = context;
    Field *cover = water->cover;
    const int begin = (int)((int64_t)first * cover->height / BANDS),
              stop = (int)((int64_t)end * cover->height / BANDS);
    if (begin == stop)
        return;
    memset(field_row(cover, begin), 0, (size_t)(stop - begin) * (size_t)cover->width * sizeof(float));
    draw_reaches((Stroke){ water->cover, begin, stop, water->land, 0 }, water->network, 1, 1, water->bank);
}

Status stroke_water(const Run *run, Field *cover, const RiverNetwork *network, const Field *land,
                    float bank) {
    Water water = { cover, land, network, bank };
    const double cells = (double)cover->width * cover->height;
    return parallel_rows(run, BANDS, cells / BANDS, draw_bands, &water);
}
