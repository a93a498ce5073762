#include "analysis/line_list.h"

#include "core/math.h"
#include "core/memory.h"

#include <string.h>

void lines_free(LineList *lines) {
    memory_free(lines->points);
    memory_free(lines->reaches);
}

// Room for one more of `count` elements; NULL if memory runs out.
static void *room_for(LineList *lines, void *at, int count, int *room, size_t size, Error *error) {
    if (count < *room)
        return at;
    if (count > LINE_POINTS_MAX) {
        lines->status = fail(error, STATUS_INVALID, "lines of more than %d points", LINE_POINTS_MAX);
        return NULL;
    }
    const int more = 2 * count + 1024;
    void *grown = memory_new((size_t)more, size, error);
    if (!grown) {
        lines->status = STATUS_MEMORY;
        return NULL;
    }
    if (count)
        memcpy(grown, at, (size_t)count * size);
    memory_free(at);
    *room = more;
    return grown;
}

bool lines_add_point(LineList *lines, RiverPoint point, Error *error) {
    RiverPoint *points =
        room_for(lines, lines->points, lines->point_count, &lines->point_room, sizeof *points, error);
    if (!points)
        return false;
    lines->points = points;
    points[lines->point_count++] = point;
    return true;
}

bool lines_add_reach(LineList *lines, int first, Error *error) {
    Reach *reaches =
        room_for(lines, lines->reaches, lines->reach_count, &lines->reach_room, sizeof *reaches, error);
    if (!reaches)
        return false;
    lines->reaches = reaches;
    reaches[lines->reach_count++] =
        (Reach){ .first = first, .count = lines->point_count - first, .downstream = -1, .order = 1 };
    return true;
}

// --- smoothing -------------------------------------------------------------------------------------------

static RiverPoint between(RiverPoint from, RiverPoint to, double share) {
    from.x = lerp(from.x, to.x, share);
    from.y = lerp(from.y, to.y, share);
    return from;
}

static bool is_closed(const RiverPoint *points, int count) {
    return count > 3 && points[0].x == points[count - 1].x && points[0].y == points[count - 1].y;
}

// Adds the points of a line at a quarter and three quarters of each of its pieces; an open line keeps its
// ends.
static bool cut_corners(LineList *lines, int first, int count, Error *error) {
    const bool closed = is_closed(lines->points + first, count);
    const int start = lines->point_count;
    bool enough = closed || lines_add_point(lines, lines->points[first], error);
    for (int i = first; i + 1 < first + count && enough; i++) {
        const RiverPoint from = lines->points[i], to = lines->points[i + 1];
        enough = lines_add_point(lines, between(from, to, 0.25), error) &&
                 lines_add_point(lines, between(from, to, 0.75), error);
    }
    const RiverPoint last = closed ? lines->points[start] : lines->points[first + count - 1];
    return enough && lines_add_point(lines, last, error);
}

Status smooth_lines(LineList *lines, int first, int rounds, Error *error) {
    for (int round = 0; round < rounds; round++)
        for (int i = first; i < lines->reach_count; i++) {
            const Reach reach = lines->reaches[i];
            const int start = lines->point_count;
            if (reach.count < 3)
                continue;
            if (!cut_corners(lines, reach.first, reach.count, error))
                return lines->status;
            lines->reaches[i].first = start;
            lines->reaches[i].count = lines->point_count - start;
        }
    return STATUS_OK;
}
