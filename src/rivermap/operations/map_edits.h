// What operations share that give a zoomable map forms of its user's: a copy of the map, and places on it.

#ifndef ESKER_MAP_EDITS_H
#define ESKER_MAP_EDITS_H

#include "land/craters.h"
#include "land/edits.h"
#include "land/paints.h"
#include "places/shapes.h"
#include "rivermap/eroded/eroded.h"

// A copy with the same edits, whose land is yet to be made; NULL if memory runs out.
RiverMap *map_copy(const RiverMap *map, Error *error);

// The shapes of an input in `side` cells along the map's side. With `like`, a field that shows the whole map,
// they lie by their coordinates; without, by those of the map, or by the shares of their window.
Status map_shapes(const RiverMap *map, const Input *input, const Field *like, double side, Shapes **placed,
                  Error *error);

// A line that becomes a part of a map's edits.
typedef struct EditLine {
    const Call *call;
    RiverMap *copy;          // whose edits it is added to
    const Land *land;        // of the map before
    const EditPoint *points; // of the line
    int count, number;       // its points; which shape it is, from 1
    EditChart chart;         // in which they lie
    int cells;               // of level 0, along the map's side
    double half;             // of its width, a share of the side
    double side, cell;       // metres: the map's, and of a cell of the last graded level
} EditLine;

typedef Status AddLine(const EditLine *line, Error *error);

// What an edit is given: its places as an input or as a list, and what all of its shapes have.
typedef struct MapEdit {
    const Operation *operation; // whose last input has its places
    LandEditKind kind;
    const char *list_name;
    const Numbers *list; // of shares of the map's side
    bool outline;        // what the list is
    bool apart;          // whether each place of the list is an edit
    double roughness;    // of outlines
    const Field *like;
    double width;             // metres; of a lake none
    double height;            // metres; NAN: as the ground is
    const CraterSize *crater; // metres; NULL: it is none
    bool exact;               // whether its depth is asked for
    const Field *field;       // that is painted; NULL: none is
    double blend;             // along its border, a share of its side
    double filled;            // how far a lake fills it up to the ground, 0 … 1
    AddLine *add_line;        // makes edits of each line; NULL: it is one as it is
} MapEdit;

// Makes the first output the map of the first input with an edit for each shape.
Status map_edit(const Call *call, const MapEdit *edit, Error *error);

#endif
