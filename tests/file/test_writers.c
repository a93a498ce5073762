// Writers: every file is the old one or the new one, whatever the disk does in between, and no other is left.

#define _DEFAULT_SOURCE
#include "folder.h"

#include "core/image.h"
#include "exchange/format_list.h"
#include "file/formats.h"
#include "file/whole_file.h"
#include "mesh/mesh.h"
#include "operations.h"
#include "rivers/network.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// --- what is written ---------------------------------------------------------------------------------------

static Field field;
static Output relief[OUTPUTS_MAX], half_clear, mesh[OUTPUTS_MAX], grown[OUTPUTS_MAX], map[OUTPUTS_MAX],
    drawn[OUTPUTS_MAX], planet[OUTPUTS_MAX], round_rivers[OUTPUTS_MAX];

// A value of the declared parameter `name` in `params`.
static void set(const Operation *operation, void *params, const char *name, const char *text) {
    Error error;
    const Param *param = operation_param(operation, name);
    char *end;
    const double number = strtod(text, &end);
    assert_ok(*end ? param_set_text(param, params, text, &error)
                   : param_set_number(param, params, number, &error),
              error);
}

static int make_values(void **state) {
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    _Alignas(16) static unsigned char params[16384];
    Error error;
    if (make_folder(state) != 0)
        return -1;
    field = noise_field(40, 30, 2);
    half_clear.type = relief[0].type = &type_image;
    assert_ok(image_create(&half_clear.image, 40, 30, &error), error);
    for (int i = 0; i < 40 * 30; i++)
        image_row(&half_clear.image, 0)[i] = (Pixel){ (uint8_t)i, (uint8_t)(i / 5), 90, (uint8_t)(i % 256) };
    assert_ok(image_create(&relief[0].image, 40, 30, &error), error);
    for (int i = 0; i < 40 * 30; i++)
        image_row(&relief[0].image, 0)[i] = (Pixel){ (uint8_t)i, (uint8_t)(i / 5), 90, 255 };
    assert_ok(run_operation(&op_mesh, (Call){ .inputs = { { .field = &field } } }, NULL, mesh, &error),
              error);
    params_initialise(&op_river_network, params);
    set(&op_river_network, params, "points", "200");
    set(&op_river_network, params, "ridges", "2");
    set(&op_river_network, params, "boundary", "ellipse");
    assert_ok(run_operation(&op_river_network, (Call){ .width = 64, .height = 64, .seed = 3 }, params, grown,
                            &error),
              error);
    assert_ok(run_operation(&op_river_map, (Call){ .seed = 3 }, NULL, map, &error), error);
    assert_ok(run_operation(&op_rivers,
                            (Call){ .inputs = { { .value = map[0].value } }, .width = 96, .height = 96 },
                            NULL, drawn, &error),
              error);
    params_initialise(&op_river_map, params);
    set(&op_river_map, params, "tiling", "sphere");
    set(&op_river_map, params, "land", "raw");
    assert_ok(run_operation(&op_river_map, (Call){ .seed = 3 }, params, planet, &error), error);
    assert_ok(run_operation(&op_rivers,
                            (Call){ .inputs = { { .value = planet[0].value } }, .width = 256, .height = 128 },
                            NULL, round_rivers, &error),
              error);
    return 0;
}

static int free_values(void **state) {
    (void)state;
    field_free(&field);
    image_free(&half_clear.image);
    Output *const all[] = { relief, mesh, grown, map, drawn, planet, round_rivers, NULL };
    for (int i = 0; all[i]; i++)
        outputs_free(all[i]);
    return remove_folder(state);
}

typedef struct Case {
    const char *name;
    const Field *field;
    const Output *output;
    const char *bits, *low, *high;
} Case;

