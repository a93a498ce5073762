// A growing array of bytes. If memory runs out, `failed` is set, which is reported at the end.

#ifndef ESKER_BYTE_BUFFER_H
#define ESKER_BYTE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Growing { // zeroed: empty
    unsigned char *at;
    size_t count, room;
    bool failed;
} Growing;

void growing_put(Growing *to, const void *bytes, size_t count);
void growing_free(Growing *growing);

#endif
