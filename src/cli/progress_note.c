#include "cli/progress_note.h"

#include "core/clock.h"
#include "core/math.h"
#include "lua/binding.h"

#include <stdio.h>

static double begun, told; // when a call began, and when it last told its progress
static SendNote *send_note;

static void tell_share(void *context, double share) {
    (void)context;
    const double patience = 0.3, pause = 0.1, now = clock_seconds(); // seconds
    if (now - begun < patience || now - told < pause)
        return;
    told = now;
    char text[120];
    const int size = snprintf(text, sizeof text, "%.3f %s", clamp(share, 0, 1),
                              binding_operation ? binding_operation : "recipe");
    send_note(text, (size_t)min(size, (int)sizeof text - 1));
}

void progress_note_send(Run *run, SendNote *send) {
    send_note = send;
    run->progress = tell_share;
}

void progress_note_begin(void) {
    begun = clock_seconds();
}
