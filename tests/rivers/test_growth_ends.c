// Whatever the arguments, growth ends, and what has grown is sound. Work is counted in steps of growth, never
// in time.

#include "rivers/invariants.h"

#include "operations.h"

#include <math.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

_Alignas(64) static unsigned char params[16384];

static void set(const char *name, double value) {
    Error error;
    assert_ok(param_set_number(operation_param(&op_river_network, name), params, value, &error), error);
}

static void set_list(const char *name, const Numbers *numbers) {
    Error error;
    assert_ok(param_set_numbers(operation_param(&op_river_network, name), params, numbers, &error), error);
}

static void set_mask(const Field *mask) {
    *(const Field **)(void *)(params + operation_param(&op_river_network, "mask")->offset) = mask;
}

typedef struct Draws {
    RandomKey key;
    uint32_t next;
} Draws;

static double draw(Draws *draws, double least, double most) {
    return least + (most - least) * (double)random_unit(draws->key, draws->next++, 0);
}

static bool chance(Draws *draws, double share) {
    return draw(draws, 0, 1) < share;
}

// --- arguments ---------------------------------------------------------------------------------------------

// A star around the middle, its corners at random distances.
static void draw_polygon(Draws *draws, double width, double height) {
    Numbers polygon = { 0 };
    const int corners = 3 + (int)draw(draws, 0, 9);
    for (int i = 0; i < corners; i++) {
        const double angle = 2 * 3.14159265358979 * i / corners, far = draw(draws, 0.1, 0.5);
        polygon.at[polygon.count++] = width * (0.5 + far * cos(angle));
        polygon.at[polygon.count++] = height * (0.5 + far * sin(angle));
    }
    set_list("polygon", &polygon);
}

// Ragged land: coarse and fine noise over a threshold.
static Field draw_mask(Draws *draws, int width, int height) {
    Field mask = noise_field(width, height, (uint64_t)draw(draws, 0, 1e6));
    const float above = (float)draw(draws, 0.2, 0.7);
    for (size_t i = 0; i < field_count(&mask); i++)
        field_cells(&mask)[i] = mask.cells[i] > above ? 1.0f : 0.0f;
    return mask;
}

static void draw_lines(Draws *draws, double width, double height) {
    Numbers lines = { 0 };
    for (int ridge = 0; ridge < 1 + (int)draw(draws, 0, 4); ridge++)
        for (int i = 0; i < 2 + (int)draw(draws, 0, 3) || lines.count % 6; i++) {
            lines.at[lines.count++] = ridge;
            lines.at[lines.count++] = draw(draws, 0, width);
            lines.at[lines.count++] = draw(draws, 0, height);
        }
    set_list("ridge_lines", &lines);
}

static void draw_mouths(Draws *draws, double width, double height) {
    Numbers mouths = { 0 };
    for (int i = 0; i < 1 + (int)draw(draws, 0, 4); i++) {
        mouths.at[mouths.count++] = draw(draws, 0, width);
        mouths.at[mouths.count++] = draw(draws, 0, height);
    }
    set_list("mouths", &mouths);
}

static void draw_lengths(Draws *draws) {
    const double reach = 0.03 * pow(20, draw(draws, 0, 1));
    set("reach", reach);
    if (chance(draws, 0.8))
        set("kill", reach * draw(draws, 0.1, 0.95));
    if (chance(draws, 0.8))
        set("step", reach * draw(draws, 0.1, 1.5));
}

