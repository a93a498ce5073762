// One temporary file of this process, without a name, which is gone when the process ends; for what is larger
// than memory. A confined process can open no file that it both reads and writes, so scratch_open comes
// before confinement.

#ifndef ESKER_SCRATCH_H
#define ESKER_SCRATCH_H

#include "core/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct ScratchRange { // of the file; zeroed: none
    int64_t start, end;
} ScratchRange;

// Opens a file of this process's own in an open folder; nothing of it is taken yet. Failure is told by
// scratch_take, which opens one in $TMPDIR or /var/tmp where there is none.
void scratch_open(int folder);

// Room for `size` bytes, which take none of the disk until they are written.
Status scratch_take(int64_t size, ScratchRange *range, Error *error);

// Gives the range back for others to use, and empties it. An empty range is allowed.
void scratch_give_back(ScratchRange *range);

// Frees the disk's room behind a part of a range, whose bytes nobody reads any more.
void scratch_discard(ScratchRange part);

Status scratch_read(int64_t at, size_t size, void *bytes, Error *error);
Status scratch_write(int64_t at, size_t size, const void *bytes, Error *error);

#endif
