// Places to build on: level ground that is wide enough, apart from each other, near what they need.

#include "analysis/scores.h"
#include "core/gaps.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/operation.h"
#include "core/whole.h"
#include "places/distance.h"
#include "places/points.h"

#include <math.h>
#include <stdlib.h>

typedef struct Sites {
    int count;
    double size, slope, steeper, apart, sea_level;
    Fields near;
    const Field *avoid;
} Sites;

typedef struct Candidate {
    float score;
    uint32_t cell;
} Candidate;

typedef struct Found {
    Candidate at;
    double room, slope; // `room` in cells; `slope`: the limit with which it was found, relative to the first
} Found;

typedef struct Search {
    const Call *call;
    const Sites *sites;
    Field bad;               // slopes, then 1 where nobody builds
    Field room;              // the squared distance to it
    Field needs[FIELDS_MAX]; // the squared distances to what each mask of `near` marks
    double half, apart;      // in cells
    double steepness;        // the limit of slopes, relative to the first
    Candidate *at;
    size_t count;
    uint8_t *blocked; // cells too near to those found
    Found *found;
    size_t found_count;
} Search;

// --- ground ------------------------------------------------------------------------------------------------

static void judge_rows(void *context, int first, int end) {
    Search *search = context;
    const Sites *sites = search->sites;
    const Field *height = search->call->inputs[0].field;
    const double steep = sites->slope * search->steepness;
    for (int y = first; y < end; y++) {
        const float *ground = field_row(height, y);
        const float *avoid = sites->avoid ? field_row(sites->avoid, y) : NULL;
        float *bad = field_row(&search->bad, y);
        for (int x = 0; x < height->width; x++) {
            const bool sea = (double)ground[x] < sites->sea_level;
            bad[x] = sea || (double)bad[x] > steep || (avoid && avoid[x] >= 0.5f) ? 1 : 0;
        }
    }
}

static Status find_distance(const Call *call, const Field *mask, Field *squared, Error *error) {
    return distance_transform(call->run, mask, 1, 0.5f, false, false, call->wraps, squared, error);
}

// What does not depend on the limit of slopes.
static Status search_begin(Search *search, Error *error) {
    const Call *call = search->call;
    const Fields *near = &search->sites->near;
    Status status = STATUS_OK;
    for (int i = 0; i < near->count && status == STATUS_OK; i++) {
        status = field_create(&search->needs[i], call->width, call->height, error);
        if (status == STATUS_OK)
            status = find_distance(call, near->at[i], &search->needs[i], error);
    }
    return status;
}

static void search_end(Search *search) {
    field_free(&search->bad);
    field_free(&search->room);
    for (int i = 0; i < FIELDS_MAX; i++)
        field_free(&search->needs[i]);
    memory_free(search->at);
    memory_free(search->blocked);
    memory_free(search->found);
}

static Status find_ground(Search *search, Error *error) {
    const Call *call = search->call;
    memory_free(search->at);
    search->at = NULL;
    field_free(&search->room);
    Status status = field_create(&search->bad, call->width, call->height, error);
    if (status == STATUS_OK)
        status = slope_map(call->run, call->inputs[0].field, call->wraps, &search->bad);
    if (status == STATUS_OK)
        status = parallel_rows(call->run, call->height, call->width * 1.0, judge_rows, search);
    if (status == STATUS_OK)
        status = field_create(&search->room, call->width, call->height, error);
    if (status == STATUS_OK)
        status = find_distance(call, &search->bad, &search->room, error);
    field_free(&search->bad);
    return status;
}

// How far a cell's centre is from ground where nobody builds, and from the field's edge.
static double room_at(const Search *search, int x, int y) {
    const Call *call = search->call;
    const double free = sqrt((double)field_row(&search->room, y)[x]) - 0.5;
    const int beside = min(min(x, call->width - 1 - x), min(y, call->height - 1 - y));
    return call->wraps ? free : min(free, beside + 0.5);
}

static double need_at(const Search *search, int need, int x, int y) {
    return sqrt((double)field_row(&search->needs[need], y)[x]);
}

// Twice the room is three quarters of all that it can add; a place as far as it is wide from one of its needs
// has half the score.
static float score_of(const Search *search, int x, int y) {
    const double room = room_at(search, x, y), side = 2 * search->half;
    if (room < search->half)
        return 0;
    double score = 1 - 0.5 * search->half / room;
    for (int i = 0; i < search->sites->near.count; i++)
        score /= 1 + need_at(search, i, x, y) / side;
    return (float)score;
}

// --- choice ------------------------------------------------------------------------------------------------

static int by_score(const void *a, const void *b) {
    const Candidate *one = a, *other = b;
    if (one->score != other->score)
        return one->score > other->score ? -1 : 1;
    return one->cell < other->cell ? -1 : 1;
}

