// The cross section of a wide river: its bed, its banks and the land beside it.

#ifndef ESKER_CHANNEL_SECTION_H
#define ESKER_CHANNEL_SECTION_H

// In half widths from the middle: where the section ends, beyond the bank and what a pixel shows of the
// water.
#define SECTION_END 1.5

// At a pixel.
typedef struct Section {
    double ratio, half;             // the distance from the middle, half widths, and those in pixels
    double level, above_sea, width; // map units, those of altitudes
    double tide;                    // as that of channels
    double fresh;                   // as that of channels
} Section;

// The height of land beside the river, which rises to its water.
double land_beside(double land, const Section *section);

// The height of a river's bed and banks in `ground`, into which narrower rivers have been dug.
double dig_bed(const Section *section, double ground, double dug);

// What a pixel has of rivers: the share that they cover, or the width. `ground`: above the sea; `narrower`:
// of those that it had before.
double water_in(const Section *section, double ground, double narrower);

#endif
