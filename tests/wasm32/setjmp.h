// What WASI leaves out of POSIX (tests/wasm32.sh).
typedef long jmp_buf[40];
int setjmp(jmp_buf);
_Noreturn void longjmp(jmp_buf, int);
