// What WASI leaves out of POSIX (tests/wasm32.sh).
#include_next <fcntl.h>
#define F_DUPFD_CLOEXEC 1030
