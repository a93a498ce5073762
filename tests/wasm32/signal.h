// What WASI leaves out of POSIX (tests/wasm32.sh).
#include_next <signal.h>
#define SIG_SETMASK 2
typedef struct {
    unsigned long bits[4];
} sigset_t;
int sigfillset(sigset_t *);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
