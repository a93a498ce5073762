#include "picture/estuaries.h"

#include "core/frame.h"

#include <math.h>

// Shares in all of the land are no widths but anything else that is drawn as rivers, such as flow.
static bool any_dry_land(const Field *height, const Field *rivers, double sea) {
    for (size_t i = 0; i < field_count(rivers); i++)
        if ((double)height->cells[i] >= sea && !(rivers->cells[i] > 0))
            return true;
    return false;
}

bool may_have_estuaries(const Field *height, const Field *rivers, double sea, bool is_part) {
    return rivers && (frame_is_of_map(&height->frame) || height->frame.true_slopes) &&
           (is_part || any_dry_land(height, rivers, sea));
}

enum { BODY = 3, BODY_ACROSS = 256 }; // cells, the latter at most where the map stretches them

// The cells of row y that are as long as `cells` are high.
static int cells_across(const RiversAround *around, int cells, int y) {
    return whole_within(ceil(cells * planet_stretch(around->planet, y)), cells, BODY_ACROSS);
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
    const int across = cells_across(around, BODY, y);
    const int middle = middle_of_block(x, across, around->rivers->width, around->across_wraps),
              row = middle_of_block(y, BODY, around->rivers->height, around->along_wraps);
    for (int dy = -BODY; dy <= BODY; dy++)
        for (int dx = -across; dx <= across; dx++) {
            const float share = river_at(around, middle + dx, row + dy);
            if (!(share > 0 && share <= 1))
                return false;
        }
    return true;
}

// Whether a bank's cell is at such a body.
static bool beside_body(const RiversAround *around, int x, int y) {
    const int far = BODY + 1, across = cells_across(around, far, y);
    for (int dy = -far; dy <= far; dy += far)
        for (int dx = -across; dx <= across; dx += across)
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