static Status find_candidates(Search *search, Error *error) {
    const Call *call = search->call;
    size_t room = 0;
    for (int y = 0; y < call->height; y++)
        for (int x = 0; x < call->width; x++)
            room += score_of(search, x, y) > 0;
    search->count = 0;
    search->at = memory_new(room + 1, sizeof *search->at, error);
    if (!search->at)
        return STATUS_MEMORY;
    for (int y = 0; y < call->height; y++)
        for (int x = 0; x < call->width; x++) {
            const float score = score_of(search, x, y);
            if (score > 0)
                search->at[search->count++] =
                    (Candidate){ score, (uint32_t)y * (uint32_t)call->width + (uint32_t)x };
        }
    qsort(search->at, search->count, sizeof *search->at, by_score);
    return STATUS_OK;
}

// Marks the cells that lie too near to a place.
static void block_around(const Search *search, uint32_t cell) {
    const Call *call = search->call;
    const int x = (int)(cell % (uint32_t)call->width), y = (int)(cell / (uint32_t)call->width);
    const int reach = whole_within(search->apart, 0, max(call->width, call->height));
    const double most = search->apart * search->apart;
    for (int j = -reach; j <= reach; j++)
        for (int i = -reach; i <= reach; i++) {
            const bool inside = x + i >= 0 && x + i < call->width && y + j >= 0 && y + j < call->height;
            if ((!inside && !call->wraps) || (double)i * i + (double)j * j >= most)
                continue;
            const int to_x = neighbour_at(x + i, call->width, call->wraps),
                      to_y = neighbour_at(y + j, call->height, call->wraps);
            search->blocked[(size_t)to_y * (size_t)call->width + (size_t)to_x] = 1;
        }
}

// Keeps the best candidates that lie apart.
static void choose(Search *search) {
    const int width = search->call->width;
    for (size_t i = 0; i < search->count && search->found_count < (size_t)search->sites->count; i++) {
        const uint32_t cell = search->at[i].cell;
        if (search->blocked[cell])
            continue;
        search->found[search->found_count++] =
            (Found){ .at = search->at[i],
                     .room = room_at(search, (int)(cell % (uint32_t)width), (int)(cell / (uint32_t)width)),
                     .slope = search->steepness };
        block_around(search, cell);
    }
}

static Status begin_list(Search *search, Error *error) {
    const Call *call = search->call;
    const size_t most = min((size_t)search->sites->count, (size_t)call->width * (size_t)call->height);
    search->blocked = memory_new_cells_zeroed(call->width, call->height, 1, error);
    search->found = search->blocked ? memory_new(most + 1, sizeof *search->found, error) : NULL;
    return search->found ? STATUS_OK : STATUS_MEMORY;
}

// Steeper ground is tried where there are too few places, up to the limit.
#define STEEPER 1.5

static Status find_places(Search *search, Error *error) {
    const double most = search->sites->steeper;
    Status status = STATUS_OK;
    for (double steepness = 1; status == STATUS_OK; steepness = min(steepness * STEEPER, most)) {
        search->steepness = steepness;
        status = find_ground(search, error);
        if (status == STATUS_OK)
            status = find_candidates(search, error);
        if (status == STATUS_OK && !search->found)
            status = begin_list(search, error);
        if (status == STATUS_OK)
            choose(search);
        if (steepness >= most || search->found_count == (size_t)search->sites->count)
            break;
    }
    return status;
}

// --- the result --------------------------------------------------------------------------------------------

// Metres of a cell, or its share of N.
static double cell_length(const Field *height) {
    const double metres = field_cell_metres(height);
    return metres > 0 ? metres : 1 / (double)field_side(height);
}

enum { SCORE, ROOM, STEEPNESS, NEAR, COLUMNS = NEAR + FIELDS_MAX };

static Status add_site(const Search *search, Points *points, int i, const int columns[COLUMNS],
                       Error *error) {
    const Call *call = search->call;
    const Field *height = call->inputs[0].field;
    const Found *found = &search->found[i];
    const uint32_t cell = found->at.cell;
    const int x = (int)(cell % (uint32_t)call->width), y = (int)(cell / (uint32_t)call->width);
    const double length = cell_length(height);
    points->at[i] = (PlacePoint){ .x = x + 0.5,
                                  .y = y + 0.5,
                                  .altitude = field_row(height, y)[x],
                                  .radius = (float)found->room,
                                  .species = 1 };
    Status status =
        attributes_set_number(points->attributes, columns[SCORE], i, (double)found->at.score, error);
    if (status == STATUS_OK)
        status = attributes_set_number(points->attributes, columns[ROOM], i, found->room * length, error);
    if (status == STATUS_OK)
        status = attributes_set_number(points->attributes, columns[STEEPNESS], i, found->slope, error);
    for (int k = 0; k < search->sites->near.count && status == STATUS_OK; k++)
        status = attributes_set_number(points->attributes, columns[NEAR + k], i,
                                       need_at(search, k, x, y) * length, error);
    return status;
}

