#include "settlement/road_merge.h"

#include "core/math.h"
#include "core/memory.h"

#include <stdlib.h>

#define DRY_PRICE 3.0f // of ground without water

Status road_merge_open(RoadMerge *merge, const RoadGround *ground, const RoadSearches *searches,
                       Error *error) {
    const GridBox *box = &ground->grid->box;
    *merge = (RoadMerge){ .ground = ground, .searches = searches };
    merge->owners = memory_new_cells_zeroed(box->width, box->height, sizeof *merge->owners, error);
    if (merge->owners)
        merge->indices = memory_new_cells(box->width, box->height, sizeof *merge->indices, error);
    if (!merge->owners || !merge->indices)
        return STATUS_MEMORY;
    for (int i = 0; i < searches->count; i++) {
        const RoadPixel *pixels = searches->pixels + searches->at[i].first;
        for (int k = 0; k < searches->at[i].count; k++) {
            const size_t at = box_index(box, pixels[k].x, pixels[k].y);
            if (merge->owners[at])
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
static bool is_dry_line(const RoadMerge *merge, RoadPixel from, RoadPixel to) {
    const int count = max(abs(to.x - from.x), abs(to.y - from.y));
    for (int i = 1; i <= count; i++) {
        const int x = from.x + (2 * i * (to.x - from.x) + count) / (2 * count),
                  y = from.y + (2 * i * (to.y - from.y) + count) / (2 * count);
        if (!(merge->ground->prices[grid_index(merge->ground->grid, x, y)] < DRY_PRICE))
            return false;
    }
    return true;
}

// The nearest pixel of the first road near a pixel that comes before `road`.
static Target first_road_near(const RoadMerge *merge, RoadPixel from, int road) {
    const GridBox *box = &merge->ground->grid->box;
    Target best = { from, 0, 0 };
    int nearest = 0;
    for (int y = from.y - MERGE_NEAR; y <= from.y + MERGE_NEAR; y++)
        for (int x = from.x - MERGE_NEAR; x <= from.x + MERGE_NEAR; x++) {
            const int off_x = x - from.x, off_y = y - from.y, distance = off_x * off_x + off_y * off_y;
            if (distance > MERGE_NEAR * MERGE_NEAR || !box_holds(box, x, y))
                continue;
            const size_t at = box_index(box, x, y);
            const int owner = merge->owners[at];
            if (!owner || owner >= road || (best.road && owner > best.road) ||
                (owner == best.road && distance >= nearest))
                continue;
            best = (Target){ { x, y }, owner, merge->indices[at] };
            nearest = distance;
        }
    return best;
}

static Target find_target(const RoadMerge *merge, RoadPixel from, int road) {
    Target target = { from, 0, 0 };
    for (int i = 0; i < MERGE_MOVES; i++) {
        const Target next = first_road_near(merge, target.at, target.road ? target.road : road);
        if (!next.road)
            break;
        target = next;
    }
    return target.road && is_dry_line(merge, from, target.at) ? target : (Target){ from, 0, 0 };
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

// From one point to the next one, of which the last or both may be on other roads.
static void add_way(const RoadMerge *merge, Merged *merged, const Target *from, const Target *to) {
    enum { WALK = 16 };
    if (from->road && from->road == to->road && abs(to->index - from->index) <= WALK) {
        const RoadPixel *road = merge->searches->pixels + merge->searches->at[from->road - 1].first;
        const int step = to->index > from->index ? 1 : -1;
        for (int k = from->index; k != to->index; k += step)
            add_merged(merged, road[k + step], false);
    } else
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
    const GridBox *box = &merge->ground->grid->box;
    Target targets[ROAD_PIXELS];
    Merged made = { merged, 0 };
    for (int k = 0; k < count; k++) {
        const RoadPixel at = { points[k].x, points[k].y };
        const size_t index = box_index(box, at.x, at.y);
        const int owner = merge->owners[index];
        if (k > 0 && k + 1 < count)
            targets[k] = find_target(merge, at, search + 1);
        else // places stay
            targets[k] =
                owner < search + 1 ? (Target){ at, owner, merge->indices[index] } : (Target){ at, 0, 0 };
    }
    leave_short_runs(targets, points, count);
    add_merged(&made, targets[0].at, points[0].gate);
    for (int k = 1; k < count; k++) {
        const RoadPixel before = { points[k - 1].x, points[k - 1].y }, here = { points[k].x, points[k].y };
        const Target at_before = { before, 0, 0 }, at_here = { here, 0, 0 };
        // Onto another road and off it at a right angle: by the point itself.
        if (targets[k].road && !targets[k - 1].road) {
            add_way(merge, &made, &targets[k - 1], &at_here);
            add_way(merge, &made, &at_here, &targets[k]);
        } else if (!targets[k].road && targets[k - 1].road) {
            add_way(merge, &made, &targets[k - 1], &at_before);
            add_way(merge, &made, &at_before, &targets[k]);
        } else
            add_way(merge, &made, &targets[k - 1], &targets[k]);
        add_merged(&made, targets[k].at, points[k].gate);
    }
    leave_out_returns(&made);
    return made.count;
}
