// A clock that only runs forwards.

#ifndef ESKER_CLOCK_H
#define ESKER_CLOCK_H

#include <time.h>

// Seconds since some time before the program began.
static inline double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
