#include "cli/signals.h"

#include "core/whole.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static void (*on_interrupt)(void), (*on_alarm)(void);

static void interrupt_came(int signal) {
    (void)signal;
    on_interrupt();
}

static void alarm_came(int signal) {
    (void)signal;
    on_alarm();
}

static void handle(int signal, void (*handler)(int)) {
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

void signals_catch(void (*interrupt)(void), void (*alarm)(void)) {
    on_interrupt = interrupt;
    on_alarm = alarm;
    handle(SIGINT, interrupt_came);
    handle(SIGALRM, alarm_came);
}

void signals_alarm_after(double seconds) {
    const double whole = floor(seconds);
    const struct itimerval wait = {
        .it_value = { .tv_sec = whole_64(whole),
                      .tv_usec = seconds > 0 ? whole_64((seconds - whole) * 1e6) + 1 : 0 },
    };
    setitimer(ITIMER_REAL, &wait, NULL);
}

void signals_forget(void) {
    handle(SIGINT, SIG_DFL);
}
