// The form of an impact crater: a bowl with a rim, in a wide one a flat floor, terraces and a central peak,
// and around it what was thrown out.

#ifndef ESKER_CRATERS_H
#define ESKER_CRATERS_H

#include "land/edits.h"

// Its parts enter as many levels: the whole of it the first, and its rim and walls again those on which they
// are more cells wide.
enum { CRATER_PARTS = 4 };

enum { GORGE_REACH = 8 }; // cells from a stream to the end of its gorge's wall

// In half widths: how far it reaches, and how far those of its parts do that enter finer levels.
#define CRATER_REACH 3.2
#define CRATER_RIM_REACH 1.4
#define CRATER_BOWL 1.08 // and how far its bowl may, within the crest

typedef struct CraterForm {
    double share;  // of the ground that becomes its own, as high as the mean ground and `height`
    double height; // above it
    bool inside;   // within the crest of its rim
} CraterForm;

CraterForm crater_form(const LandEdit *edit, const EditPoint *middle, double x, double y);

// The share alone; and how much of the detail of finer levels a crater takes away there.
double crater_share(const LandEdit *edit, const EditPoint *middle, double x, double y);
double crater_smooth(double share);

// How much higher the ground around is at a place than in the middle, but for the floor, which is level.
double crater_tilt(const LandEdit *edit, const EditPoint *middle, double x, double y);

// The lowest place of its floor.
EditPoint crater_bottom(const LandEdit *edit, const EditPoint *middle);

// Sinks the bowls that a level's marks show, and ends streams there (internal to src/land).
void dig_craters(Level *level);

// Keeps what craters raise beside large streams, which hardly rise, from becoming walls.
void ease_gorges(Level *level);

// Makes them free ground, which is drained.
void free_craters(const Level *level);

// The depth from the crest of its rim, the height of that above the ground, and that of the peak above the
// floor which a crater has that is so many metres wide (docs/edits.md).
typedef struct CraterSize {
    double depth, rim, peak;
} CraterSize;

CraterSize crater_size(double width);

#endif
