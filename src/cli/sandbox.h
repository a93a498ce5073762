// Confines a process that runs an untrusted recipe, permanently: it may compute, and open the files that
// src/file/access.h allows. The kernel enforces this (Landlock for files, seccomp for everything else) in
// addition to Esker's own checks.

#ifndef ESKER_SANDBOX_H
#define ESKER_SANDBOX_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

// Limits what this process may take beyond what it has: bytes of fields and of Lua together. The kernel keeps
// to it as well.
void sandbox_limit_memory(size_t bytes);

// Confines this process. What was allowed to access.h stays allowed; no further file, process, program,
// socket or name of the environment. Fails only where the kernel has a means and refuses it.
Status sandbox_enter(Error *error);

// What this kernel, or this build, cannot do of it: one line, or NULL.
const char *sandbox_lacks(void);

#endif