static const Case cases[] = {
    { "a.png", &field, NULL, "16", NULL, NULL },
    { "a.PNG", &field, NULL, "8", NULL, NULL },
    { "scaled.png", &field, NULL, "16", "0.2", "0.4" },
    { "a.r16", &field, NULL, NULL, NULL, NULL },
    { "a.asc", &field, NULL, NULL, NULL, NULL },
    { "a.pgm", &field, NULL, "16", NULL, NULL },
    { "a8.pgm", &field, NULL, "8", NULL, NULL },
    { "opaque.png", NULL, &relief[0], NULL, NULL, NULL },
    { "clear.png", NULL, &half_clear, NULL, NULL, NULL },
    { "mesh.obj", NULL, &mesh[0], NULL, NULL, NULL },
    { "mesh.ply", NULL, &mesh[0], NULL, NULL, NULL },
    { "mesh.stl", NULL, &mesh[0], NULL, NULL, NULL },
    { "grown.geojson", NULL, &grown[0], NULL, NULL, NULL },
    { "grown.svg", NULL, &grown[0], NULL, NULL, NULL },
    { "drawn.svg", NULL, &drawn[0], NULL, NULL, NULL },
    { "drawn.geojson", NULL, &drawn[0], NULL, NULL, NULL },
    { "planet.geojson", NULL, &round_rivers[0], NULL, NULL, NULL },
};
enum { CASES = sizeof cases / sizeof *cases };

static Status save(const Case *what, const Run *run, Error *error) {
    _Alignas(16) static unsigned char params[1024];
    static char key[] = "Software", value[] = "Esker\ntests", low[] = "lines", other[] = "one\rtwo";
    Label at[] = { { key, value }, { low, other } };
    const Labels labels = { 2, at };
    Output outputs[OUTPUTS_MAX];
    params_initialise(&op_save, params);
    if (what->bits)
        assert_ok(param_set_text(operation_param(&op_save, "bits"), params, what->bits, error), *error);
    if (what->low) {
        set(&op_save, params, "low", what->low);
        set(&op_save, params, "high", what->high);
    }
    Input input = { .field = what->field };
    if (what->output)
        input_set(&input, what->output->type, output_value(what->output));
    return run_operation(
        &op_save,
        (Call){ .run = run, .inputs = { input, { .text = in_folder(what->name) } }, .labels = &labels },
        params, outputs, error);
}

static long length_of(const char *name) {
    struct stat there;
    return stat(in_folder(name), &there) == 0 ? (long)there.st_size : -1;
}

// --- a disk that is full, or fails -------------------------------------------------------------------------

static void put_old(const char *name) {
    FILE *file = fopen(in_folder(name), "wb");
    fputs("old", file);
    fclose(file);
}

static void is_old(const char *name) {
    char text[8] = "";
    FILE *file = fopen(in_folder(name), "rb");
    assert_non_null(file);
    const size_t count = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_int_equal(count, 3);
    assert_string_equal(text, "old");
}

static void limit_files(rlim_t most) {
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = most;
    setrlimit(RLIMIT_FSIZE, &limit);
}

// The disk is full after some bytes of a file: each writer reports it, and the old file stays.
static void whatever_the_disk_takes_the_file_is_old_or_new(void **state) {
    (void)state;
    for (int names = 0; names < 2; names++) {
        whole_file_use_names(names);
        for (int i = 0; i < CASES; i += times_as_many() < 4 ? names + 1 : 1) {
            Error error;
            files_in_folder(true);
            assert_ok(save(&cases[i], NULL, &error), error);
            const long whole = length_of(cases[i].name);
            assert_true(whole > 100);
            for (long most = 0; most < whole;
                 most += most < 64 || most > whole - 64 ? 7 : 1 + whole / rounds(12)) {
                put_old(cases[i].name);
                limit_files((rlim_t)most);
                const Status status = save(&cases[i], NULL, &error);
                limit_files(RLIM_INFINITY);
                if (status != STATUS_FILE)
                    fail_msg("%s: %ld of %ld bytes: status %d", cases[i].name, most, whole, status);
                assert_non_null(strstr(error.text, "cannot write"));
                is_old(cases[i].name);
                assert_int_equal(files_in_folder(false), 1);
            }
            assert_ok(save(&cases[i], NULL, &error), error);
            assert_int_equal(length_of(cases[i].name), whole);
        }
    }
    whole_file_use_names(false);
}

static void is_old_or_missing(const char *name, bool old) {
    if (old)
        is_old(name);
    else
        assert_int_equal(length_of(name), -1);
}

