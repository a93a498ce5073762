// Ctrl-C and an alarm, for interrupt.c: signals.c, and windows/signals.c.

#ifndef ESKER_SIGNALS_H
#define ESKER_SIGNALS_H

// Has Ctrl-C and the alarm call these functions, in the middle of whatever the program does.
void signals_catch(void (*interrupt)(void), void (*alarm)(void));

// The alarm comes once, after this time; 0: never.
void signals_alarm_after(double seconds);

// Ctrl-C ends the program from now on.
void signals_forget(void);

#endif
