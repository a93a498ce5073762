#include "settlement/neighbours.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

// --- neighbours by distance --------------------------------------------------------------------------------

// Places by squares of SQUARE pixels of a grid, so that those nearby are found: those beyond its edges, too.
typedef struct Buckets {
    const Grid *grid;
    int left, top, width, height; // in squares
    int *first;                   // of each square, 1 + a place; 0: none
    int *next;                    // of each place, the same
} Buckets;

static void buckets_free(Buckets *buckets) {
    memory_free(buckets->first);
    memory_free(buckets->next);
}

// Of pixels beyond an edge, too, whose numbers are below 0.
static int square_before(int pixel) {
    return (pixel - (pixel % SQUARE + SQUARE) % SQUARE) / SQUARE;
}

static int *bucket_at(const Buckets *buckets, int square_x, int square_y) {
    const int x = square_x - buckets->left, y = square_y - buckets->top;
    return x >= 0 && y >= 0 && x < buckets->width && y < buckets->height
               ? &buckets->first[(size_t)y * (size_t)buckets->width + (size_t)x]
               : NULL;
}

static Status fill_buckets(Buckets *buckets, const Grid *grid, const Sites *sites, Error *error) {
    const GridBox *box = &grid->box;
    *buckets = (Buckets){ .grid = grid, .left = square_before(box->x), .top = square_before(box->y) };
    buckets->width = square_before(box->x + box->width) - buckets->left + 1;
    buckets->height = square_before(box->y + box->height) - buckets->top + 1;
    buckets->first = memory_new_cells_zeroed(buckets->width, buckets->height, sizeof *buckets->first, error);
    buckets->next = memory_new_zeroed((size_t)sites->count + 1, sizeof *buckets->next, error);
    if (!buckets->first || !buckets->next)
        return STATUS_MEMORY;
    for (int i = 0; i < sites->count; i++) {
        int x = sites->at[i].x, y = sites->at[i].y;
        if (!pixel_on_grid(grid, sites->at[i].face, &x, &y) || !box_holds(box, x, y))
            continue;
        int *first = bucket_at(buckets, square_before(x), square_before(y));
        buckets->next[i] = *first;
        *first = i + 1;
    }
    return STATUS_OK;
}

// Whether any place lies in the circle of which two places are a diameter, or in the ball.
static bool is_between(const Buckets *buckets, const Sites *sites, int longest, const Site *a,
                       const Site *b) {
    int to_x = b->x, to_y = b->y;
    pixel_on_grid(buckets->grid, b->face, &to_x, &to_y);
    // Around a corner of a cube places may be twice as far on the grid.
    const int reach = buckets->grid->axes ? 3 * longest : longest / 2 + 1, x = (a->x + to_x) / 2,
              y = (a->y + to_y) / 2;
    for (int j = square_before(y - reach); j <= square_before(y + reach); j++)
        for (int i = square_before(x - reach); i <= square_before(x + reach); i++) {
            const int *bucket = bucket_at(buckets, i, j);
            for (int at = bucket ? *bucket : 0; at; at = buckets->next[at - 1]) {
                const Site *site = &sites->at[at - 1];
                if (site != a && site != b &&
                    vec3_dot(vec3_minus(site->at, a->at), vec3_minus(site->at, b->at)) <= 0)
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

// Those of which the first place is on the grid's own face.
static Status find_gabriel(const Buckets *buckets, const Sites *sites, int longest, Pairs *pairs,
                           Error *error) {
    const int pixels = buckets->grid->axes ? longest * 3 / 2 : longest, reach = pixels / SQUARE + 1;
    Status status = STATUS_OK;
    for (int k = 0; k < sites->count && status == STATUS_OK; k++) {
        const Site *a = &sites->at[k];
        for (int j = square_before(a->y) - reach;
             a->face == buckets->grid->face && j <= square_before(a->y) + reach; j++)
            for (int i = square_before(a->x) - reach; i <= square_before(a->x) + reach; i++) {
                const int *bucket = bucket_at(buckets, i, j);
                for (int at = bucket ? *bucket : 0; at && status == STATUS_OK; at = buckets->next[at - 1]) {
                    const Site *b = &sites->at[at - 1];
                    if (compare_sites(a, b) < 0 && squared_distance(a->at, b->at) <= longest * longest &&
                        !is_between(buckets, sites, longest, a, b))
                        status = add_pair(pairs, a, b, error);
                }
            }
    }
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

static Status choose_pairs(const RoadGrounds *grounds, const Sites *sites, Pairs *pairs, Error *error) {
    PairsOf of = { .sites = sites, .pairs = pairs };
    for (int i = 0; i < pairs->count; i++) {
        Neighbours *pair = &pairs->at[i];
        const RoadGround *ground = &grounds->on[pair->from->face];
        RoadPixel to = { pair->to->x, pair->to->y };
        pixel_on_grid(ground->grid, pair->to->face, &to.x, &to.y);
        pair->cost = straight_road_cost(ground, (RoadPixel){ pair->from->x, pair->from->y }, to);
    }
    const Status status = link_pairs(&of, error);
    for (int i = 0; i < pairs->count && status == STATUS_OK; i++)
        pairs->at[i].joined = !is_roundabout(&of, i);
    memory_free(of.first);
    memory_free(of.next);
    return status;
}

Status find_pairs(const RoadGrounds *grounds, const Sites *sites, int longest, Pairs *pairs, Error *error) {
    Status status = STATUS_OK;
    for (int face = 0; face < CUBE_FACES && status == STATUS_OK; face++) {
        Buckets buckets = { .first = NULL };
        if (!grounds->on[face].grid)
            continue;
        status = fill_buckets(&buckets, grounds->on[face].grid, sites, error);
        if (status == STATUS_OK)
            status = find_gabriel(&buckets, sites, longest, pairs, error);
        buckets_free(&buckets);
    }
    if (status == STATUS_OK && pairs->count > 0)
        qsort(pairs->at, (size_t)pairs->count, sizeof *pairs->at, compare_neighbours);
    return status == STATUS_OK ? choose_pairs(grounds, sites, pairs, error) : status;
}

void pairs_free(Pairs *pairs) {
    memory_free(pairs->at);
}
