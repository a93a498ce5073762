#include "settlement/road_merge.h"

#include "core/math.h"
#include "core/memory.h"

#include <stdlib.h>

#define DRY_PRICE 3.0f // of ground without water

Status road_merge_open(RoadMerge *merge, const Cells *cells, const RoadGrounds *grounds,
                       const RoadSearches *searches, Error *error) {
    const size_t count = (size_t)cells->count + 1;
    *merge = (RoadMerge){ .grounds = grounds, .searches = searches, .cells = *cells };
    merge->owners = memory_new_zeroed(count, sizeof *merge->owners, error);
    if (merge->owners)
        merge->indices = memory_new(count, sizeof *merge->indices, error);
    if (!merge->owners || !merge->indices)
        return STATUS_MEMORY;
    for (int i = 0; i < searches->count; i++) {
        const RoadSearch *search = &searches->at[i];
        const RoadPixel *pixels = searches->pixels + search->first;
        for (int k = 0; k < search->count; k++) {
            int turn;
            const ptrdiff_t at = cell_number(cells, search->face, pixels[k].x, pixels[k].y, &turn);
            if (at < 0 || merge->owners[at])
                continue;
            merge->owners[at] = i + 1;
            merge->indices[at] = k;
        }
    }
    return STATUS_OK;
}

void road_merge_close(RoadMerge *merge) {
    memory_free(merge->owners);
    memory_free(merge->indices);
}

// --- where points move -------------------------------------------------------------------------------------

// A pixel of a road; its road is 1 + a search, or 0 where the point has not moved.
typedef struct Target {
    RoadPixel at;
    int road, index;
} Target;

// Whether a straight line crosses no water, but for its first pixel.
static bool is_dry_line(const RoadGround *ground, RoadPixel from, RoadPixel to) {
    const int count = max(abs(to.x - from.x), abs(to.y - from.y));
    for (int i = 1; i <= count; i++) {
        const int x = from.x + (2 * i * (to.x - from.x) + count) / (2 * count),
                  y = from.y + (2 * i * (to.y - from.y) + count) / (2 * count);
        if (!box_holds(&ground->grid->box, x, y) ||
            !(ground->prices[grid_index(ground->grid, x, y)] < DRY_PRICE))
            return false;
    }
    return true;
}

// A pixel of a grid as a target, on the first road that it is on.
static Target target_at(const RoadMerge *merge, int face, RoadPixel at) {
    int turn;
    const ptrdiff_t cell = cell_number(&merge->cells, face, at.x, at.y, &turn);
    return cell >= 0 && merge->owners[cell] ? (Target){ at, merge->owners[cell], merge->indices[cell] }
                                            : (Target){ at, 0, 0 };
}

// The nearest pixel of the first road near a pixel that comes before `road`.
static Target first_road_near(const RoadMerge *merge, int face, RoadPixel from, int road) {
    Target best = { from, 0, 0 };
    int nearest = 0;
    for (int y = from.y - MERGE_NEAR; y <= from.y + MERGE_NEAR; y++)
        for (int x = from.x - MERGE_NEAR; x <= from.x + MERGE_NEAR; x++) {
            const int off_x = x - from.x, off_y = y - from.y, distance = off_x * off_x + off_y * off_y;
            if (distance > MERGE_NEAR * MERGE_NEAR)
                continue;
            const Target there = target_at(merge, face, (RoadPixel){ x, y });
            if (!there.road || there.road >= road || (best.road && there.road > best.road) ||
                (there.road == best.road && distance >= nearest))
                continue;
            best = there;
            nearest = distance;
        }
    return best;
}

static Target find_target(const RoadMerge *merge, int face, RoadPixel from, int road) {
    Target target = { from, 0, 0 };
    for (int i = 0; i < MERGE_MOVES; i++) {
        const Target next = first_road_near(merge, face, target.at, target.road ? target.road : road);
        if (!next.road)
            break;
        target = next;
    }
    return target.road && is_dry_line(&merge->grounds->on[face], from, target.at) ? target
                                                                                  : (Target){ from, 0, 0 };
}

// Points that move alone would only touch the other road.
static void leave_short_runs(Target *targets, const RoadPoint *points, int count) {
    enum { SHORTEST = 4 };
    for (int first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && (targets[end].road != 0) == (targets[first].road != 0))
            end++;
        for (int k = first;
             targets[first].road && first > 0 && end < count && end - first < SHORTEST && k < end; k++)
            targets[k] = (Target){ { points[k].x, points[k].y }, 0, 0 };
    }
}

// --- the merged road ---------------------------------------------------------------------------------------

typedef struct Merged {
    RoadPoint *points;
    int count;
} Merged;

