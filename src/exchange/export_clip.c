// Cuts lines, polygons and rivers at the edge of a terrain, which ends at its outermost vertices: beyond them
// a road or a lake would hang in the air. Lines of neighbouring terrains meet where they are cut.

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "exchange/export.h"
#include "places/points.h"
#include "places/shapes.h"
#include "rivers/network.h"

#include <string.h>

Box export_box(const Ground *ground) {
    const int steps = ground->ends ? ground->size - 1 : ground->size;
    const double first = ground->spacing.first, last = first + ground->spacing.cells * steps;
    return (Box){ ground->left + first, ground->top + first, ground->left + last, ground->top + last };
}

// --- stretches ---------------------------------------------------------------------------------------------

// The points of a line: of each the first members are x and y.
typedef struct Track {
    const void *at;
    size_t size;
    int count;
} Track;

static const double *point_of(const Track *track, int i) {
    return (const double *)(const void *)((const char *)track->at + (size_t)i * track->size);
}

// Narrows *from … *to to the part of 0 … 1 in which `start` + t · `step` lies in `low` … `high`.
static bool narrow(double start, double step, double low, double high, double *from, double *to) {
    if (step == 0)
        return start >= low && start <= high;
    const double at_low = (low - start) / step, at_high = (high - start) / step;
    *from = max(*from, min(at_low, at_high));
    *to = min(*to, max(at_low, at_high));
    return *from < *to;
}

// Which part of the way from point `i` to the next one lies in the box (Liang and Barsky 1984).
static bool part_inside(const Track *track, const Box *box, int i, double *from, double *to) {
    const double *a = point_of(track, i), *b = point_of(track, i + 1);
    *from = 0;
    *to = 1;
    return narrow(a[0], b[0] - a[0], box->left, box->right, from, to) &&
           narrow(a[1], b[1] - a[1], box->top, box->bottom, from, to);
}

// A stretch inside the box: from a part of the way behind point `first` to one behind point `last`.
typedef struct Stretch {
    int first, last;
    double from, to;
} Stretch;

static int points_in(const Stretch *stretch) {
    return stretch->last - stretch->first + 2;
}

static bool begins(const Stretch *stretch) {
    return stretch->first == 0 && stretch->from == 0;
}

static bool ends(const Stretch *stretch, const Track *track) {
    return stretch->last == track->count - 2 && stretch->to == 1;
}

// The next stretch, from point *next on, which is moved behind it. False: there is none.
static bool find_stretch(const Track *track, const Box *box, int *next, Stretch *stretch) {
    double from, to;
    while (*next + 1 < track->count && !part_inside(track, box, *next, &from, &to))
        ++*next;
    if (*next + 1 >= track->count)
        return false;
    *stretch = (Stretch){ *next, *next, from, to };
    while (stretch->to == 1 && stretch->last + 2 < track->count &&
           part_inside(track, box, stretch->last + 1, &from, &to) && from == 0) {
        stretch->last++;
        stretch->to = to;
    }
    *next = stretch->last + 1;
    return true;
}

static double between(double a, double b, double part) {
    return part == 0 ? a : part == 1 ? b : a + part * (b - a);
}

// --- rivers ------------------------------------------------------------------------------------------------

// What drains through is that of the point above.
static RiverPoint river_between(const RiverPoint *a, const RiverPoint *b, double part) {
    RiverPoint point = part == 1 ? *b : *a;
    point.x = between(a->x, b->x, part);
    point.y = between(a->y, b->y, part);
    point.altitude = (float)between((double)a->altitude, (double)b->altitude, part);
    point.width = (float)between((double)a->width, (double)b->width, part);
    point.distance = (float)between((double)a->distance, (double)b->distance, part);
    return point;
}

static Track track_of(const RiverNetwork *network, const Reach *reach) {
    return (Track){ network->points + reach->first, sizeof *network->points, reach->count };
}

// Whether a line is a ring, such as a lake's shore, which stays one: what lies beyond the edge is moved to
// it.
static bool is_ring(const RiverNetwork *network, const Track *track) {
    const double *first = point_of(track, 0), *last = point_of(track, track->count - 1);
    return network->lines && track->count > 2 && first[0] == last[0] && first[1] == last[1];
}

static void count_stretches(const RiverNetwork *network, const Box *box, int *reaches, int *points) {
    Stretch stretch;
    *reaches = *points = 0;
    for (int i = 0; i < network->reach_count; i++) {
        const Track track = track_of(network, &network->reaches[i]);
        const bool ring = is_ring(network, &track);
        for (int next = 0; find_stretch(&track, box, &next, &stretch); ++*reaches) {
            *points += ring ? track.count : points_in(&stretch);
            next = ring ? track.count : next;
        }
    }
}

