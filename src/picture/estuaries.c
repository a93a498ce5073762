#include "picture/estuaries.h"

#include "core/frame.h"

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

enum { BODY = 3 }; // cells

// Whether all cells around have some of a river: narrow ones, though several meet, leave gaps.
static bool in_body(const RiversAround *around, int x, int y) {
    if (!(river_at(around, x, y) > 0))
        return false;
    for (int dy = -BODY; dy <= BODY; dy++)
        for (int dx = -BODY; dx <= BODY; dx++)
            if (!(river_at(around, x + dx, y + dy) > 0))
                return false;
    return true;
}

// Whether a bank's cell is at such a body.
static bool beside_body(const RiversAround *around, int x, int y) {
    const int far = BODY + 1;
    for (int dy = -far; dy <= far; dy += far)
        for (int dx = -far; dx <= far; dx += far)
            if (in_body(around, x + dx, y + dy))
                return true;
    return false;
}

float share_in_estuary(const RiversAround *around, int x, int y, float *cover) {
    float share = 1;
    if (*cover >= 1)
        return share;
    if (in_body(around, x, y))
        share = *cover;
    else if (beside_body(around, x, y))
        share = min(widest_around(around, x, y, 2), 1);
    *cover /= share;
    return share;
}