static void add_merged(Merged *merged, RoadPixel at, bool gate) {
    RoadPoint *last = merged->points + merged->count - 1;
    if (merged->count > 0 && last->x == at.x && last->y == at.y)
        last->gate = last->gate || gate;
    else if (merged->count < MERGED_POINTS)
        merged->points[merged->count++] = (RoadPoint){ .x = at.x, .y = at.y, .gate = gate };
}

static void add_line(Merged *merged, RoadPixel from, RoadPixel to) {
    const int count = max(abs(to.x - from.x), abs(to.y - from.y));
    for (int i = 1; i <= count; i++)
        add_merged(merged,
                   (RoadPixel){ from.x + (2 * i * (to.x - from.x) + count) / (2 * count),
                                from.y + (2 * i * (to.y - from.y) + count) / (2 * count) },
                   false);
}

// Where the grid of a face shows a pixel of a search's road; false: it does not.
static bool road_pixel_on(const RoadMerge *merge, const RoadSearch *search, int number, int face,
                          RoadPixel *pixel) {
    *pixel = merge->searches->pixels[search->first + number];
    CubeCell cell = { search->face, pixel->x, pixel->y, 0 };
    const Int128 side = (Int128)1 << merge->cells.bits;
    if (search->face == face)
        return true;
    if (!cube_resolve(side, &cell) || !cube_unfold(side, face, &cell))
        return false;
    *pixel = (RoadPixel){ (int)cell.x, (int)cell.y };
    return true;
}

// From one point to the next one, of which the last or both may be on other roads.
static void add_way(const RoadMerge *merge, int face, Merged *merged, const Target *from, const Target *to) {
    enum { WALK = 16 };
    const int before = merged->count;
    if (from->road && from->road == to->road && abs(to->index - from->index) <= WALK) {
        const RoadSearch *road = &merge->searches->at[from->road - 1];
        const int step = to->index > from->index ? 1 : -1;
        bool all = true;
        for (int k = from->index; k != to->index && all; k += step) {
            RoadPixel pixel;
            all = road_pixel_on(merge, road, k + step, face, &pixel);
            if (all)
                add_merged(merged, pixel, false);
        }
        if (all)
            return;
        merged->count = before; // on the third face at a corner
    }
    add_line(merged, from->at, to->at);
}

// Leaves out where the road goes somewhere and back.
static void leave_out_returns(Merged *merged) {
    enum { LONGEST_RETURN = 24 };
    RoadPoint *points = merged->points;
    int kept = 0;
    for (int k = 0; k < merged->count; k++) {
        int last = k;
        for (int i = k + 1; i < merged->count && i <= k + LONGEST_RETURN; i++)
            if (points[i].x == points[k].x && points[i].y == points[k].y)
                last = i;
        bool gate = points[k].gate;
        for (int i = k + 1; i <= last; i++)
            gate = gate || points[i].gate;
        points[kept] = points[k];
        points[kept++].gate = gate;
        k = last;
    }
    merged->count = kept;
}

int merge_road(const RoadMerge *merge, int search, const RoadPoint *points, int count,
               RoadPoint merged[MERGED_POINTS]) {
    const int face = merge->searches->at[search].face;
    Target targets[ROAD_PIXELS];
    Merged made = { merged, 0 };
    for (int k = 0; k < count; k++) {
        const RoadPixel at = { points[k].x, points[k].y };
        if (k > 0 && k + 1 < count) {
            targets[k] = find_target(merge, face, at, search + 1);
            continue;
        }
        targets[k] = target_at(merge, face, at); // places stay
        if (targets[k].road >= search + 1)
            targets[k] = (Target){ at, 0, 0 };
    }
    leave_short_runs(targets, points, count);
    add_merged(&made, targets[0].at, points[0].gate);
    for (int k = 1; k < count; k++) {
        const RoadPixel before = { points[k - 1].x, points[k - 1].y }, here = { points[k].x, points[k].y };
        const Target at_before = { before, 0, 0 }, at_here = { here, 0, 0 };
        // Onto another road and off it at a right angle: by the point itself.
        if (targets[k].road && !targets[k - 1].road) {
            add_way(merge, face, &made, &targets[k - 1], &at_here);
            add_way(merge, face, &made, &at_here, &targets[k]);
        } else if (!targets[k].road && targets[k - 1].road) {
            add_way(merge, face, &made, &targets[k - 1], &at_before);
            add_way(merge, face, &made, &at_before, &targets[k]);
        } else
            add_way(merge, face, &made, &targets[k - 1], &targets[k]);
        add_merged(&made, targets[k].at, points[k].gate);
    }
    leave_out_returns(&made);
    return made.count;
}
