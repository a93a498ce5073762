// Towns and villages in a window of a zoomable map, as points.

#include "core/elementary.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"
#include "places/points.h"
#include "rivermap/eroded/eroded.h"
#include "settlement/own_sites.h"
#include "settlement/window.h"

#include <math.h>
#include <stdlib.h>

enum { NAME, POPULATION, LEVEL, KIND, COLUMNS };
static const char *const columns[COLUMNS] = { "name", "population", "level", "kind" };

static Status set_attributes(const Settlement *settlement, Points *points, int row, const Site *site,
                             const int at[COLUMNS], Error *error) {
    Attributes *table = points->attributes;
    char made[NAME_MAX_BYTES];
    Status status =
        attributes_set_text(table, at[NAME], row, ATTRIBUTE_TEXT, site_name(settlement, site, made), error);
    if (status == STATUS_OK)
        status = attributes_set_number(table, at[POPULATION], row, site_population(settlement, site), error);
    if (status == STATUS_OK)
        status = attributes_set_number(table, at[LEVEL], row, site->level, error);
    return status == STATUS_OK
               ? attributes_set_text(table, at[KIND], row, ATTRIBUTE_TEXT, site_kind(settlement, site), error)
               : status;
}

// The radius of its dot: a level coarser is one larger, and so are four times as many people as the least of
// a level.
static float dot_radius(const SettlementView *shown, const Site *site) {
    const double share = 7 * site_population(&shown->settlement, site) /
                         village_people(level_population(&shown->settlement, site->level));
    const float people = (float)(logarithm(max(share, 1e-3)) / (2 * logarithm(2)));
    return clamp(1.5f + (float)(shown->level - site->level) + clamp(people, -0.5f, 2), 1, 7);
}

// A place in the window.
static PlacePoint point_of(const SettlementView *shown, const Site *site, Vec2 at) {
    const RandomKey key = random_key(eroded_of(shown->settlement.map)->rules.seed, 79);
    return (PlacePoint){ .x = at.x,
                         .y = at.y,
                         .altitude = site->altitude,
                         .radius = dot_radius(shown, site),
                         .variation = random_unit(key, square_column(site->face, site->square_x),
                                                  (uint32_t)site->square_y + 65536 * (uint32_t)site->level),
                         .species = site->level + 1 };
}

typedef struct Ranked {
    double population;
    int site;
} Ranked;

// Equal ones stay in the order of sites.
static int compare_ranked(const void *first, const void *second) {
    const Ranked *a = first, *b = second;
    return a->population != b->population ? (a->population < b->population ? 1 : -1) : a->site - b->site;
}

static Status rank_sites(const Settlement *settlement, const Sites *sites, Ranked **ranked, Error *error) {
    *ranked = memory_new((size_t)sites->count, sizeof **ranked, error);
    if (!*ranked)
        return STATUS_MEMORY;
    for (int i = 0; i < sites->count; i++)
        (*ranked)[i] = (Ranked){ site_population(settlement, &sites->at[i]), i };
    qsort(*ranked, (size_t)sites->count, sizeof **ranked, compare_ranked);
    return STATUS_OK;
}

// --- on the window's own ground ----------------------------------------------------------------------------

enum { ASHORE = 3 }; // cells that a point moves at most to get on land

// Moves a point out of the sea and lakes that the window's cells show, to the middle of the nearest one on
// land; false where there is none, as on islands that are too small to show.
static bool bring_ashore(const Grid *ground, Vec2 *at) {
    const int x = whole_int(floor(at->x)), y = whole_int(floor(at->y));
    if (box_holds(&ground->box, x, y) && !grid_is_open_water(ground, grid_index(ground, x, y)))
        return true;
    const Vec2 from = *at;
    double nearest = INFINITY;
    for (int j = y - ASHORE; j <= y + ASHORE; j++)
        for (int i = x - ASHORE; i <= x + ASHORE; i++) {
            if (!box_holds(&ground->box, i, j) || grid_is_open_water(ground, grid_index(ground, i, j)))
                continue;
            const Vec2 middle = { i + 0.5, j + 0.5 };
            const double distance = vec2_distance(middle, from);
            if (distance < nearest) {
                nearest = distance;
                *at = middle;
            }
        }
    return nearest < INFINITY;
}

// The middle of its pixel, or one's own place itself where that is dry; false: the window does not show it.
static bool find_place(const SettlementView *shown, const Site *site, Vec2 *place) {
    const Grid grid = { .bits = shown->bits, .face = site->face, .axes = shown->region.axes };
    int x = -1, y = -1;
    const OwnPlace *own = site->own ? &shown->settlement.map->places->at[site->own - 1] : NULL;
    if (own)
        own_pixel(own, shown->bits, &x, &y);
    if (!own || x != site->x || y != site->y)
        return settlement_place(shown, &grid, site->x + 0.5, site->y + 0.5, place);
    return settlement_own_place(shown, own, place);
}

