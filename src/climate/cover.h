// What covers the ground of a place: shares of trees, grass, crops, sand, rock, snow and others, a class of
// vegetation, and a natural colour, from its climate, slope and water.

#ifndef ESKER_COVER_H
#define ESKER_COVER_H

#include "climate/climate.h"
#include "core/image.h"

// Shares of the ground, which add up to 1 on land. In the sea there is only ice.
enum {
    COVER_TREES,
    COVER_GRASS,
    COVER_CROPS,
    COVER_SAND,
    COVER_ROCK,
    COVER_SNOW,
    COVER_ICE,
    COVER_MARSH,
    COVER_SALT,
    COVER_BUILT,
    COVERS
};

// The farmland of a place.
typedef struct Farming {
    float share;   // of what is fit for crops that has them
    float patches; // noise around 0, of about 1, as wide as farmland is
    float slope;   // of the parcel, or of the place where none is to be seen
    float parted;  // how far parcels are to be seen: 0 not at all, 1 each
    float chosen;  // of its parcel at random, 0 to 1: whether it is tilled
    float use;     // the same: what grows there
    float hedge;   // the share of the ground that parcels' edges cover
} Farming;

// The town of a place.
typedef struct Town {
    bool in_town;   // or near it; false: the rest is 0
    float growth;   // 0 in its middle, 1 at its edge
    float close;    // the share of the ground that houses have
    float city;     // 0 a village, 1 a city of a million
    float noise;    // around 0, of narrow patches
    float quarters; // how far quarters are to be seen: 0 not at all, 1 each
    float chance;   // the place's quarter at random, 0 to 1: how soon it is built on
    float industry; // the share of the ground that is industry, harbours, yards of railways
    float open;     // and of parks and commons
    float ribbon;   // how near an artery is: 0 far, 1 beside it
    float artery;   // the share of the ground that arteries cover
    float blocks;   // how far blocks between streets are to be seen, as quarters
    float block;    // the place's block at random, 0 to 1
    float street;   // the share of the ground that streets cover
    float houses;   // how far houses are to be seen
    float roof;     // the place's house at random, 0 to 1
    float yard;     // the share of the ground around it that is its yard
} Town;

// The ground of a place. Slopes are those within its pixel, of cells as long as a hillslope.
typedef struct CoverGround {
    bool sea;
    float slope; // its tangent
    float south; // the part of it that falls towards the midday sun
    float wet;   // how much water gathers: 0 none, 1 a large river
    float fresh; // how far a river with water is beside it: 0 none, 1 its bank
    float brook; // the same where it keeps fields away: their edge
    float salt;  // of it that is the dry bed of a salt lake
    float bed;   // share of it that dry beds of rivers cover
    Farming farming;
    Town town;
    float variety; // noise around 0, of about 1
    float grain;   // the same of single pixels
    float soil;    // the same, another one
} CoverGround;

typedef struct Cover {
    float shares[COVERS];
    int biome;
    Pixel colour; // in the sea transparent, the less so the colder it is
} Cover;

// Biomes of Whittaker 1975 (Communities and Ecosystems): 0 the sea … BIOMES.
enum { BIOMES = 12 };

Cover cover_of(const Air *air, const CoverGround *ground);

#endif