static Status give(const Search *search, Error *error) {
    const Call *call = search->call;
    Points *points = points_new((int)search->found_count, error);
    call->outputs[0].value = points;
    if (!points || !points_attributes(points, error))
        return STATUS_MEMORY;
    points->width = call->width;
    points->height = call->height;
    points->wraps = call->wraps;
    static const char *const near[FIELDS_MAX] = { "near",   "near_2", "near_3", "near_4",
                                                  "near_5", "near_6", "near_7", "near_8" };
    int columns[COLUMNS] = { 0 };
    Status status = attributes_column(points->attributes, "score", &columns[SCORE], error);
    if (status == STATUS_OK)
        status = attributes_column(points->attributes, "room", &columns[ROOM], error);
    if (status == STATUS_OK)
        status = attributes_column(points->attributes, "steepness", &columns[STEEPNESS], error);
    for (int k = 0; k < search->sites->near.count && status == STATUS_OK; k++)
        status = attributes_column(points->attributes, near[k], &columns[NEAR + k], error);
    for (int i = 0; i < points->count && status == STATUS_OK; i++)
        status = add_site(search, points, i, columns, error);
    return status;
}

static Status run(const Call *call, Error *error) {
    const Sites *sites = call->params;
    const double side = field_side(call->inputs[0].field);
    Search search = { .call = call,
                      .sites = sites,
                      .half = max(0.5 * sites->size * side, 0.5),
                      .apart = (isnan(sites->apart) ? 2 * sites->size : sites->apart) * side };
    if (field_count(call->inputs[0].field) >= UINT32_MAX)
        return fail(error, STATUS_INVALID, "the field is too large: at most %lld cells",
                    (long long)UINT32_MAX - 1);
    Status status = search_begin(&search, error);
    if (status == STATUS_OK)
        status = find_places(&search, error);
    if (status == STATUS_OK)
        status = give(&search, error);
    search_end(&search);
    return status;
}

static const Param params[] = {
    PARAM(Sites, count, .initial = 5, .min = 0, .max = 1e6, .doc = "how many at most, the best ones"),
    PARAM(Sites, size, .initial = 0.05, .min = 0, .max = 1,
          .doc = "width of the level ground, at least, as a share of N, the longer side"),
    PARAM(Sites, slope, .initial = 4, .min = 0, .max = 1e4, .unit = UNIT_SLOPE,
          .doc = "slope up to which one builds"),
    PARAM(Sites, steeper, .initial = 1, .min = 1, .max = 1e4,
          .doc = "where there are fewer places: up to how many times as steep ground is taken, the flattest "
                 "first"),
    PARAM(
        Sites, near,
        .doc =
            "a mask of what should be near, such as rivers; or a list, each of which should be near, as in { "
            "rivers, coast }"),
    PARAM(Sites, avoid, .doc = "a mask of ground on which nobody builds, such as water or forest"),
    PARAM(Sites, apart, .min = 0, .max = 10, .optional = true,
          .doc = "the least distance between two, as a share of N; by default twice the size"),
    PARAM(Sites, sea_level, .optional = true, .min = -HEIGHT_MAX, .max = HEIGHT_MAX, .unit = UNIT_SEA,
          .doc = "ground below this is sea"),
    { 0 },
};

const Operation op_sites = {
    .name = "sites",
    .gaps = GAPS_SEA,
    .measures = MEASURES_SQUARES,
    .category = "places",
    .keywords =
        "town towns village settlement city base spawn start building place location flat suitability "
        "find where",
    .summary = "Finds places to build on: level, wide enough, apart, and near what they need",
    .description =
        "The best come first. A place is the middle of a disk without steep ground, sea or what `avoid` "
        "marks. Its score grows with the room around it, up to 1, and falls with the distance to what `near` "
        "marks: to half at `size`. Attributes: `score`; `room`, the distance from the middle within which "
        "all ground is fit to build on; `near`, the distance to what `near` marks. Both are in metres if the "
        "frame gives them, otherwise in N. Further masks have `near_2` and so on. `steepness` is above 1 "
        "where `steeper` ground is taken. The radius of a point is its room.",
    .inputs = { { "height", "heights" } },
    .outputs = { { "points", "middles of the places, with altitudes", &type_points } },
    .params = params,
    .params_size = sizeof(Sites),
    .example =
        "local towns = height:sites{ count = 3, size = 0.1, near = height:select{ height = { 0, 0.3 } } }",
    .wrapping = WRAPPING_CHOSEN,
    .picture = "local worn = height:stream_erosion{ age = 0.8 }\n"
               "return worn:relief{}:paint(worn:sites{ count = 6, size = 0.06, slope = 3 }, { colour = "
               "\"#b3261e\" })",
    .see_also = "flatten peaks playability path",
    .run = run,
};
