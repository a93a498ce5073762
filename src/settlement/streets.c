#include "settlement/streets.h"

#include "core/math.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/whole.h"
#include "rivermap/eroded/eroded.h"
#include "settlement/roads.h"
#include "settlement/window.h"

#include <math.h>

enum { STREET_STREAM = 97 };

#define QUARTER 700.0   // metres: the side of a quarter's square
#define ORIENTED 1000.0 // metres from its middle to the artery that its blocks face
#define RIBBON 260.0    // metres from an artery within which ground is sooner built on
#define SEEN 400.0      // a wider pixel shows no artery
#define BLOCK 80.0      // metres: about the side of one between streets
#define STREET 4.0      // metres on either side of a block's edge
#define STREETS 0.12f   // their share of the ground, where blocks are not to be seen
#define AVENUE 7.0      // and of a quarter's
#define HOUSE 15.0      // metres: about the side of a house's plot
#define HALL 60.0       // and of a hall's, in industry

void streets_free(Streets *streets) {
    memory_free(streets->quarters);
    memory_free(streets->arteries);
    memory_free(streets->of);
    *streets = (Streets){ 0 };
}

// How far something so wide is to be seen on pixels.
static float seen_on(double pixel, double wide) {
    return (float)clamp(1.5 - 2.5 * pixel / wide, 0, 1);
}

// --- arteries ----------------------------------------------------------------------------------------------

typedef struct Paving {
    const Settlement *settlement;
    Streets *streets;
    double left, top, right, bottom; // of what is wanted, metres
} Paving;

static Status add_artery(Streets *streets, Artery artery, Error *error) {
    if (streets->count == streets->room) {
        const int room = 2 * streets->room + 256;
        Artery *at =
            memory_enlarge(streets->arteries, (size_t)streets->count, (size_t)room, sizeof *at, error);
        if (!at)
            return STATUS_MEMORY;
        streets->arteries = at;
        streets->room = room;
    }
    streets->arteries[streets->count++] = artery;
    return STATUS_OK;
}

static float half_of(const Settlement *settlement, int level) {
    const double square = square_metres(settlement, level);
    return square > 90e3 ? 16 : square > 20e3 ? 12 : 7;
}

static Status pave(void *context, const Grids *grids, const Network *network, Error *error) {
    const Paving *paving = context;
    const double pixel = paving->settlement->side * ldexp(1, -grids->bits);
    Status status = STATUS_OK;
    for (int i = 0; i < network->count; i++) {
        const Stretch *stretch = &network->at[i];
        const RoadPoint *points = network->points + stretch->first;
        for (int k = 1; k < stretch->count && status == STATUS_OK; k++) {
            const Vec2 from = points[k - 1].at, to = points[k].at;
            const Artery artery = { from.x * pixel, from.y * pixel, to.x * pixel, to.y * pixel,
                                    half_of(paving->settlement, stretch->level) };
            if (max(artery.x, artery.to_x) >= paving->left && min(artery.x, artery.to_x) <= paving->right &&
                max(artery.y, artery.to_y) >= paving->top && min(artery.y, artery.to_y) <= paving->bottom)
                status = add_artery(paving->streets, artery, error);
        }
    }
    return status;
}

static Status find_arteries(Streets *streets, const RiverMap *map, const Int128 corners[4], double pixels,
                            double reach, const Run *run, Error *error) {
    const SettlementRules rules = { LARGEST_PLACE, SMALLEST_PLACE, PORTS_WORTH };
    Settlement settlement;
    Status status = settlement_open(&settlement, map, &rules, run, error);
    if (status != STATUS_OK)
        return status;
    const int level = settlement_level(&settlement, pixels, SPACING),
              bits = max(level_bits(&settlement, max(level, 0)),
                         min(log2_above(pixels), settlement_last_bits(&settlement)));
    const Int128 side = (Int128)1 << PLACE_BITS,
                 more = whole_128(floor(ldexp(reach / streets->length, PLACE_BITS)));
    Region region = { .axes = NULL };
    for (int i = 0; i < 4; i++)
        region.corners[0][i] = i < 2 ? max(corners[i] - more, 0) : min(corners[i] + more, side);
    const double metres = ldexp(streets->length, -PLACE_BITS);
    Paving paving = { &settlement,
                      streets,
                      (double)corners[0] * metres - reach,
                      (double)corners[1] * metres - reach,
                      (double)corners[2] * metres + reach,
                      (double)corners[3] * metres + reach };
    return find_roads(&settlement, &region, level, bits, false, pave, &paving, error);
}

static int band_of(const Streets *streets, double y) {
    return index_within((y - streets->top) / streets->band, STREET_BANDS);
}