// A file and the .json beside it are both old or both new, with more bytes than a stream keeps, too.
static void a_file_and_what_lies_beside_it_are_of_one_kind(void **state) {
    (void)state;
    Field large = noise_field(90, 80, 2);
    large.frame = (Frame){ .x = 5, .y = 6, .right_x = 30, .down_y = -30 };
    for (int names = 0; names < 2; names++) {
        whole_file_use_names(names);
        for (int old = 0; old < 2; old++) {
            const Case what = { "b.r16", &large, NULL, NULL, NULL, NULL };
            Error error;
            for (int most = 0; most < 2 * 90 * 80; most += 1700) {
                files_in_folder(true);
                if (old) {
                    put_old("b.r16");
                    put_old("b.r16.json");
                }
                limit_files((rlim_t)most);
                assert_int_equal(save(&what, NULL, &error), STATUS_FILE);
                limit_files(RLIM_INFINITY);
                assert_non_null(strstr(error.text, strerror(EFBIG)));
                assert_int_equal(files_in_folder(false), old);
                is_old_or_missing("b.r16", old);
                is_old_or_missing("b.r16.json", old);
            }
            // A folder lies in the place of one of them.
            const char *const both[] = { "b.r16", "b.r16.json" };
            for (int i = 0; i < 2; i++) {
                files_in_folder(true);
                assert_int_equal(mkdir(in_folder(both[i]), 0777), 0);
                if (old)
                    put_old(both[1 - i]);
                assert_int_equal(save(&what, NULL, &error), STATUS_FILE);
                assert_non_null(strstr(error.text, strerror(EISDIR)));
                rmdir(in_folder(both[i]));
                assert_int_equal(files_in_folder(false), old && i == 1);
                is_old_or_missing(both[1 - i], old);
            }
            assert_ok(save(&what, NULL, &error), error);
            assert_int_equal(length_of("b.r16"), 2 * 90 * 80);
            assert_true(length_of("b.r16.json") > 100);
        }
    }
    whole_file_use_names(false);
    field_free(&large);
}

// What no generator gives: a river that leaves a planet's map exactly on its border, land that is a mask's,
// triangles without area.
static void rare_shapes_are_written(void **state) {
    (void)state;
    Error error;
    files_in_folder(true);
    RiverNetwork *network = network_new(1, 3, 0, &error);
    const Output border = { .type = &type_network, .value = network };
    network->width = 256;
    network->height = 128;
    network->cell = 1.0 / 256;
    network->planet = true;
    network->reaches[0] = (Reach){ 0, 3, -1, 1, true };
    network->points[0] = (RiverPoint){ .x = 0, .y = 10 };
    network->points[1] = (RiverPoint){ .x = 256, .y = 11 };
    network->points[2] = (RiverPoint){ .x = 255, .y = 12 };
    assert_ok(save(&(Case){ "border.geojson", NULL, &border, NULL, NULL, NULL }, NULL, &error), error);
    char text[2000] = "";
    FILE *file = fopen(in_folder("border.geojson"), "rb");
    assert_true(fread(text, 1, sizeof text - 1, file) > 100);
    fclose(file);
    assert_non_null(strstr(text, "MultiLineString"));
    assert_null(strstr(text, "nan"));
    network->boundary.coast = true; // of a mask: without corners
    assert_ok(save(&(Case){ "masked.svg", NULL, &border, NULL, NULL, NULL }, NULL, &error), error);
    memory_free(network);
    Mesh *mesh_of_one = mesh_new(1, 1, &error);
    const Output flat = { .type = &type_mesh, .value = mesh_of_one };
    mesh_of_one->points[0] = (MeshPoint){ 1, 2, 3 };
    memset(mesh_of_one->triangles, 0, sizeof *mesh_of_one->triangles);
    assert_ok(save(&(Case){ "flat.stl", NULL, &flat, NULL, NULL, NULL }, NULL, &error), error);
    assert_int_equal(length_of("flat.stl"), 134);
    memory_free(mesh_of_one);
    // Heights of an .asc so low that the usual number for what is missing could be one.
    Field deep = noise_field(3, 3, 1);
    field_cells(&deep)[4] = -20000;
    assert_ok(save(&(Case){ "deep.asc", &deep, NULL, NULL, NULL, NULL }, NULL, &error), error);
    field_free(&deep);
}

static void a_stop_leaves_the_old_file(void **state) {
    (void)state;
    atomic_bool stop = true;
    const Run stopped = { .threads = 1, .stop = &stop };
    Error error;
    files_in_folder(true);
    put_old("a.png");
    assert_int_equal(save(&cases[0], &stopped, &error), STATUS_STOPPED);
    is_old("a.png");
    assert_int_equal(files_in_folder(true), 1);
    put_old("opaque.png"); // which has no range to find before
    assert_int_equal(save(&cases[7], &stopped, &error), STATUS_STOPPED);
    is_old("opaque.png");
    assert_int_equal(files_in_folder(false), 1);
}

