// What WASI leaves out of POSIX (tests/wasm32.sh).
#define RTLD_NOW 2
void *dlopen(const char *, int);
void *dlsym(void *, const char *);
