// Gaps: the cells of a field that have no data. Cells stay finite: those in gaps hold 0, which means nothing.
// A field without gaps has no Gaps. Several fields may share one Gaps, which counts its users and never
// changes once made.

#ifndef ESKER_GAPS_H
#define ESKER_GAPS_H

#include "core/field.h"

#include <stdatomic.h>

struct Gaps {
    atomic_uint users;
    size_t count;       // of cells without data
    unsigned char at[]; // for each cell 1 if it has none, else 0
};

// For `cells` cells, all with data; one reference. NULL if memory runs out.
Gaps *gaps_new(size_t cells, Error *error);

// gaps_new with contents undefined: the caller sets the cells.
Gaps *gaps_new_unset(size_t cells, Error *error);

// One more use of it, and one less. NULL is allowed.
Gaps *gaps_keep(Gaps *gaps);
void gaps_release(Gaps *gaps);

static inline bool field_has_data(const Field *field, size_t cell) {
    return !field->gaps || !field->gaps->at[cell];
}

// Gives a field these gaps and takes over one reference: counts them, and sets their cells to 0. If there are
// none, the field gets no Gaps.
void field_set_gaps(Field *field, Gaps *gaps);

// field_set_gaps for gaps that are counted already and whose cells are 0.
void field_set_counted_gaps(Field *field, Gaps *gaps, size_t count);

// Turns the cells that are not finite into gaps, in a field that has no gaps yet.
Status gaps_find(Field *field, Error *error);

// The gaps of both; NULL, with no error, if neither has any. Fails with STATUS_MEMORY.
Status gaps_join(Gaps **all, const Field *field, Error *error);

// A copy of a field with gaps, without them: the heights beside them go on there, or 0 where there is no data
// at all. `wraps`: over edges that meet, too. Fails with STATUS_MEMORY.
Status gaps_fill(const Field *field, bool wraps, Field *filled, Error *error);

// Makes gaps of the cells that took any part of their height from a gap, in a field that was made from filled
// cells. `mask` is the result of the same steps on a field that is 1 in gaps and 0 elsewhere. Fails with
// STATUS_MEMORY.
Status gaps_take(Field *field, const Field *mask, Error *error);

#endif
