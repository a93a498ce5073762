// What WASI leaves out of POSIX (tests/wasm32.sh).
#include_next <stdlib.h>
char *realpath(const char *, char *);