// Places in the margin are left out.
static Status give(const SettlementView *shown, const Sites *sites, const Grid *ground, Points *points,
                   Error *error) {
    int at[COLUMNS], kept = 0;
    Ranked *ranked;
    Status status = rank_sites(&shown->settlement, sites, &ranked, error);
    if (status == STATUS_OK && !points_attributes(points, error))
        status = STATUS_MEMORY;
    for (int i = 0; i < COLUMNS && status == STATUS_OK; i++)
        status = attributes_column(points->attributes, columns[i], &at[i], error);
    for (int i = 0; i < sites->count && status == STATUS_OK; i++) {
        const Site *site = &sites->at[ranked[i].site];
        Vec2 place;
        if (!find_place(shown, site, &place) || (!bring_ashore(ground, &place) && !site->own) ||
            !(place.x >= 0 && place.y >= 0 && place.x < points->width && place.y < points->height))
            continue;
        points->at[kept] = point_of(shown, site, place);
        status = set_attributes(&shown->settlement, points, kept++, site, at, error);
    }
    points->count = kept;
    memory_free(ranked);
    return status;
}

static Status run(const Call *call, Error *error) {
    SettlementView shown;
    Sites sites = { 0 };
    Grid ground = { 0 };
    Points *points = NULL;
    Status status = settlement_view(&shown, call, error);
    if (status == STATUS_OK) {
        GridMargins margins = { { 0 } };
        const double cell = ldexp(1, shown.bits) / face_pixels(&shown.view); // in the grid's pixels
        margins.at[shown.bits] = max(whole_int(ceil(cell * ASHORE)), SITES_MARGIN);
        status = find_sites(&shown.settlement, &shown.region, shown.level, shown.bits, &margins, NULL, NULL,
                            &sites, error);
    }
    if (status == STATUS_OK && sites.count > 0)
        status = settlement_ground(&shown, 2 * ASHORE, &ground, error);
    if (status == STATUS_OK) {
        points = call->outputs[0].value = points_new(sites.count, error);
        status = points ? STATUS_OK : STATUS_MEMORY;
    }
    if (points) {
        points->width = shown.view.width;
        points->height = shown.view.height;
        points->frame = view_frame(&shown.view);
        status = give(&shown, &sites, &ground, points, error);
    }
    grid_free(&ground);
    sites_free(&sites);
    return status;
}

static const Param params[] = {
    SETTLEMENT_PARAMS,
    { 0 },
};

const Operation op_places = {
    .name = "places",
    .category = "zoomable maps",
    .keywords = "towns cities villages settlements population names harbour port burg civilization",
    .summary = "Gives the towns and villages in a window of a zoomable map, with names and population",
    .description =
        "Places lie where people settle: on level ground by rivers, where they join, are crossed and end, in "
        "sheltered bays, by lakes, on passes and in plains, where crops grow. None is on ice, in rivers or "
        "in the sea. Finer windows have the towns of coarser ones, and smaller places between them. A place "
        "depends only on the land around it, so that windows agree. A finer window locates it on its own "
        "pixels: it moves by at most two pixels of the coarser one.\n\n"
        "Attributes of a point are name, population (people), level (0: the largest) and kind: harbour, "
        "mouth, confluence, bridge, ford, river, lake, pass or plain. Its radius is that of a dot in a "
        "picture, in cells.\n\n"
        "An empty list is legal: a map of sea, of ice, or so small that it has no village.",
    .source = "Christaller 1933 (levels of places); Zipf 1949 (population by rank)",
    .inputs = { { "map", "a map with eroded land", { &type_map } } },
    .outputs = { { "places", "the largest first", &type_points } },
    .params = params,
    .params_size = sizeof(SettlementWindow),
    .sized = true,
    .example = "local map = esker.river_map{ seed = 7, latitudes = { 15, 45 } }\n"
               "local places = map:places{ size = 256 }\n"
               "for _, place in ipairs(places:list()) do\n"
               "    print(place.attributes.name, place.attributes.population)\n"
               "end",
    .picture =
        "local map, window = esker.river_map{ seed = 7, latitudes = { 15, 45 } }, { size = 256, zoom = "
        "3, x = 0.6, y = 0.4 }\n"
        "local altitude, river = map:render(window)\n"
        "return altitude:relief{ rivers = river, drape = map:cover(window).image }:paint(\n"
        "    map:places(window), { colour = \"#401010\" })",
    .see_also = "roads rivers climate paint",
    .run = run,
};
