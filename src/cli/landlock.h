// Landlock, the kernel's file access control: files that access.h does not allow are unreachable for any
// code of the process.

#ifndef ESKER_LANDLOCK_H
#define ESKER_LANDLOCK_H

#include "core/error.h"

// The version that this kernel has; 0: none.
int landlock_version(void);

// Confines this process and its threads to what was allowed to access.h, as far as `version` (at most the
// kernel's) can forbid; with 0 nothing happens. From the fourth on there is no network either, from the sixth
// no signals and sockets to others.
Status landlock_keep(int version, Error *error);

#endif
