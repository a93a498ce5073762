#include "settlement/own_sites.h"

#include "core/math.h"

#include <math.h>
#include <string.h>

int own_level(const Settlement *settlement, const OwnPlace *place) {
    const bool all = settlement->map->places->others == OTHERS_ALL;
    int level = 0;
    while (level + 1 < settlement->levels &&
           (ldexp(place->apart, settlement->first_bits + level) * SQUARE < RADIUS ||
            (all && place->population <= village_people(level_population(settlement, level + 1)))))
        level++;
    return level;
}

static int own_index(Int128 at, int bits) {
    const Int128 pixel = at >> (PLACE_BITS - bits), last = ((Int128)1 << bits) - 1;
    return (int)min(pixel, last);
}

void own_pixel(const OwnPlace *place, int bits, int *x, int *y) {
    *x = own_index(place->x, bits);
    *y = own_index(place->y, bits);
}

void find_own_pixel(const Grid *grid, const OwnPlace *place, int *x, int *y) {
    own_pixel(place, grid->bits, x, y);
    const int own_x = *x, own_y = *y;
    int nearest = box_holds(&grid->box, own_x, own_y) && !grid_is_wet(grid, grid_index(grid, own_x, own_y))
                      ? 0
                      : OWN_MOVE * OWN_MOVE + 1;
    for (int j = -OWN_MOVE; j <= OWN_MOVE && nearest > 0; j++)
        for (int i = -OWN_MOVE; i <= OWN_MOVE; i++)
            if (i * i + j * j < nearest && box_holds(&grid->box, own_x + i, own_y + j) &&
                is_on_own_face(grid, own_x + i, own_y + j) &&
                !grid_is_wet(grid, grid_index(grid, own_x + i, own_y + j))) {
                nearest = i * i + j * j;
                *x = own_x + i;
                *y = own_y + j;
            }
}

// Where it is among the sites of a level's grid, in pixels.
static Vec3 own_middle(const Settlement *settlement, const OwnPlace *place, int bits) {
    int x, y;
    if (settlement->map->tiling->planet)
        return (Vec3){ ldexp(place->at.x, bits), ldexp(place->at.y, bits), ldexp(place->at.z, bits) };
    own_pixel(place, bits, &x, &y);
    return (Vec3){ x, y, 0 };
}

bool is_near_own(const Settlement *settlement, const Site *site) {
    const OwnPlaces *own = settlement->map->places;
    for (int i = 0; own && i < own->count; i++) {
        enum { NEAREST = 4 };
        const Vec3 at = own_middle(settlement, &own->at[i], level_bits(settlement, site->level));
        const double apart = squared_distance(at, site->at);
        if (apart >= RADIUS * RADIUS)
            continue;
        const int finer = max(own_level(settlement, &own->at[i]) - site->level, 0),
                  radius = max(RADIUS >> min(finer, 8), (int)NEAREST);
        if (apart < radius * radius)
            return true;
    }
    return false;
}

bool is_own_name(const Settlement *settlement, const char *name) {
    const OwnPlaces *own = settlement->map->places;
    for (int i = 0; own && i < own->count; i++)
        if (own->at[i].name && strcmp(own_text(own, own->at[i].name), name) == 0)
            return true;
    return false;
}
