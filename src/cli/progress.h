// A progress line on the terminal: what runs, how far it is and the time left, after the first second.
// Nothing is printed if standard error is not a terminal.

#ifndef ESKER_PROGRESS_H
#define ESKER_PROGRESS_H

#include "core/parallel.h"

void progress_show(Run *run); // from now on
void progress_clear(void);    // removes the line, if there is one

// Removes a line left by a killed process.
void progress_clear_after(void);

#endif
