// The program `esker`: hands the command line to lua/esker/main.lua and turns the outcome into an exit
// status: 0 done, 1 the recipe failed, 2 wrong usage, 130 interrupted.

#ifndef ESKER_PROGRAM_H
#define ESKER_PROGRAM_H

// Runs the command of these words, the first of which is the program's name; returns the exit status.
int run_program(int count, char **words);

// Calls it on a thread with a large stack, independent of `ulimit -s`: Lua and the engine run there. Returns
// the exit status for when that fails or returns.
int run_on_thread(void *(*start)(void *), void *context);

#endif
