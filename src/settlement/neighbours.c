#include "settlement/neighbours.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

// --- neighbours by distance --------------------------------------------------------------------------------

// Places by squares of SQUARE pixels, so that those nearby are found.
typedef struct Buckets {
    GridBox box; // in squares
    int *first;  // of each square, 1 + a place; 0: none
    int *next;   // of each place, the same
} Buckets;

static void buckets_free(Buckets *buckets) {
    memory_free(buckets->first);
    memory_free(buckets->next);
}

static Status fill_buckets(Buckets *buckets, const GridBox *box, const Sites *sites, Error *error) {
    const int left = box->x / SQUARE, top = box->y / SQUARE;
    buckets->box = (GridBox){ left, top, (box->x + box->width) / SQUARE - left + 1,
                              (box->y + box->height) / SQUARE - top + 1 };
    buckets->first =
        memory_new_cells_zeroed(buckets->box.width, buckets->box.height, sizeof *buckets->first, error);
    buckets->next = memory_new_zeroed((size_t)sites->count + 1, sizeof *buckets->next, error);
    if (!buckets->first || !buckets->next)
        return STATUS_MEMORY;
    for (int i = 0; i < sites->count; i++) {
        const int x = sites->at[i].x / SQUARE, y = sites->at[i].y / SQUARE;
        int *first = &buckets->first[box_index(&buckets->box, x, y)];
        buckets->next[i] = *first;
        *first = i + 1;
    }
    return STATUS_OK;
}

// Whether any place lies in the circle of which two places are a diameter.
static bool is_between(const Buckets *buckets, const Sites *sites, int longest, const Site *a,
                       const Site *b) {
    const int reach = longest / 2 + 1, x = (a->x + b->x) / 2, y = (a->y + b->y) / 2;
    const GridBox *box = &buckets->box;
    for (int j = (y - reach) / SQUARE; j <= (y + reach) / SQUARE; j++)
        for (int i = (x - reach) / SQUARE; i <= (x + reach) / SQUARE; i++) {
            if (!box_holds(box, i, j))
                continue;
            for (int at = buckets->first[box_index(box, i, j)]; at; at = buckets->next[at - 1]) {
                const Site *site = &sites->at[at - 1];
                if (site != a && site != b &&
                    (site->x - a->x) * (site->x - b->x) + (site->y - a->y) * (site->y - b->y) <= 0)
                    return true;
            }
        }
    return false;
}

static int compare_neighbours(const void *first, const void *second) {
    const Neighbours *a = first, *b = second;
    const int from = compare_sites(a->from, b->from);
    return from ? from : compare_sites(a->to, b->to);
}

static Status add_pair(Pairs *pairs, const Site *from, const Site *to, Error *error) {
    if (pairs->count == pairs->room) {
        const int room = 2 * pairs->room + 64;
        Neighbours *at = memory_enlarge(pairs->at, (size_t)pairs->count, (size_t)room, sizeof *at, error);
        if (!at)
            return STATUS_MEMORY;
        pairs->at = at;
        pairs->room = room;
    }
    pairs->at[pairs->count++] = (Neighbours){ .from = from, .to = to };
    return STATUS_OK;
}

static Status find_gabriel(const Buckets *buckets, const Sites *sites, int longest, Pairs *pairs,
                           Error *error) {
    Status status = STATUS_OK;
    const GridBox *box = &buckets->box;
    const int reach = (longest + SQUARE - 1) / SQUARE;
    for (int k = 0; k < sites->count; k++) {
        const Site *a = &sites->at[k];
        for (int j = a->y / SQUARE - reach; j <= a->y / SQUARE + reach; j++)
            for (int i = a->x / SQUARE - reach; i <= a->x / SQUARE + reach; i++) {
                if (!box_holds(box, i, j))
                    continue;
                for (int at = buckets->first[box_index(box, i, j)]; at && status == STATUS_OK;
                     at = buckets->next[at - 1]) {
                    const Site *b = &sites->at[at - 1];
                    const int x = a->x - b->x, y = a->y - b->y;
                    if (compare_sites(a, b) < 0 && x * x + y * y <= longest * longest &&
                        !is_between(buckets, sites, longest, a, b))
                        status = add_pair(pairs, a, b, error);
                }
            }
    }
    if (status == STATUS_OK && pairs->count > 0)
        qsort(pairs->at, (size_t)pairs->count, sizeof *pairs->at, compare_neighbours);
    return status;
}

// --- and by cost -------------------------------------------------------------------------------------------

// The pairs of each place.
typedef struct PairsOf {
    const Sites *sites;
    const Pairs *pairs;
    int *first; // of each place, 1 + twice a pair, + 1 where it is its second; 0: none
    int *next;  // after each of these, the same
} PairsOf;

static int end_of(const PairsOf *of, int link, bool other) {
    const Neighbours *pair = &of->pairs->at[link / 2];
    return (int)(((link % 2 != 0) != other ? pair->to : pair->from) - of->sites->at);
}

static Status link_pairs(PairsOf *of, Error *error) {
    of->first = memory_new_zeroed((size_t)of->sites->count + 1, sizeof *of->first, error);
    if (of->first)
        of->next = memory_new_zeroed(2 * (size_t)of->pairs->count + 1, sizeof *of->next, error);
    if (!of->next)
        return STATUS_MEMORY;
    for (int link = 0; link < 2 * of->pairs->count; link++) {
        int *first = &of->first[end_of(of, link, false)];
        of->next[link] = *first;
        *first = link + 1;
    }
    return STATUS_OK;
}

// Whether a third place lies between.
static bool is_roundabout(const PairsOf *of, int number) {
    const Neighbours *pair = &of->pairs->at[number];
    const int from = end_of(of, 2 * number, false), to = end_of(of, 2 * number, true);
    for (int link = of->first[from]; link; link = of->next[link - 1]) {
        const int third = end_of(of, link - 1, true);
        if (third == to || of->pairs->at[(link - 1) / 2].cost >= pair->cost)
            continue;
        for (int onward = of->first[third]; onward; onward = of->next[onward - 1])
            if (end_of(of, onward - 1, true) == to && of->pairs->at[(onward - 1) / 2].cost < pair->cost)
                return true;
    }
    return false;
}

static Status choose_pairs(const RoadGround *ground, const Sites *sites, Pairs *pairs, Error *error) {
    PairsOf of = { .sites = sites, .pairs = pairs };
    for (int i = 0; i < pairs->count; i++) {
        Neighbours *pair = &pairs->at[i];
        pair->cost = straight_road_cost(ground, (RoadPixel){ pair->from->x, pair->from->y },
                                        (RoadPixel){ pair->to->x, pair->to->y });
    }
    const Status status = link_pairs(&of, error);
    for (int i = 0; i < pairs->count && status == STATUS_OK; i++)
        pairs->at[i].joined = !is_roundabout(&of, i);
    memory_free(of.first);
    memory_free(of.next);
    return status;
}

Status find_pairs(const RoadGround *ground, const Sites *sites, int longest, Pairs *pairs, Error *error) {
    Buckets buckets = { .first = NULL };
    Status status = fill_buckets(&buckets, &ground->grid->box, sites, error);
    if (status == STATUS_OK)
        status = find_gabriel(&buckets, sites, longest, pairs, error);
    buckets_free(&buckets);
    return status == STATUS_OK ? choose_pairs(ground, sites, pairs, error) : status;
}

void pairs_free(Pairs *pairs) {
    memory_free(pairs->at);
}