// Arteries that reach a row are in its band.
static Status sort_into_bands(Streets *streets, const Int128 corners[4], Error *error) {
    const double metres = ldexp(streets->length, -PLACE_BITS);
    int counts[STREET_BANDS] = { 0 };
    streets->top = (double)corners[1] * metres;
    streets->band = max(((double)corners[3] * metres - streets->top) / STREET_BANDS, 1e-3);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < streets->count; i++) {
            const Artery *artery = &streets->arteries[i];
            const int last = band_of(streets, max(artery->y, artery->to_y) + RIBBON);
            for (int b = band_of(streets, min(artery->y, artery->to_y) - RIBBON); b <= last; b++) {
                if (pass == 1)
                    streets->of[streets->first[b] + counts[b]] = i;
                counts[b]++;
            }
        }
        for (int b = 0; b < STREET_BANDS && pass == 0; b++) {
            streets->first[b + 1] = streets->first[b] + counts[b];
            counts[b] = 0;
        }
        if (pass == 0)
            streets->of = memory_new((size_t)streets->first[STREET_BANDS] + 1, sizeof *streets->of, error);
        if (!streets->of)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

// How far a place is from an artery, squared, and where on it is nearest.
static double squared_to(const Artery *artery, double x, double y, Vec2 *nearest) {
    const double along_x = artery->to_x - artery->x, along_y = artery->to_y - artery->y,
                 squared = along_x * along_x + along_y * along_y;
    const double share =
        squared > 0 ? clamp(((x - artery->x) * along_x + (y - artery->y) * along_y) / squared, 0, 1) : 0;
    *nearest = (Vec2){ artery->x + share * along_x, artery->y + share * along_y };
    const double off_x = x - nearest->x, off_y = y - nearest->y;
    return off_x * off_x + off_y * off_y;
}

void streets_row(const Streets *streets, const Vec3 *places, int count, NearArtery *near) {
    for (int i = 0; i < count; i++)
        near[i] = (NearArtery){ STREETS_FAR, 0 };
    if (streets->count == 0)
        return;
    const double length = streets->length, y = places->y * length, left = places->x * length,
                 step = count > 1 ? (places[count - 1].x * length - left) / (count - 1) : 1;
    const int band = band_of(streets, y);
    for (int k = streets->first[band]; k < streets->first[band + 1]; k++) {
        const Artery *artery = &streets->arteries[streets->of[k]];
        const double from_x = min(artery->x, artery->to_x) - RIBBON,
                     to_x = max(artery->x, artery->to_x) + RIBBON;
        if (y < min(artery->y, artery->to_y) - RIBBON || y > max(artery->y, artery->to_y) + RIBBON ||
            to_x < left || from_x > left + step * (count - 1))
            continue;
        const int from = index_within((from_x - left) / step - 1, count),
                  to = index_within((to_x - left) / step + 2, count);
        for (int i = from; i <= to; i++) {
            Vec2 nearest;
            const float distance = (float)sqrt(squared_to(artery, places[i].x * length, y, &nearest));
            if (distance < near[i].distance || (distance == near[i].distance && artery->half > near[i].half))
                near[i] = (NearArtery){ distance, artery->half };
        }
    }
}

// --- quarters ----------------------------------------------------------------------------------------------

// Numbers of a quarter at random, 0 to 1.
static double number_of(const Streets *streets, int x, int y, uint32_t which) {
    return (double)random_unit(streets->key, (uint32_t)x + (which << 26), (uint32_t)y);
}

static Vec2 middle_of(const Streets *streets, int x, int y) {
    return (Vec2){ QUARTER * (x + 0.2 + 0.6 * number_of(streets, x, y, 0)),
                   QUARTER * (y + 0.2 + 0.6 * number_of(streets, x, y, 1)) };
}

// Along the nearest artery, and from there; where none is near, in any direction.
static void set_direction(const Streets *streets, Quarter *quarter, int x, int y) {
    double nearest = ORIENTED * ORIENTED;
    const double angle = PI * number_of(streets, x, y, 4);
    quarter->along_x = cosine(angle);
    quarter->along_y = sine(angle);
    quarter->from_x = quarter->x;
    quarter->from_y = quarter->y;
    for (int i = 0; i < streets->count; i++) {
        const Artery *artery = &streets->arteries[i];
        Vec2 at;
        const double squared = squared_to(artery, quarter->x, quarter->y, &at),
                     along_x = artery->to_x - artery->x, along_y = artery->to_y - artery->y,
                     long_ = sqrt(along_x * along_x + along_y * along_y);
        const bool first =
            squared == nearest && (at.x != quarter->from_x ? at.x < quarter->from_x : at.y < quarter->from_y);
        if (!(squared < nearest || first) || !(long_ > 0))
            continue;
        nearest = squared;
        quarter->from_x = at.x;
        quarter->from_y = at.y;
        quarter->along_x = along_x / long_;
        quarter->along_y = along_y / long_;
    }
}

