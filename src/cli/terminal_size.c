#include "cli/terminal_size.h"

#include <stdbool.h>
#include <sys/ioctl.h>
#include <unistd.h>

void terminal_size(int *columns, int *rows) {
    struct winsize size = { 0 };
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    *columns = known ? size.ws_col : 80;
    *rows = known && size.ws_row > 0 ? size.ws_row : 24;
}
