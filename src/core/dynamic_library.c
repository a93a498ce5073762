#include "core/dynamic_library.h"

#include "core/platform.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static bool find_all(void *library, const char *const *names, char *pointers) {
    for (; *names; names++, pointers += sizeof(void *)) {
        void *const function = platform_function(library, *names);
        if (!function)
            return false;
        memcpy(pointers, &function, sizeof function);
    }
    return true;
}

bool optional_open(const char *file, const char *const *names, void *pointers) {
    pthread_mutex_lock(&opening);
    size_t count = 0;
    while (names[count])
        count++;
    // The last pointer is stored last.
    void *last;
    memcpy(&last, (char *)pointers + (count - 1) * sizeof last, sizeof last);
    bool complete = last != NULL;
    if (!complete) {
        void *const library = platform_open_library(file);
        complete = library && find_all(library, names, pointers);
        if (library && !complete)
            platform_close_library(library);
    }
    pthread_mutex_unlock(&opening);
    return complete;
}
