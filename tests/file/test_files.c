// Files, seen from C: what is written comes back, and failures leave nothing behind.

#include "folder.h"

#include "core/image.h"
#include "operations.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const names[] = { "a.png", "a.r16", "a.asc", "a.pgm" };
enum { NAMES = sizeof names / sizeof *names };

static Status save(const Field *field, const char *name, Output *outputs, Error *error) {
    const Call call = { .inputs = { { .field = field }, { .text = in_folder(name) } } };
    return run_operation(&op_save, call, NULL, outputs, error);
}

static Status read_back(const Operation *operation, const char *name, int side, Output *outputs,
                        Error *error) {
    _Alignas(16) unsigned char params[1024];
    params_initialise(operation, params);
    if (strstr(name, ".r16")) {
        assert_ok(param_set_number(operation_param(operation, "width"), params, side, error), *error);
        assert_ok(param_set_number(operation_param(operation, "height"), params, side, error), *error);
    }
    const Call call = { .inputs = { { .text = in_folder(name) } } };
    return run_operation(operation, call, params, outputs, error);
}

// The same heights at the ends of what a float holds, far from zero and within a small range: all steps of
// the numbers are used, and an .asc keeps every bit. A .r16 does not say its scale.
static void heights_come_back_in_every_format(void **state) {
    (void)state;
    static const struct {
        double low, range;
    } spans[] = { { 0, 1 },     { -500, 0.0117 }, { 0, 1e-6 },    { 0.3, 0.1 },
                  { 0, 1e-40 }, { -3e38, 6e38 },  { 1e30, 1e25 }, { 7, 0 } };
    for (size_t span = 0; span < sizeof spans / sizeof *spans; span++)
        for (int i = 0; i < NAMES; i++) {
            if (strstr(names[i], ".r16"))
                continue;
            Field field = noise_field(256, 256, 3);
            for (size_t c = 0; c < field_count(&field); c++)
                field_cells(&field)[c] = (float)(spans[span].low + spans[span].range * (double)c / 65535);
            Output outputs[OUTPUTS_MAX];
            Error error;
            assert_ok(save(&field, names[i], outputs, &error), error);
            assert_ok(read_back(&op_load, names[i], 256, outputs, &error), error);
            if (strstr(names[i], ".asc"))
                assert_same_bits(&outputs[0].field, &field);
            for (size_t c = 0; c < field_count(&field); c++) {
                const double height = (double)field.cells[c],
                             next = (double)nextafterf(field.cells[c], INFINITY);
                assert_near((double)outputs[0].field.cells[c], height,
                            0.501 * spans[span].range / 65535 + next - height);
            }
            outputs_free(outputs);
            field_free(&field);
        }
}

static void the_user_is_told_what_a_file_does_not_keep(void **state) {
    (void)state;
    static const struct {
        const char *head, *told; // NULL: nothing
    } grids[] = { { "xllcorner 10.5\nyllcorner 47\ncellsize 30\n", NULL },
                  { "NODATA_value 4\n", NULL },
                  { "xllcorner 0\nyllcorner 0\ncellsize 0.5\nNODATA_value -9999\n", NULL },
                  { "cellsize 1\n", NULL } };
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        FILE *file = fopen(in_folder("g.asc"), "w");
        assert_non_null(file);
        fprintf(file, "ncols 2\nnrows 2\n%s1 2\n3 4\n", grids[i].head);
        fclose(file);
        Output outputs[OUTPUTS_MAX];
        Error error, notice = { "" };
        const Call call = { .inputs = { { .text = in_folder("g.asc") } }, .notice = &notice };
        assert_ok(run_operation(&op_load, call, NULL, outputs, &error), error);
        if (grids[i].told ? !strstr(notice.text, grids[i].told) : notice.text[0])
            fail_msg("grid %zu: '%s'", i, notice.text);
        outputs_free(outputs);
    }
    Field field = noise_field(8, 8, 3);
    Output outputs[OUTPUTS_MAX];
    Error error, notice = { "" };
    const Call call = { .inputs = { { .field = &field }, { .text = in_folder("a.r16") } },
                        .notice = &notice };
    assert_ok(run_operation(&op_save, call, NULL, outputs, &error), error);
    assert_string_equal(notice.text, "");
    field.frame = (Frame){ .right_x = 30, .down_y = -30, .system = "EPSG:26916" };
    assert_ok(run_operation(&op_save, call, NULL, outputs, &error), error);
    assert_non_null(strstr(notice.text, "does not store where its cells lie; the .json beside it does"));
    field_free(&field);
}

