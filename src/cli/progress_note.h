// The progress of a call that takes long, for the process or page that waits for its answer: "0.250
// spectral", once it has taken 0.3 s, and then at most every 0.1 s.

#ifndef ESKER_PROGRESS_NOTE_H
#define ESKER_PROGRESS_NOTE_H

#include "core/parallel.h"

#include <stddef.h>

typedef void SendNote(const char *text, size_t size);

void progress_note_send(Run *run, SendNote *send); // from now on
void progress_note_begin(void);                    // a call begins

#endif