// --- what killed processes leave ---------------------------------------------------------------------------

static void make_stray(const char *name, int *kept) {
    const int file = open(in_folder(name), O_CREAT | O_WRONLY, 0666);
    assert_true(file >= 0);
    if (kept) {
        assert_int_equal(flock(file, LOCK_EX), 0);
        *kept = file;
    } else {
        close(file);
    }
}

// Killed in the middle of a write under a name: the file goes with the next that is written in the folder.
// One that is still being written stays. In a process of its own: a folder is looked at once.
static void strays_go_with_the_next_file(void **state) {
    (void)state;
    files_in_folder(true);
    int kept;
    make_stray(".esker-99999-1-0", NULL);
    make_stray(".esker-99999-1-1", &kept);
    make_stray(".other", NULL);
    static const char *const others[] = { ".esker-notes", ".esker-1-2", ".esker-1-2-3-4", ".esker-1-2-x",
                                          ".esker-1--3" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        make_stray(others[i], NULL);
    assert_int_equal(symlink("/etc/passwd", in_folder(".esker-link")), 0);
    const pid_t process = fork();
    if (process == 0) {
        close(kept);
        Error error;
        _exit(save(&cases[0], NULL, &error) == STATUS_OK ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_int_equal(status, 0);
    assert_int_equal(access(in_folder(".esker-99999-1-0"), F_OK), -1);
    assert_int_equal(access(in_folder(".esker-99999-1-1"), F_OK), 0);
    assert_int_equal(access(in_folder(".other"), F_OK), 0);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(access(in_folder(others[i]), F_OK), 0);
    assert_int_equal(access("/etc/passwd", F_OK), 0);
    close(kept);
}

static volatile int written;

// Kills a process that writes, at a moment that differs from time to time; ESKER_KILLS: how often.
static void killed_at_any_moment_the_file_is_old_or_new(void **state) {
    (void)state;
    const char *wanted = getenv("ESKER_KILLS");
    const long rounds = wanted ? strtol(wanted, NULL, 10) : 40;
    for (int round = 0; round < rounds; round++) {
        whole_file_use_names(round % 2);
        files_in_folder(true);
        put_old("a.png");
        int ready[2];
        assert_int_equal(pipe(ready), 0);
        const pid_t process = fork();
        if (process == 0) {
            Error error;
            if (write(ready[1], "x", 1) != 1)
                _exit(EXIT_FAILURE);
            while (true)
                written += save(&cases[0], NULL, &error) == STATUS_OK;
        }
        char byte;
        assert_int_equal(read(ready[0], &byte, 1), 1);
        usleep((useconds_t)(round * 83 % 3331));
        kill(process, SIGKILL);
        waitpid(process, NULL, 0);
        close(ready[0]);
        close(ready[1]);
        if (length_of("a.png") != 3) {
            Output outputs[OUTPUTS_MAX];
            Error error;
            assert_ok(run_operation(&op_load, (Call){ .inputs = { { .text = in_folder("a.png") } } }, NULL,
                                    outputs, &error),
                      error);
            assert_int_equal(outputs[0].field.width, 40);
            outputs_free(outputs);
        }
        // And the next run tidies up.
        const pid_t next = fork();
        if (next == 0) {
            Error error;
            _exit(save(&cases[0], NULL, &error) == STATUS_OK ? 0 : 1);
        }
        int status;
        waitpid(next, &status, 0);
        assert_int_equal(status, 0);
        assert_int_equal(files_in_folder(false), 1);
    }
    whole_file_use_names(false);
}

// --- places that cannot be written -------------------------------------------------------------------------

static void places_that_cannot_be_written_are_errors(void **state) {
    (void)state;
    WholeFile file;
    Error error;
    files_in_folder(true);
    assert_int_equal(whole_file_open(&file, in_folder("missing/a.png"), &error), STATUS_FILE);
    assert_int_equal(whole_file_open(&file, "/proc/a.png", &error), STATUS_FILE);
    char long_path[5000];
    memset(long_path, 'a', sizeof long_path);
    long_path[sizeof long_path - 1] = '\0';
    assert_int_equal(whole_file_open(&file, long_path, &error), STATUS_FILE);
    assert_non_null(strstr(error.text, "too long"));
    // A folder in the file's place is found when the file gets its name.
    assert_int_equal(mkdir(in_folder("a.png"), 0777), 0);
    assert_int_equal(save(&cases[0], NULL, &error), STATUS_FILE);
    rmdir(in_folder("a.png"));
    assert_int_equal(files_in_folder(false), 0);
    // What the writer says went wrong is kept.
    put_old("a.png");
    assert_int_equal(whole_file_open(&file, in_folder("a.png"), &error), STATUS_OK);
    assert_int_equal(whole_file_close(&file, STATUS_INVALID, &error), STATUS_INVALID);
    is_old("a.png");
    // Where the descriptors are used up there is no file.
    struct rlimit before, none;
    getrlimit(RLIMIT_NOFILE, &before);
    none = before;
    for (none.rlim_cur = 3; none.rlim_cur < 12; none.rlim_cur++) {
        setrlimit(RLIMIT_NOFILE, &none);
        const Status status = save(&cases[0], NULL, &error);
        setrlimit(RLIMIT_NOFILE, &before);
        if (status != STATUS_OK)
            is_old("a.png");
        else
            put_old("a.png");
        assert_int_equal(files_in_folder(false), 1);
    }
}

static void a_flat_field_comes_back(float level) {
    Field flat = noise_field(4, 4, 1);
    Error error;
    for (int i = 0; i < 16; i++)
        field_cells(&flat)[i] = level;
    const Case what = { "flat.png", &flat, NULL, NULL, NULL, NULL };
    assert_ok(save(&what, NULL, &error), error);
    Output outputs[OUTPUTS_MAX];
    assert_ok(run_operation(&op_load, (Call){ .inputs = { { .text = in_folder("flat.png") } } }, NULL,
                            outputs, &error),
              error);
    assert_near((double)outputs[0].field.cells[5], (double)level, 1e-6);
    outputs_free(outputs);
    field_free(&flat);
}

static void what_no_format_holds_is_an_error(void **state) {
    (void)state;
    Error error;
    static const char *const names[] = { "x.jpg", "x", "x.obj" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const Case wrong = { names[i], &field, NULL, NULL, NULL, NULL };
        assert_int_equal(save(&wrong, NULL, &error), STATUS_INVALID);
        assert_non_null(strstr(error.text, "must end in .png, .tif, .tiff, "));
    }
    Mesh huge = { 0 };
    huge.triangle_count = (size_t)UINT32_MAX + 1;
    const Writing writing = { .stream = stdout, .type = &type_mesh, .value = &huge };
    assert_int_equal(format_stl.holds[0].write(&writing, &error), STATUS_INVALID);
    // A range the wrong way round.
    const Case range = { "x.png", &field, NULL, NULL, "2", "1" };
    assert_int_equal(save(&range, NULL, &error), STATUS_INVALID);
    // A flat field outside 0 … 1 has a range all the same.
    static const float levels[] = { 7, -3e38f, 3e38f, 1e20f, -1e-20f };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        a_flat_field_comes_back(levels[i]);
}

// A cell without data has a number that is none of a height: below all, and still one that programs read.
static void gaps_lie_below_all_heights(void **state) {
    (void)state;
    static const double lowest[] = { 9, -9998, -9999, -1e5, -1e38, -3e38 };
    for (size_t i = 0; i < sizeof lowest / sizeof *lowest; i++) {
        const double number = number_below(lowest[i]);
        assert_true(number < lowest[i] && isfinite((float)number) && (float)number == number);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_the_disk_takes_the_file_is_old_or_new),
        cmocka_unit_test(a_file_and_what_lies_beside_it_are_of_one_kind),
        cmocka_unit_test(rare_shapes_are_written),
        cmocka_unit_test(a_stop_leaves_the_old_file),
        cmocka_unit_test(strays_go_with_the_next_file),
        cmocka_unit_test(killed_at_any_moment_the_file_is_old_or_new),
        cmocka_unit_test(places_that_cannot_be_written_are_errors),
        cmocka_unit_test(what_no_format_holds_is_an_error),
        cmocka_unit_test(gaps_lie_below_all_heights),
    };
    return cmocka_run_group_tests(tests, make_values, free_values);
}
