// Landlock, the kernel's file access control: files that access.h does not allow are unreachable for any
// code of the process.

#ifndef ESKER_LANDLOCK_H
#define ESKER_LANDLOCK_H

#include "core/error.h"

// The version that this kernel supports; 0: none.
int landlock_version(void);

// Confines this process and its threads to the files allowed to access.h, as far as `version` (at most the
// kernel's) supports; 0 does nothing. Version 4 also forbids the network, version 6 signals and sockets to
// other processes.
Status landlock_keep(int version, Error *error);

#endif
