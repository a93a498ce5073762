// A line on the terminal that says what runs, how far it has come and how long it will take, once it has
// taken more than a second. Nothing when standard error is no terminal.

#ifndef ESKER_PROGRESS_H
#define ESKER_PROGRESS_H

#include "core/parallel.h"

void progress_show(Run *run); // from now on
void progress_clear(void);    // removes the line, if there is one

// Removes a line that a process which was killed may have left.
void progress_clear_after(void);

#endif