static void find_quarter(const Streets *streets, const Built *built, int x, int y, Quarter *quarter) {
    const Vec2 middle = middle_of(streets, x, y);
    const Vec3 place = { middle.x / streets->length, middle.y / streets->length, 0 };
    *quarter = (Quarter){ .x = middle.x,
                          .y = middle.y,
                          .chance = (float)number_of(streets, x, y, 2),
                          .use = (float)(0.5 * number_of(streets, x, y, 3) +
                                         0.5 * number_of(streets, x >> 2, y >> 2, 7)) };
    built_row(built, &place, 1, &quarter->built);
    const double form = number_of(streets, x, y, 5);
    quarter->length = BLOCK * (0.9 + 1.1 * form);
    quarter->depth = BLOCK * (0.75 + 0.35 * number_of(streets, x, y, 6));
    quarter->lag = form > 0.6 ? 0.31 * quarter->length : 0;
}

typedef struct Parting {
    Streets *streets;
    const Built *built;
    bool oriented;
} Parting;

static void find_quarter_rows(void *context, int first, int end) {
    const Parting *parting = context;
    Streets *streets = parting->streets;
    for (int row = first; row < end; row++)
        for (int column = 0; column < streets->width; column++) {
            const int x = streets->x + column, y = streets->y + row;
            Quarter *quarter = &streets->quarters[(size_t)row * (size_t)streets->width + (size_t)column];
            find_quarter(streets, parting->built, x, y, quarter);
            if (parting->oriented && quarter->built.growth < BUILT_NOWHERE)
                set_direction(streets, quarter, x, y);
        }
}

static Status find_quarters(Streets *streets, const Built *built, const Int128 corners[4], bool oriented,
                            const Run *run, Error *error) {
    const double squares = ldexp(streets->length / QUARTER, -PLACE_BITS);
    streets->x = whole_int(floor((double)corners[0] * squares)) - 1;
    streets->y = whole_int(floor((double)corners[1] * squares)) - 1;
    streets->width = whole_int(floor((double)corners[2] * squares)) + 2 - streets->x;
    streets->height = whole_int(floor((double)corners[3] * squares)) + 2 - streets->y;
    streets->quarters = memory_new_cells(streets->width, streets->height, sizeof *streets->quarters, error);
    if (!streets->quarters)
        return STATUS_MEMORY;
    Parting parting = { streets, built, oriented };
    return parallel_rows(run, streets->height, streets->width * (200.0 + (oriented ? 5 : 0) * streets->count),
                         find_quarter_rows, &parting);
}

Status streets_find_arteries(Streets *streets, const RiverMap *map, const Int128 corners[4], double pixels,
                             const Run *run, Error *error) {
    const double pixel = map->metres / pixels;
    streets->length = map->metres;
    if (map->tiling->planet || !(pixel < SEEN))
        return STATUS_OK;
    const double reach = seen_on(pixel, BLOCK) > 0 ? 2 * ORIENTED : RIBBON;
    return find_arteries(streets, map, corners, pixels, reach, run, error);
}

Status streets_find(Streets *streets, const RiverMap *map, const Built *built, const Int128 corners[4],
                    double pixels, const Run *run, Error *error) {
    const double pixel = map->metres / pixels;
    if (built->count == 0) {
        streets_free(streets);
        return STATUS_OK;
    }
    streets->key = random_key(eroded_of(map)->rules.seed, STREET_STREAM);
    Status status = STATUS_OK;
    if (streets->count > 0)
        status = sort_into_bands(streets, corners, error);
    if (status == STATUS_OK && seen_on(pixel, QUARTER) > 0)
        status = find_quarters(streets, built, corners, seen_on(pixel, BLOCK) > 0, run, error);
    return status;
}

// --- of pixels ---------------------------------------------------------------------------------------------

// The quarter of a place, and how far it is from there to the next one, metres.
static const Quarter *quarter_at(const Streets *streets, double x, double y, double *edge, uint32_t *number) {
    const int column = whole_int(floor(x / QUARTER)) - streets->x,
              row = whole_int(floor(y / QUARTER)) - streets->y;
    const Quarter *best = NULL, *second = NULL;
    double nearest = INFINITY, next = INFINITY;
    for (int j = max(row - 1, 0); j <= min(row + 1, streets->height - 1); j++)
        for (int i = max(column - 1, 0); i <= min(column + 1, streets->width - 1); i++) {
            const Quarter *quarter = &streets->quarters[(size_t)j * (size_t)streets->width + (size_t)i];
            const double off_x = x - quarter->x, off_y = y - quarter->y,
                         squared = off_x * off_x + off_y * off_y;
            if (squared < nearest) {
                second = best;
                next = nearest;
                best = quarter;
                nearest = squared;
                *number = (uint32_t)(streets->x + i) * 7919U + (uint32_t)(streets->y + j) * 104729U;
            } else if (squared < next) {
                second = quarter;
                next = squared;
            }
        }
    *edge = INFINITY;
    if (best && second) {
        const double off_x = second->x - best->x, off_y = second->y - best->y;
        *edge = (next - nearest) / (2 * sqrt(off_x * off_x + off_y * off_y));
    }
    return best;
}

