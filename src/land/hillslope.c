// Ground below the hillslope length: the rates of a level, and the concave foot of slopes beside streams.
//
// Streams begin where the square of the hillslope length drains. A level on which this is more than T cells
// begins no streams, but inherits those of the coarser one. On the first such levels water still cuts
// gullies. The spline between levels makes crests convex. At the foot of slopes each level keeps a constant
// share of the height, in cells ever closer to the stream, so height grows with a power of the distance above
// 1: the foot is concave.

#include "land/hillslope.h"

#include "land/edits.h"
#include "land/level.h"

#include "core/math.h"

#include <math.h>
#include <string.h>

#define RILLS 0.4f      // of erosion that is left far below it: rough ground gets rills
#define RILLS_LESS 0.2f // erosion decreases by this on each level until then: gullies on hillslopes
#define CREEP 0.2f      // diffusion at the hillslope length, which rounds crests
#define CREEP_LEFT 0.1f // share of it far below
#define FOOT_LEFT 0.4f  // share of the height above the stream that cells at the foot keep on soil
#define BANK_LEFT 0.6f  // the same where streams begin: valleys are less V-shaped
#define BANK_LEVELS                                                                                          \
    6 // from twice this level on banks keep all: without soil, rivers would lose their valleys

// From this level on land sinks by less than 1/400 of a cell of level 0; uplift would steepen its slopes.
enum { REBOUND_END = 8 };

enum { TABLE_LEVELS = 3 }; // every third one has layers of its own

// The last graded ones. Not with hard strata, whose cliffs would become round, and not with a guide, whose
// hills would.
enum { CREEPING_LEVELS = 4 };

static bool creeps(const LandRules *rules, int level) {
    return level <= rules->graded && level > rules->graded - CREEPING_LEVELS && rules->hardness <= 0 &&
           !rules->guided;
}

// Soil is smooth, without deep pits or new streams, so fewer steps are needed. On its first levels gullies
// leave wide hollows on plains: they are filled as above it.
enum { SOIL_FIRST_FILL = 8, SOIL_LAST_FILL = 4, DEEP_SOIL_EROSIONS = 4, GULLIED_LEVELS = 3 };

Hillslope hillslope_of(const LandRules *rules, int level) {
    const float cells = (float)STREAM_CELLS;
    const float length = ldexpf(rules->hillslope, min(level, 50)), area = length * length;
    Hillslope made = { .stream_area = cells,
                       .water = 1,
                       .rounding = rules->rounding,
                       .first_fill = FIRST_FILL,
                       .erosions = EROSIONS,
                       .last_fill = rules->hardness > 0 || level <= rules->graded ? HARD_FILL : LAST_FILL,
                       .creeps = creeps(rules, level),
                       .deposits = rules->deposition > 0 && level <= rules->graded,
                       .lakes = rules->lakes > 0,
                       .small_lakes = rules->lakes > 0 && rules->hardness <= 0 && level <= rules->graded,
                       .watered = rules->watered,
                       .tables = rules->hardness > 0 && level % TABLE_LEVELS == 0,
                       .rebound = rules->guided ? clamp((float)(REBOUND_END - level) / 4, 0.0f, 1.0f) : 0 };
    made.last_fill = made.creeps && level == rules->graded ? LONG_FILL : made.last_fill;
    if (!(area > cells)) {
        edits_count(rules->edits, level, &made);
        return made;
    }
    const float share = cells / area, rills = 1 - RILLS_LESS * (float)(level - rules->graded - 1);
    const float creep = CREEP_LEFT + (1 - CREEP_LEFT) * sqrtf(min(4 * share, 1.0f));
    made.soil = true;
    made.stream_area = min(area, AREA_MAX);
    made.water = max(rills, RILLS);
    made.rounding += max(CREEP - rules->rounding, 0.0f) * creep;
    made.first_fill = SOIL_FIRST_FILL;
    made.erosions = share < 1 / 300.0f ? DEEP_SOIL_EROSIONS : EROSIONS;
    made.smooth = level > rules->graded + GULLIED_LEVELS;
    made.last_fill = made.smooth ? SOIL_LAST_FILL : HARD_FILL;
    made.creeps = false;
    made.deposits = false;
    made.tables = false;
    made.small_lakes = false;
    edits_count(rules->edits, level, &made);
    return made;
}

