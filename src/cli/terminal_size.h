#ifndef ESKER_TERMINAL_SIZE_H
#define ESKER_TERMINAL_SIZE_H

// The terminal that standard output goes to, in characters; 80 and 24 if there is none.
void terminal_size(int *columns, int *rows);

#endif