static void move_ring(const Track *track, const Box *box, RiverPoint *to) {
    const RiverPoint *at = track->at;
    for (int i = 0; i < track->count; i++) {
        to[i] = at[i];
        to[i].x = clamp(at[i].x, box->left, box->right);
        to[i].y = clamp(at[i].y, box->top, box->bottom);
    }
}

// Fills `to`, which has room. `begins_as`: for each reach the one that begins as it does, or -1.
static void cut_reaches(const RiverNetwork *from, const Box *box, RiverNetwork *to, int *begins_as) {
    int count = 0, point = 0;
    for (int i = 0; i < from->reach_count; i++) {
        const Track track = track_of(from, &from->reaches[i]);
        const RiverPoint *at = track.at;
        Stretch stretch;
        begins_as[i] = -1;
        for (int next = 0; find_stretch(&track, box, &next, &stretch);) {
            Reach *reach = &to->reaches[count];
            *reach = from->reaches[i];
            reach->first = point;
            if (is_ring(from, &track)) {
                move_ring(&track, box, to->points + point);
                point += track.count;
                count++;
                break;
            }
            reach->count = points_in(&stretch);
            if (!ends(&stretch, &track)) {
                reach->downstream = -1;
                reach->mouth = false;
            }
            if (begins(&stretch))
                begins_as[i] = count;
            to->points[point++] = river_between(&at[stretch.first], &at[stretch.first + 1], stretch.from);
            for (int k = stretch.first + 1; k <= stretch.last; k++)
                to->points[point++] = at[k];
            to->points[point++] = river_between(&at[stretch.last], &at[stretch.last + 1], stretch.to);
            count++;
        }
    }
    for (int i = 0; i < count; i++)
        if (to->reaches[i].downstream >= 0)
            to->reaches[i].downstream = begins_as[to->reaches[i].downstream];
}

Status export_cut_network(const RiverNetwork *from, const Box *box, RiverNetwork **cut, Error *error) {
    int reaches, points;
    count_stretches(from, box, &reaches, &points);
    *cut = network_new(reaches, points, 0, error);
    int *begins_as = *cut ? memory_new((size_t)from->reach_count + 1, sizeof *begins_as, error) : NULL;
    if (!begins_as)
        return STATUS_MEMORY;
    RiverNetwork *to = *cut;
    RiverPoint *room = to->points;
    Reach *reach_room = to->reaches;
    *to = *from;
    to->points = room;
    to->reaches = reach_room;
    to->point_count = points;
    to->reach_count = reaches;
    to->ridge_count = to->ridge_point_count = 0;
    to->boundary = (Boundary){ 0 };
    cut_reaches(from, box, to, begins_as);
    memory_free(begins_as);
    return STATUS_OK;
}

// --- lines -------------------------------------------------------------------------------------------------

static ShapePoint shape_between(const ShapePoint *a, const ShapePoint *b, double part) {
    return (ShapePoint){ between(a->x, b->x, part), between(a->y, b->y, part),
                         (float)between((double)a->altitude, (double)b->altitude, part) };
}

static Status cut_line(const Shapes *from, const ShapePart *part, const Box *box, Shapes *to, Error *error) {
    const ShapePoint *at = from->points + part->first;
    const Track track = { at, sizeof *at, part->count };
    Status status = STATUS_OK;
    Stretch stretch;
    for (int next = 0; status == STATUS_OK && find_stretch(&track, box, &next, &stretch);) {
        status = shapes_add_point(to, shape_between(&at[stretch.first], &at[stretch.first + 1], stretch.from),
                                  error);
        for (int k = stretch.first + 1; k <= stretch.last && status == STATUS_OK; k++)
            status = shapes_add_point(to, at[k], error);
        if (status == STATUS_OK)
            status = shapes_add_point(to, shape_between(&at[stretch.last], &at[stretch.last + 1], stretch.to),
                                      error);
        if (status == STATUS_OK)
            status = shapes_end_part(to, false, error);
    }
    return status;
}

// --- polygons ----------------------------------------------------------------------------------------------

enum { EDGES = 4, GROWTH = 6 }; // a ring cut at four edges has less than six times its points

// How far inside an edge of the box a point lies.
static double inside_edge(const Box *box, int edge, const ShapePoint *point) {
    const double distances[EDGES] = { point->x - box->left, box->right - point->x, point->y - box->top,
                                      box->bottom - point->y };
    return distances[edge];
}

