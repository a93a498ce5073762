// Suggestions for misspelt names.

#ifndef ESKER_NEAREST_NAME_H
#define ESKER_NEAREST_NAME_H

// The name in the NULL-terminated list closest to `name`, or NULL if none is close.
const char *nearest_name(const char *name, const char *const *names);

#endif