// Each allocation of a save fails once: the file from before stays as it was, and no other is left.
static void a_save_without_memory_leaves_the_old_file(void **state) {
    (void)state;
    Field old = noise_field(16, 16, 1), field = noise_field(64, 64, 2);
    for (int i = 0; i < NAMES; i++) {
        Output outputs[OUTPUTS_MAX];
        Error error;
        Status status = STATUS_MEMORY;
        for (long successes = 0; status != STATUS_OK; successes++) {
            files_in_folder(true);
            assert_ok(save(&old, names[i], outputs, &error), error);
            const size_t before = memory_in_use();
            memory_fail_after(successes);
            status = save(&field, names[i], outputs, &error);
            memory_fail_after(-1);
            assert_int_equal(memory_in_use(), before);
            assert_int_equal(files_in_folder(false), 1);
            assert_ok(read_back(&op_load, names[i], status == STATUS_OK ? 64 : 16, outputs, &error), error);
            assert_int_equal(outputs[0].field.width, status == STATUS_OK ? 64 : 16);
            outputs_free(outputs);
        }
    }
    field_free(&old);
    field_free(&field);
}

static void reading_without_memory_is_an_error(void **state) {
    (void)state;
    static const Operation *const readers[] = { &op_load, &op_info };
    Field field = noise_field(64, 64, 2);
    for (int i = 0; i < NAMES; i++)
        for (int r = 0; r < 2; r++) {
            Output outputs[OUTPUTS_MAX];
            Error error;
            if (readers[r] == &op_info && i > 0)
                continue; // only a PNG says how it was made
            assert_ok(save(&field, names[i], outputs, &error), error);
            const size_t before = memory_in_use();
            Status status = STATUS_MEMORY;
            for (long successes = 0; status != STATUS_OK; successes++) {
                memory_fail_after(successes);
                status = r == 0 ? read_back(readers[r], names[i], 64, outputs, &error)
                                : run_operation(readers[r],
                                                (Call){ .inputs = { { .text = in_folder(names[i]) } } }, NULL,
                                                outputs, &error);
                memory_fail_after(-1);
                if (status == STATUS_OK)
                    outputs_free(outputs);
                assert_int_equal(memory_in_use(), before);
            }
        }
    field_free(&field);
}

// Any file that is cut off is an error, never a crash, and never half a field.
static void truncated_files_are_errors(void **state) {
    (void)state;
    Field field = noise_field(20, 20, 2);
    for (int i = 0; i < NAMES; i++) {
        Output outputs[OUTPUTS_MAX];
        Error error;
        assert_ok(save(&field, names[i], outputs, &error), error);
        FILE *file = fopen(in_folder(names[i]), "rb");
        assert_int_equal(fseek(file, 0, SEEK_END), 0);
        const long length = ftell(file);
        fclose(file);
        const bool text = strstr(names[i], ".asc"); // the last number may lose a digit and is one still
        for (long cut = length - (text ? 16 : 1); cut >= 0; cut -= 1 + length / 200) {
            assert_int_equal(truncate(in_folder(names[i]), cut), 0);
            if (read_back(&op_load, names[i], 20, outputs, &error) == STATUS_OK)
                fail_msg("%s is read, though it ends %ld bytes early", names[i], length - cut);
        }
    }
    field_free(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_come_back_in_every_format),
        cmocka_unit_test(the_user_is_told_what_a_file_does_not_keep),
        cmocka_unit_test(a_save_without_memory_leaves_the_old_file),
        cmocka_unit_test(reading_without_memory_is_an_error),
        cmocka_unit_test(truncated_files_are_errors),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
