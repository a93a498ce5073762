#include "settlement/farms.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/whole.h"
#include "settlement/window.h"

#include <math.h>

enum { FARM_PIXELS = 5 };  // the radius, on the grid of the place's level
#define NEAR_OF_LEVEL 0.1f // the mean of a level's nearness

void farms_free(Farms *farms) {
    memory_free(farms->at);
    *farms = (Farms){ 0 };
}

typedef struct Gathering {
    const Settlement *settlement;
    const Region *region;
    Farms *farms; // NULL: not wanted
    Built *built; // the same
} Gathering;

// Takes the places of the grid's own level, as far as they are right.
static Status gather_farms(const Gathering *gathering, const Grid *grid, const Sites *sites, Error *error) {
    Farms *farms = gathering->farms;
    const double pixel = ldexp(1, -grid->bits);
    const GridBox right = region_box(gathering->region, grid->bits, 0, FARM_PIXELS + 1);
    if (sites->count > farms->room - farms->count) {
        const int room = farms->count + sites->count;
        Farm *at = memory_enlarge(farms->at, (size_t)farms->count, (size_t)room, sizeof *at, error);
        if (!at)
            return STATUS_MEMORY;
        farms->at = at;
        farms->room = room;
    }
    for (int i = 0; i < sites->count; i++) {
        const Site *site = &sites->at[i];
        if (level_bits(gathering->settlement, site->level) == grid->bits &&
            box_holds(&right, site->x, site->y))
            farms->at[farms->count++] =
                (Farm){ (site->x + 0.5) * pixel, (site->y + 0.5) * pixel, FARM_PIXELS * pixel };
    }
    return STATUS_OK;
}

static Status gather(void *context, const Grids *grids, const Sites *sites, Error *error) {
    const Gathering *gathering = context;
    const Grid *grid = &grids->on[0];
    Status status = STATUS_OK;
    if (gathering->farms)
        status = gather_farms(gathering, grid, sites, error);
    return status == STATUS_OK && gathering->built
               ? built_add(gathering->built, gathering->settlement, grid, sites, gathering->region, error)
               : status;
}

Status farms_find(Farms *farms, Built *built, const RiverMap *map, const Int128 corners[4], double pixels,
                  const Run *run, Error *error) {
    const SettlementRules rules = { LARGEST_PLACE, SMALLEST_PLACE, PORTS_WORTH };
    Settlement settlement;
    if (map->tiling->planet || (!farms && !built))
        return STATUS_OK;
    Status status = settlement_open(&settlement, map, &rules, run, error);
    if (status != STATUS_OK)
        return status;
    // Of the last level's towns the grid has no finer pixels than the window.
    const int with_farms = farms ? settlement_level(&settlement, pixels, SPACING) : -1,
              with_ground = built ? settlement_level(&settlement, pixels, SQUARE << BUILT_BITS) : -1,
              level = max(with_farms, with_ground);
    if (level < 0)
        return STATUS_OK;
    GridMargins margins = { { 0 } };
    for (int i = 0; i <= with_farms; i++)
        margins.at[level_bits(&settlement, i)] = FARM_PIXELS + 1;
    for (int i = 0; i <= with_ground; i++)
        margins.at[level_bits(&settlement, i) + BUILT_BITS] = BUILT_REACH + 1;
    const int last = max(level_bits(&settlement, level),
                         with_ground < 0 ? 0 : level_bits(&settlement, with_ground) + BUILT_BITS);
    Region region = { .axes = NULL };
    for (int i = 0; i < 4; i++)
        region.corners[0][i] = corners[i];
    Gathering gathering = { &settlement, &region, farms, built };
    Sites sites = { 0 };
    status = find_sites(&settlement, &region, level, last, &margins, gather, &gathering, &sites, error);
    sites_free(&sites);
    for (int i = 0; i <= with_farms; i++)
        farms->mean += NEAR_OF_LEVEL * (1 - farms->mean);
    return status;
}

void farms_near(const Farms *farms, const Vec3 *places, int count, float *near) {
    const double first = places[0].x, step = count > 1 ? (places[count - 1].x - first) / (count - 1) : 1;
    for (int i = 0; i < count; i++)
        near[i] = 0;
    for (int k = 0; k < farms->count; k++) {
        const Farm *farm = &farms->at[k];
        const double down = (places->y - farm->y) / farm->radius, left = 1 - down * down;
        if (!(left > 0))
            continue;
        const int from = index_within((farm->x - farm->radius - first) / step - 1, count),
                  to = index_within((farm->x + farm->radius - first) / step + 2, count);
        for (int i = from; i <= to; i++) {
            const double across = (places[i].x - farm->x) / farm->radius;
            const float inside = max((float)(left - across * across), 0);
            near[i] = max(near[i], inside * inside);
        }
    }
}