int margin_of(const Hillslope *form) {
    const int fewer = FIRST_FILL - form->first_fill + EROSIONS - form->erosions + LONG_FILL - form->last_fill;
    const int laid = form->deposits ? 0 : FALL_REACH + DEPOSIT_REACH + MOUTH_REACH + DELTA_REACH + 1;
    return MARGIN - fewer - laid - (form->rebound > 0 ? 0 : REBOUNDS) - (form->tables ? 0 : WALLS) -
           (form->soil ? PEELINGS + GAINS : 0) - (form->watered ? 0 : PASS_REACH + 1) -
           (form->lakes ? 0 : SHORE_REACH + 2) - (form->small_lakes ? 0 : SMALL_LAKE_REACH) -
           (form->lowers ? 0 : LOWERINGS) + form->deltas +
           (form->edits
                ? form->rises + form->fills + form->basins + form->bowls + (form->canals ? CANAL_REACH : 0)
                : 0);
}

// What the steps up to those that raise ground have shrunk the region by, at most, with craters.
int margin_before_edits(const Hillslope *form) {
    const int laid = form->deposits ? FALL_REACH + DEPOSIT_REACH + MOUTH_REACH + DELTA_REACH + 1 : 0;
    return INHERIT_REACH + DRYINGS + STRAIGHTEN_REACH + EVENINGS + SINKINGS * SINK_REACH + form->first_fill +
           FOOT_REACH + laid + form->erosions * EROSION_REACH + (form->rebound > 0 ? REBOUNDS : 0) +
           (form->tables ? WALLS : 0) + (form->lakes ? SHORE_REACH + 1 : 0) +
           (form->canals ? CANAL_REACH : 0) + form->bowls + form->deltas;
}

// The altitude of a stream beside free ground, if there is one. Where streams begin, ground that falls again
// beyond keeps its height: it parts the stream from lower land, to which its water would run.
KERNEL_INLINE int32_t stream_beside(const int32_t *z, const uint8_t *receiver, ptrdiff_t towards,
                                    bool parts) {
    const bool runs = receiver[towards] < NEIGHBOURS, falls = difference(z[-towards], z[0]) < 0;
    const int32_t stream = (parts & falls) ? HIGHEST : z[towards];
    return runs ? stream : -HIGHEST;
}

// Lowers free ground above the unit over the highest stream beside it to a share of its height over that; all
// else is copied.
KERNEL static void lower_ground(const int32_t *restrict z, const uint8_t *restrict receiver, ptrdiff_t stride,
                                bool parts, float left, int count, int32_t *restrict lowered) {
    for (int i = 0; i < count; i++) {
        int32_t highest = -HIGHEST;
        for (int side = 0; side < NEIGHBOURS / 2; side++) {
            const ptrdiff_t towards = neighbour_y[side] * stride + neighbour_x[side];
            const int32_t one = stream_beside(z + i, receiver + i, towards, parts),
                          other = stream_beside(z + i, receiver + i, -towards, parts);
            highest = max(highest, one);
            highest = max(highest, other);
        }
        const bool beside = (highest > -HIGHEST) & (highest < HIGHEST);
        const int32_t foot = sum(highest, 1), above = difference(z[i], foot);
        const int32_t low = sum(foot, whole_int((float)above * left));
        lowered[i] = (beside & (above > 0) & (receiver[i] == LAND_NONE)) ? low : z[i];
    }
}

static void foot_row(const Level *level, int y, int first, int end) {
    const size_t start = (size_t)y * (size_t)level->width;
    const Columns near = columns_by_streams(level, y, FOOT_REACH, first, end);
    const float fading = clamp((float)(level->number - BANK_LEVELS) / BANK_LEVELS, 0.0f, 1.0f);
    const float left = level->hillslope.soil ? FOOT_LEFT : lerp(BANK_LEFT, 1.0f, fading);
    memcpy(level->next + start + first, level->z + start + first, (size_t)(end - first) * sizeof *level->z);
    lower_ground(level->z + start + near.first, level->receiver + start + near.first, level->width,
                 !level->hillslope.soil, left, near.end - near.first, level->next + start + near.first);
}

static void foot_block(const Level *level, const Region *block) {
    for (int y = block->top; y < block->bottom; y++)
        foot_row(level, y, block->left, block->right);
}

static void take_block(const Level *level, const Region *block) {
    const size_t width = (size_t)(block->right - block->left);
    for (int y = block->top; y < block->bottom; y++) {
        const size_t at = (size_t)y * (size_t)level->width + (size_t)block->left;
        memcpy(level->z + at, level->next + at, width * sizeof *level->z);
    }
}

Status lower_feet(Level *level) {
    Status status = level_step(level, FOOT_REACH, 2, foot_block);
    if (status == STATUS_OK)
        status = level_step(level, 0, 1, take_block);
    level_exchange(level, LEVEL_ALTITUDE);
    return status;
}