// The share of a pixel that a street covers, so far from its middle.
static float street_share(double distance, double half, double pixel) {
    return (float)clamp((half + pixel / 2 - distance) / pixel, 0, min(2 * half / pixel, 1));
}

// Blocks in rows along the artery, with houses side by side.
static void set_block(const Streets *streets, const Quarter *quarter, uint32_t number, double x, double y,
                      double edge, double pixel, Town *town) {
    const double off_x = x - quarter->from_x, off_y = y - quarter->from_y,
                 larger = town->industry > 0.5f ? 2 : 1, depth = larger * quarter->depth,
                 length = larger * quarter->length;
    const double across = (off_y * quarter->along_x - off_x * quarter->along_y) / depth, row = floor(across),
                 along = (off_x * quarter->along_x + off_y * quarter->along_y + row * quarter->lag) / length,
                 column = floor(along);
    const double beside =
        min(min(along - column, column + 1 - along) * length, min(across - row, row + 1 - across) * depth);
    const RandomKey key = { streets->key.first + number, streets->key.second };
    town->block = random_unit(key, (uint32_t)whole_64(column), (uint32_t)whole_64(row));
    town->street = street_share(beside, STREET, pixel);
    town->artery = max(town->artery, 0.45f * town->quarters * street_share(edge, AVENUE, pixel));
    if (!(town->houses > 0))
        return;
    const double plot = town->industry > 0.5f ? HALL : HOUSE, plots_along = max(floor(length / plot), 1),
                 plots_across = max(floor(depth / plot), 1), u = (along - column) * plots_along,
                 v = (across - row) * plots_across;
    const double wall = plot * min(min(u - floor(u), floor(u) + 1 - u), min(v - floor(v), floor(v) + 1 - v));
    town->roof = random_unit(key, (uint32_t)whole_64(column * plots_along + floor(u)) + (1U << 20),
                             (uint32_t)whole_64(row * plots_across + floor(v)));
    town->yard = (float)clamp((plot / 6 + pixel / 2 - wall) / pixel, 0, 1);
}

// Some quarters are green, some are industry: few in the middle, and several together.
static void set_use(const Quarter *quarter, float seen, Town *town) {
    const float city = clamp(2 * quarter->built.city - 0.6f, 0, 1),
                outer = clamp((quarter->built.growth - 0.06f) / 0.3f, 0, 1);
    town->industry += seen * ((quarter->use > 1 - 0.27f * city * outer ? 1.0f : 0.0f) - town->industry);
    town->open += seen * ((quarter->use < 0.1f + 0.17f * city * outer ? 1.0f : 0.0f) - town->open);
}

Town streets_town(const Streets *streets, Vec3 place, const BuiltPixel *built, const NearArtery *artery,
                  float noise, double pixel) {
    Town town = { .growth = built->growth, .close = built->close, .city = built->city, .noise = noise };
    if (!(town.growth < BUILT_NOWHERE))
        return town;
    const double x = place.x * streets->length, y = place.y * streets->length;
    town.in_town = true;
    town.street = STREETS;
    town.industry = 0.08f * built->city;
    town.open = 0.08f * built->city;
    if (artery->distance < STREETS_FAR) {
        const float near = clamp(1 - artery->distance / (float)RIBBON, 0, 1);
        town.ribbon = near * near * (0.4f + 0.04f * artery->half) * (float)min(RIBBON / pixel, 1);
        town.artery = street_share((double)artery->distance, (double)artery->half, pixel);
    }
    if (!streets->quarters)
        return town;
    double edge;
    uint32_t number = 0;
    const Quarter *quarter = quarter_at(streets, x, y, &edge, &number);
    const float seen = quarter ? seen_on(pixel, QUARTER) * clamp(4 * quarter->built.city - 1, 0, 1) : 0;
    if (!quarter)
        return town;
    town.quarters = seen;
    town.growth += 0.8f * seen * (min(quarter->built.growth, BUILT_NOWHERE) - town.growth);
    town.chance = quarter->chance;
    set_use(quarter, seen, &town);
    town.blocks = seen_on(pixel, BLOCK);
    town.houses = seen_on(pixel, HOUSE);
    if (town.blocks > 0)
        set_block(streets, quarter, number, x, y, edge, pixel, &town);
    return town;
}
