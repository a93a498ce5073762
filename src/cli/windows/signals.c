// Ctrl-C and the alarm on Windows, each of which comes on a thread of its own.

#include "cli/signals.h"

#ifdef _WIN32

#include <pthread.h>
#include <windows.h>

static void (*on_interrupt)(void), (*on_alarm)(void);
static HANDLE alarm_timer;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static BOOL WINAPI key_came(DWORD kind) {
    if (kind != CTRL_C_EVENT || !on_interrupt)
        return FALSE;
    on_interrupt();
    return TRUE;
}

static void CALLBACK alarm_came(void *context, BOOLEAN fired) {
    (void)context, (void)fired;
    on_alarm();
}

void signals_catch(void (*interrupt)(void), void (*alarm)(void)) {
    on_interrupt = interrupt;
    on_alarm = alarm;
    SetConsoleCtrlHandler(NULL, FALSE);
    SetConsoleCtrlHandler(key_came, TRUE);
}

void signals_alarm_after(double seconds) {
    enum { LONGEST = 4000000 }; // seconds, of a timer of 32 bits
    pthread_mutex_lock(&mutex);
    if (alarm_timer)
        DeleteTimerQueueTimer(NULL, alarm_timer, NULL); // it may be what calls here: nothing waits for it
    alarm_timer = NULL;
    const double limited = seconds < LONGEST ? seconds : LONGEST;
    if (seconds > 0)
        CreateTimerQueueTimer(&alarm_timer, NULL, alarm_came, NULL, (DWORD)(limited * 1000) + 1, 0,
                              WT_EXECUTEONLYONCE);
    pthread_mutex_unlock(&mutex);
}

void signals_forget(void) {
    SetConsoleCtrlHandler(key_came, FALSE);
}

#endif
