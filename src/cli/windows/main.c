// The program's process on Windows: words and output in UTF-8, and the thread that everything runs on.

#include "cli/program.h"

#ifdef _WIN32

#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

typedef struct Start {
    int count;
    char **words;
} Start;

static void *start_program(void *context) {
    const Start *start = context;
    exit(run_program(start->count, start->words));
}

// The words as Windows has them, in UTF-8.
static bool read_words(Start *start) {
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &start->count);
    start->words = wide ? calloc((size_t)start->count + 1, sizeof *start->words) : NULL;
    for (int i = 0; start->words && i < start->count; i++) {
        const int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
        start->words[i] = malloc((size_t)size);
        if (!start->words[i])
            return false;
        WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, start->words[i], size, NULL, NULL);
    }
    return start->words;
}

// The same bytes as elsewhere, which a console shows as UTF-8 and with the escapes of terminals.
static void prepare_output(int descriptor, DWORD which) {
    DWORD mode;
    const HANDLE handle = GetStdHandle(which);
    _setmode(descriptor, _O_BINARY);
    if (GetConsoleMode(handle, &mode))
        SetConsoleMode(handle, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

int main(void) {
    static Start start;
    SetConsoleOutputCP(CP_UTF8);
    SetConsoleCP(CP_UTF8);
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); // no window asks anything
    prepare_output(1, STD_OUTPUT_HANDLE);
    prepare_output(2, STD_ERROR_HANDLE);
    setvbuf(stderr, NULL, _IONBF, 0);
    if (!read_words(&start)) {
        fputs("esker: not enough memory for the command line\n", stderr);
        return EXIT_FAILURE;
    }
    return run_on_thread(start_program, &start);
}

#endif
