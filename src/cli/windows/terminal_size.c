#include "cli/terminal_size.h"

#ifdef _WIN32

#include <windows.h>

void terminal_size(int *columns, int *rows) {
    CONSOLE_SCREEN_BUFFER_INFO about;
    const BOOL known = GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &about);
    *columns = known ? about.srWindow.Right - about.srWindow.Left + 1 : 80;
    *rows = known ? about.srWindow.Bottom - about.srWindow.Top + 1 : 24;
}

#endif