// Sutherland and Hodgman 1974, "Reentrant polygon clipping": the ring `from` without what lies beyond an
// edge.
static int cut_at_edge(const Box *box, int edge, const ShapePoint *from, int count, ShapePoint *to) {
    int made = 0;
    for (int i = 0; i < count; i++) {
        const ShapePoint *a = &from[i], *b = &from[i + 1 < count ? i + 1 : 0];
        const double here = inside_edge(box, edge, a), there = inside_edge(box, edge, b);
        if (here >= 0)
            to[made++] = *a;
        if ((here > 0 && there < 0) || (here < 0 && there > 0))
            to[made++] = shape_between(a, b, here / (here - there));
    }
    return made;
}

static Status cut_ring(const Shapes *from, const ShapePart *part, const Box *box, Shapes *to, Error *error) {
    const size_t room = (size_t)part->count * GROWTH;
    ShapePoint *rings[2] = { memory_new(room, sizeof **rings, error), NULL };
    rings[1] = rings[0] ? memory_new(room, sizeof **rings, error) : NULL;
    Status status = rings[1] ? STATUS_OK : STATUS_MEMORY;
    int count = part->count - 1; // the last point is the first
    if (status == STATUS_OK)
        memcpy(rings[0], from->points + part->first, (size_t)count * sizeof **rings);
    for (int edge = 0; edge < EDGES && status == STATUS_OK; edge++)
        count = cut_at_edge(box, edge, rings[edge % 2], count, rings[(edge + 1) % 2]);
    const ShapePoint *ring = rings[0];
    for (int i = 0; status == STATUS_OK && count >= 3 && i <= count; i++)
        status = shapes_add_point(to, ring[i < count ? i : 0], error);
    if (status == STATUS_OK)
        status = shapes_end_part(to, part->hole, error);
    memory_free(rings[0]);
    memory_free(rings[1]);
    return status;
}

// --- shapes ------------------------------------------------------------------------------------------------

Status export_cut_shapes(const Shapes *from, bool rings, const Box *box, Shapes **cut, Error *error) {
    Shapes *to = *cut = shapes_new(error);
    Attributes *attributes = to && from->attributes ? shapes_attributes(to, error) : NULL;
    if (!to || (from->attributes && !attributes))
        return STATUS_MEMORY;
    to->width = from->width;
    to->height = from->height;
    to->has_altitudes = from->has_altitudes;
    to->frame = from->frame;
    Status status = STATUS_OK;
    for (int i = 0; i < from->count && status == STATUS_OK; i++) {
        const Shape *shape = &from->shapes[i];
        const int before = to->count;
        for (int k = shape->first; k < shape->first + shape->count && status == STATUS_OK; k++)
            status = (rings ? cut_ring : cut_line)(from, &from->parts[k], box, to, error);
        if (status == STATUS_OK)
            status = shapes_end_shape(to, error);
        if (status == STATUS_OK && to->count > before && attributes)
            status = attributes_copy(attributes, before, from->attributes, i, error);
    }
    return status;
}

// --- what is cut -------------------------------------------------------------------------------------------

static bool is_beyond(const Box *box, double x, double y) {
    const double rounding = 1e-6;
    return !(x >= box->left - rounding && x <= box->right + rounding && y >= box->top - rounding &&
             y <= box->bottom + rounding);
}

// How many shapes have a point beyond the box.
static int count_beyond(const Shapes *shapes, const Box *box) {
    int beyond = 0;
    for (int i = 0; i < shapes->count; i++) {
        const ShapePart *first = &shapes->parts[shapes->shapes[i].first];
        const ShapePart *last = first + shapes->shapes[i].count - 1;
        bool leaves = false;
        for (int k = first->first; k < last->first + last->count && !leaves; k++)
            leaves = is_beyond(box, shapes->points[k].x, shapes->points[k].y);
        beyond += leaves ? 1 : 0;
    }
    return beyond;
}

Status export_count_cut(const Input *what, const Box *land, const Box *box, CutCount *count, Error *error) {
    *count = (CutCount){ 0 };
    if (what->type == &type_points) {
        const Points *points = what->value;
        count->all = points->count;
        for (int i = 0; i < points->count; i++)
            count->left_out += is_beyond(box, points->at[i].x, points->at[i].y) ? 1 : 0;
    }
    if (what->type != &type_lines && what->type != &type_polygons)
        return STATUS_OK;
    const Shapes *shapes = what->value;
    const int beyond = count_beyond(shapes, land);
    Shapes *cut;
    const Status status = export_cut_shapes(shapes, what->type == &type_polygons, box, &cut, error);
    if (status == STATUS_OK && beyond > 0) {
        count->left_out = shapes->count - cut->count;
        count->cut = max(beyond - count->left_out, 0);
    }
    count->all = shapes->count;
    shapes_free(cut);
    return status;
}
