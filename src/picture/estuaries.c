#include "picture/estuaries.h"

#include "core/frame.h"
#include "core/math.h"

#include <math.h>

// Faint shares in all of the land are no water but anything else that is drawn as rivers, such as flow.
#define FAINT 0.1f

static bool are_shares_of_water(const Field *height, const Field *rivers, double sea) {
    float least = 1;
    for (size_t i = 0; i < field_count(rivers); i++)
        least = (double)height->cells[i] >= sea ? min(least, rivers->cells[i]) : least;
    return !(least > 0 && least < FAINT);
}

bool may_have_estuaries(const Field *height, const Field *rivers, double sea, bool is_part) {
    return rivers && frame_top(&height->frame) > 0 && (is_part || are_shares_of_water(height, rivers, sea));
}

enum { BODY = 3, BODY_MAX = 256 }; // cells, the latter at most where the map stretches them

typedef struct Reach {
    int across, along;
} Reach;

// The cells around row y that reach as far over the ground as `cells` do where the map is not stretched.
static Reach reach_of(const RiversAround *around, int cells, int y) {
    const Stretch stretch = planet_stretch(around->planet, y);
    return (Reach){ whole_within(ceil(cells * stretch.across), cells, BODY_MAX),
                    whole_within(ceil(cells * stretch.along), cells, BODY_MAX) };
}

// Where a block of cells around one lies in a picture, whose border no river widens.
static int middle_of_block(int cell, int reach, int count, bool wraps) {
    return wraps || count <= 2 * reach ? cell : clamp(cell, reach, count - 1 - reach);
}

// Whether all cells around hold shares of a river's water, and none a width: narrow rivers leave gaps even
// where several meet, unless a wide one is there.
static bool in_body(const RiversAround *around, int x, int y) {
    const float own = river_at(around, x, y);
    if (!(own > 0 && own <= 1))
        return false;
    const Reach reach = reach_of(around, BODY, y);
    const int column = middle_of_block(x, reach.across, around->rivers->width, around->across_wraps),
              row = middle_of_block(y, reach.along, around->rivers->height, around->along_wraps);
    for (int dy = -reach.along; dy <= reach.along; dy++)
        for (int dx = -reach.across; dx <= reach.across; dx++) {
            const float share = river_at(around, column + dx, row + dy);
            if (!(share > 0 && share <= 1))
                return false;
        }
    return true;
}

// Whether a bank's cell is at such a body.
static bool beside_body(const RiversAround *around, int x, int y) {
    const Reach far = reach_of(around, BODY + 1, y);
    for (int dy = -far.along; dy <= far.along; dy += far.along)
        for (int dx = -far.across; dx <= far.across; dx += far.across)
            if (in_body(around, x + dx, y + dy))
                return true;
    return false;
}

float share_in_estuary(const RiversAround *around, int x, int y, float *cover) {
    if (*cover > 1)
        return -1;
    const bool inside = in_body(around, x, y);
    if (!inside && !beside_body(around, x, y))
        return -1;
    const float share = inside ? *cover : min(widest_around(around, x, y, 2), 1);
    *cover /= share;
    return share;
}
