#include "cli/progress.h"

#include "core/clock.h"
#include "core/whole.h"
#include "lua/binding.h"

#include <stdio.h>
#include <unistd.h>

static const char own_loop[] = "recipe"; // esker.progress, called by the recipe itself
static const char *shown;                // what is being timed
static double started, drawn;
static bool visible;

void progress_clear(void) {
    if (visible)
        fputs("\r\033[K", stderr);
    visible = false;
}

void progress_clear_after(void) {
    visible = binding_run.progress != NULL;
    progress_clear();
}

enum { BAR = 20 }; // characters

static void print_bar(double fraction) {
    char bar[BAR + 1] = { 0 };
    for (int i = 0; i < BAR; i++)
        bar[i] = i < fraction * BAR ? '#' : '.';
    fprintf(stderr, "[%s] ", bar);
}

static void print_left(double left) {
    if (left < 60)
        fprintf(stderr, "%.0f s left", left);
    else
        fprintf(stderr, "%.0f min %02d s left", left / 60 - 0.5, whole_int(left) % 60);
}

static void show(void *context, double fraction) {
    (void)context;
    const char *name = binding_operation ? binding_operation : own_loop;
    if (shown == own_loop && name != own_loop)
        return; // the recipe's own progress replaces that of its operations
    const double now = clock_seconds();
    if (name != shown) {
        progress_clear();
        shown = name;
        started = drawn = now;
        return;
    }
    if (fraction <= 0) {
        started = drawn = now; // the same operation again
        return;
    }
    if (now - started < 1 || now - drawn < 0.1)
        return;
    drawn = now;
    visible = true;
    fprintf(stderr, "\r%s ", name);
    print_bar(fraction);
    fprintf(stderr, "%3.0f %%  ", fraction * 100);
    print_left((now - started) * (1 - fraction) / fraction);
    fputs("\033[K", stderr);
}

void progress_show(Run *run) {
    if (isatty(STDERR_FILENO))
        run->progress = show;
}
