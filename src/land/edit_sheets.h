// Edits that are looked at as a whole across an edge of a planet's cube: what their box covers of the two
// faces there, as one small level, which lies as the cells of the first face go on beyond that edge (internal
// to src/land). Its cells are copies of those of the faces, with directions turned, and go back to them.

#ifndef ESKER_EDIT_SHEETS_H
#define ESKER_EDIT_SHEETS_H

#include "land/level.h"

typedef struct Sheet {
    Level level;     // with arrays of its own, as large as the largest sheet of the level needs them
    const Level *of; // its cells are those of this level
    Patch patch;     // where it lies
    int *owners;     // the cells that its own are copies of; NOBODY: they are not known
    uint8_t *turned; // quarter turns of directions from the sheet to there
    Region inner;    // what was asked for: its cells have neighbours
    size_t room;
} Sheet;

// Sets level->sheet if any edit that enters here needs one.
Status sheets_begin(Level *level, Error *error);
void sheets_end(const Level *level);

// Copies what boxes cover and `more` around it, but not a face's other edges. `whole`: false unless all of it
// is valid so far. Else what is not known is high ground without streams.
bool sheet_open(const Level *level, const EditBox on[CUBE_FACES], int more, bool whole, Sheet **sheet);

// Gives back what the level's cells have become: all but scratch arrays and slopes.
void sheet_return(const Sheet *sheet);

#endif