static void draw_arguments(Draws *draws, Call *call, Field *mask) {
    const double side = call->width > call->height ? call->width : call->height;
    const double width = call->width / side, height = call->height / side;
    params_initialise(&op_river_network, params);
    set("points", floor(2 * pow(200, draw(draws, 0, 1))));
    set("rivers", floor(draw(draws, 1, 10)));
    set("meander", chance(draws, 0.5) ? 0 : draw(draws, 0, 1.5));
    set("mouth_spacing", draw(draws, 0, 0.4));
    if (chance(draws, 0.5))
        draw_lengths(draws);
    if (chance(draws, 0.5))
        set("ridges", floor(draw(draws, 0, 8)));
    if (chance(draws, 0.2))
        set("ridge_resolution", 1);
    if (chance(draws, 0.3))
        draw_lines(draws, width, height);
    if (chance(draws, 0.2))
        draw_mouths(draws, width, height);
    const double ground = draw(draws, 0, 1);
    if (ground < 0.6) {
        *mask = draw_mask(draws, call->width, call->height);
        set_mask(mask);
    } else if (ground < 0.75) {
        draw_polygon(draws, width, height);
    } else {
        set("boundary", ground < 0.9);
    }
}

// --- work --------------------------------------------------------------------------------------------------

// Counts what growth reports: its steps. Far over what any of these networks takes it asks for a stop.
typedef struct Work {
    int steps, most;
    atomic_bool stop;
} Work;

static void count_step(void *context, double fraction) {
    (void)fraction;
    Work *work = context;
    if (++work->steps >= work->most)
        work->stop = true;
}

static void whatever_the_arguments_growth_ends_and_is_sound(void **state) {
    (void)state;
    const int sets = rounds(1500);
    int grown = 0, most = 0;
    for (int set = 1; set <= sets; set++) {
        const uint64_t seed = (uint64_t)set;
        Draws draws = { random_key(seed, 77), 0 };
        Work work = { .most = 5000 };
        const Run run = {
            .threads = 1, .stop = &work.stop, .progress = count_step, .progress_context = &work
        };
        Call call = { .width = 64, .height = chance(&draws, 0.5) ? 64 : 48, .seed = seed, .run = &run };
        Field mask = { 0 };
        Output outputs[OUTPUTS_MAX];
        Error error;
        draw_arguments(&draws, &call, &mask);
        const Status status = run_operation(&op_river_network, call, params, outputs, &error);
        if (status == STATUS_STOPPED)
            fail_msg("the arguments of seed %d take more than %d steps", set, work.most);
        assert_true(status == STATUS_OK || status == STATUS_INVALID);
        if (status == STATUS_OK) {
            assert_rivers_fall_to_mouths(outputs[0].value);
            assert_free_of_crossings(outputs[0].value);
            assert_mouths_are_apart(outputs[0].value);
            grown++;
            most = work.steps > most ? work.steps : most;
            outputs_free(outputs);
        }
        if (mask.cells)
            field_free(&mask);
    }
    assert_true(grown > sets / 2); // the others were refused: a mouth in the sea, more rivers than points
    print_message("# %d networks, at most %d steps\n", grown, most);
}

static atomic_bool stop;

static void ask_to_stop(int signal) {
    (void)signal;
    stop = true;
}

// The processor time until a call returns that is asked to stop after some of it.
static double stopped_after(double asked) {
    const Run run = { .threads = 1, .stop = &stop };
    const struct itimerval timer = { .it_value = { .tv_usec = (suseconds_t)(asked * 1e6) } };
    Output outputs[OUTPUTS_MAX];
    Error error;
    stop = false;
    signal(SIGVTALRM, ask_to_stop);
    const clock_t begin = clock();
    setitimer(ITIMER_VIRTUAL, &timer, NULL); // counts this process's own work
    assert_int_equal(run_operation(&op_river_network, (Call){ .width = 64, .height = 64, .run = &run },
                                   params, outputs, &error),
                     STATUS_STOPPED);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

// Half a minute and more of work, which ends soon when it is asked to.
static void growth_can_be_stopped(void **state) {
    (void)state;
    params_initialise(&op_river_network, params);
    set("points", 1e6);
    set("rivers", 1000); // the choice of mouths alone takes seconds
    assert_true(stopped_after(0.4) < 5);
    params_initialise(&op_river_network, params);
    set("points", 200);
    set("ridges", 1000); // to keep meanders off these takes seconds
    set("ridge_resolution", 1000);
    assert_true(stopped_after(0.4) < 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_the_arguments_growth_ends_and_is_sound),
        cmocka_unit_test(growth_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
