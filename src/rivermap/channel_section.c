#include "rivermap/channel_section.h"

#include "core/math.h"
#include "rivermap/channels.h"

#include <math.h>

// In half widths from the middle: the ends of the bed and of the bank. That leaves the water at 1, and is
// narrow: tributaries fall over it where they come to it.
#define BED 0.7
#define BANK 1.2
// In widths: the depth of the bed, the steepest slope of land beside the water, and the height above the sea
// of the ground over which an estuary's share fades, unless tides reach less high.
#define DEPTH 0.15
#define FALL 0.3
#define SHORE 0.06

// The land around the water: at the bank no lower than the water, and raised less with distance, so that it
// keeps some of its shape. Where the river comes down to the sea, within its depth, nothing is raised, and of
// the sea's floor ever less.
double land_beside(double land, const Section *section) {
    const double steep = 30, depth = DEPTH * section->width;
    const double out = max(section->ratio - 1, 0) / (CHANNEL_REACH - 1);
    const double fresh = section->above_sea - depth, drowned = steep * min(fresh, 0);
    const double raised = section->level + drowned - FALL * section->width * out;
    const double risen =
        clamp(section->above_sea / depth * ((steep + 1) / steep), 0, 1); // 1: raised above it
    const double share = land < section->level - section->above_sea ? risen : 1;
    return land < raised ? land + (raised - land) * (1 - out) * (1 - out) * share : land;
}

// Ground that a bed is dug into: `under` says how far, from 0 at the bank to 1. In the sea the floor shows
// the more, the deeper it is, so that the bed ends in it and nothing is seen of the coast between them. There
// and on ground below the water, which the coast would leave as a step, the bed is as deep below the water of
// the river as elsewhere; not so near the banks, which keep their place.
static double bed_of(const Section *section, double surface, double ground, double under) {
    const double depth = DEPTH * section->width, above = clamp(section->above_sea, 0, depth);
    const double lies = above < depth ? max(depth * under - above, 0) / (depth - above) : 0;
    const double sea = section->level - section->above_sea;
    if (surface >= sea)
        return ground - depth * under + (section->level - surface) * lies;
    const double down = depth * under - above * lies, floor = sea - ground;
    return sea - sqrt(down * down + floor * floor);
}

// Up from the bed, out of the water where the half width ends, and on to the land, into which narrower rivers
// have been dug. In the water nothing is left of those.
double dig_bed(const Section *section, double ground, double dug) {
    const double ratio = section->ratio;
    const double surface = min(ground, section->level), lower = min(dug, section->level);
    if (ratio >= 1)
        return lower + (dug - lower) * smoothstep(min((ratio - 1) / (BANK - 1), 1));
    const double under = smoothstep(min((1 - ratio) / (1 - BED), 1));
    return bed_of(section, surface, lower + (surface - lower) * under, under);
}

// The river's share of the water. An estuary ends at the coast that it drowns: the share fades towards that,
// or the water would show it as a line: where the ground is lower than the water, for higher ground is rough.
// What is all the river's stays so.
static double fresh_in(const Section *section, double ground) {
    if (ground < 0 || section->above_sea <= 0)
        return 0;
    const double shore = min(SHORE * section->width, section->tide);
    const double from_coast = smoothstep(min(min(ground, section->above_sea) / shore, 1));
    return section->fresh * max(from_coast, 1 - 10 * (1 - section->fresh));
}

// In an estuary the share is that of the river's water, and nothing is left of narrower ones.
double water_in(const Section *section, double ground, double narrower) {
    const double share = clamp(0.5 + (1 - section->ratio) * section->half, 0, 1);
    const double fresh = fresh_in(section, ground);
    if ((float)fresh < 1)
        return (1 - share) * min(narrower, 1) + share * fresh;
    return max(share >= 1 ? max(2 * section->half, 1) : share, narrower);
}
