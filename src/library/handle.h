// The values behind the public interface (esker.h).

#ifndef ESKER_HANDLE_H
#define ESKER_HANDLE_H

#include "core/operation.h"
#include "esker.h"

struct EskerValue {
    Output content;        // its type tells the kind
    EskerRelease *release; // of the caller's memory, if that is what a field or image uses
    void *context;
    atomic_int keepers; // beside the caller who frees it
};

// A value of this type, still empty; NULL with `error` filled if memory runs out.
EskerValue *handle_new(const ValueType *type, Error *error);

// Has the value stay until esker_free is called once more, and gives it.
EskerValue *handle_keep(const EskerValue *value);

struct EskerTask {
    Run run;
    atomic_bool stop;
};

// The caller's error as the engine's: the same struct under another name.
static inline Error *engine_error(EskerError *error) {
    return (Error *)(void *)error;
}

#endif
