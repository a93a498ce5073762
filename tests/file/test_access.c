// What a confined process may open, and that it holds whatever the path says: each case in a process of its
// own, since confinement is for good.

#include "support.h"

#include "file/access.h"
#include "operations.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/esker-access-XXXXXX";

// recipe/in.txt, recipe/deep/in.txt, named.txt, secret.txt, recipe/pipe, out/, and links between them.
static int make_files(void **state) {
    (void)state;
    static const char commands[] =
        "mkdir -p recipe/deep out/deep recipe-not && for f in recipe/in.txt recipe/deep/in.txt named.txt "
        "secret.txt "
        "out/made.txt recipe-not/x.txt; do echo content >$f; done && mkfifo recipe/pipe && "
        "ln -s ../secret.txt recipe/link && ln -s .. recipe/up && ln -s deep recipe/inner && ln -s .. out/up "
        "&& "
        "ln -s nowhere recipe/dangling && ln -s loop recipe/loop";
    return mkdtemp(folder) && chdir(folder) == 0 && system(commands) == 0 ? 0 : -1;
}

static int remove_files(void **state) {
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

// Runs `body` in a confined process and returns what it returns.
static int confined(int (*body)(const char *path), const char *path) {
    const pid_t process = fork();
    if (process == 0) {
        Error error;
        if (access_allow_reading("recipe", ACCESS_TYPED, &error) != STATUS_OK ||
            access_allow_reading("named.txt", ACCESS_TYPED, &error) != STATUS_OK ||
            access_allow_writing("out", ACCESS_TYPED, &error) != STATUS_OK)
            _exit(100);
        access_confine();
        alarm(5);
        _exit(body(path));
    }
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

enum { OPENED, MISSING, REFUSED, OTHER };

static int try_to_read(const char *path) {
    Error error;
    FILE *stream = access_open(path, &error);
    if (stream)
        return getc(stream) == 'c' ? OPENED : OTHER;
    return strstr(error.text, "No such file")           ? MISSING
           : strstr(error.text, "below its own folder") ? REFUSED
                                                        : OTHER;
}

static int try_to_write(const char *path) {
    Error error;
    const int place = access_open_folder_of(AT_FDCWD, path, path, &error);
    return place >= 0 ? OPENED : strstr(error.text, "below its output folder") ? REFUSED : OTHER;
}

// What the message says of a file that lies in a folder that may be read, but not where it is looked for.
static int try_beside(const char *path) {
    Error error;
    char here[200];
    snprintf(here, sizeof here, "cannot read '%s' in %s: ", path, folder);
    if (access_open(path, &error) || !strstr(error.text, here) || !strstr(error.text, "below its own folder"))
        return OTHER;
    snprintf(here, sizeof here, "it lies in %s/recipe: start esker there", folder);
    return strstr(error.text, here) ? OPENED : strstr(error.text, "it lies") ? OTHER : MISSING;
}

typedef struct Case {
    const char *path;
    int expected;
} Case;

static void check(const Case *cases, size_t count, int (*body)(const char *path)) {
    for (size_t i = 0; i < count; i++) {
        const int got = confined(body, cases[i].path);
        if (got != cases[i].expected)
            fail_msg("%s: %d, not %d", cases[i].path, got, cases[i].expected);
    }
}

static void reading(void **state) {
    (void)state;
    static const Case cases[] = {
        { "recipe/in.txt", OPENED },
        { "recipe/deep/in.txt", OPENED },
        { "recipe/inner/in.txt", OPENED },
        { "recipe/deep/../in.txt", OPENED },
        { "recipe/up/recipe/in.txt", OPENED },
        { "named.txt", OPENED },
        { "out/made.txt", REFUSED },
        { "recipe/missing.txt", MISSING },
        { "recipe/nowhere/deep/missing.txt", MISSING },
        { "recipe/nowhere/../../missing.txt", MISSING },
        { "recipe/up/nowhere/missing.txt", REFUSED },
        { "/nowhere/missing.txt", REFUSED },
        { "recipe/dangling", MISSING },
        { "recipe/loop", OTHER },
        { "recipe/pipe", OTHER },
        { "recipe/deep", OTHER },
        { "secret.txt", REFUSED },
        { "missing.txt", REFUSED },
        { "nowhere/missing.txt", REFUSED },
        { "recipe-not/x.txt", REFUSED },
        { "recipe/link", OTHER },
        { "recipe/up/secret.txt", REFUSED },
        { "recipe/../secret.txt", REFUSED },
        { "out/up/secret.txt", REFUSED },
        { "/etc/passwd", REFUSED },
        { "/proc/self/environ", REFUSED },
        { "", REFUSED },
    };
    check(cases, sizeof cases / sizeof *cases, try_to_read);
}

static void beside(void **state) {
    (void)state;
    static const Case cases[] = { { "in.txt", OPENED },       { "deep/in.txt", OPENED },
                                  { "missing.txt", MISSING }, { "link", MISSING },
                                  { "secret.txt", MISSING },  { "../secret.txt", MISSING } };
    check(cases, sizeof cases / sizeof *cases, try_beside);
}

// A process that may read everything hears where a path leads, and of the recipe's folder.
static void missing_without_limits(void **state) {
    (void)state;
    char expected[300];
    Error error;
    access_note_folder("recipe");
    static const struct {
        const char *path, *after;
    } cases[] = { { "missing.txt", " in FOLDER: No such file or directory" },
                  { "in.txt",
                    " in FOLDER: No such file or directory; it lies in FOLDER/recipe: start esker there, "
                    "or load it by that path" },
                  { "/missing.txt", ": No such file or directory" } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(access_open(cases[i].path, &error));
        int length = snprintf(expected, sizeof expected, "cannot read '%s'", cases[i].path);
        for (const char *at = cases[i].after; *at; at++) {
            const bool is_folder = strncmp(at, "FOLDER", 6) == 0;
            length += snprintf(expected + length, sizeof expected - (size_t)length, "%.*s",
                               is_folder ? (int)sizeof folder : 1, is_folder ? folder : at);
            at += is_folder ? 5 : 0;
        }
        assert_string_equal(error.text, expected);
    }
    access_forget();
}

static void writing(void **state) {
    (void)state;
    static const Case cases[] = {
        { "out/x.png", OPENED },     { "out/deep/x.png", OPENED }, { "out/deep/../x.png", OPENED },
        { "x.png", REFUSED },        { "recipe/x.png", REFUSED },  { "out/up/x.png", REFUSED },
        { "out/../x.png", REFUSED }, { "/tmp/x.png", REFUSED },    { "out/missing/x.png", REFUSED },
        { "out", REFUSED },
    };
    check(cases, sizeof cases / sizeof *cases, try_to_write);
}

static int long_path(const char *unused) {
    (void)unused;
    char path[5000];
    memset(path, 'a', sizeof path);
    path[sizeof path - 2] = '/';
    path[sizeof path - 1] = '\0';
    Error error;
    return access_open_folder_of(AT_FDCWD, path, path, &error) < 0 && strstr(error.text, "too long") &&
                   !access_open(path, &error)
               ? OPENED
               : OTHER;
}

static void long_paths_are_errors(void **state) {
    (void)state;
    assert_int_equal(confined(long_path, ""), OPENED);
    assert_int_equal(long_path(""), OPENED);
}

static void without_confinement_everything_opens(void **state) {
    (void)state;
    Error error;
    FILE *stream = access_open("recipe/link", &error);
    assert_non_null(stream);
    fclose(stream);
    assert_null(access_open("missing.txt", &error));
    assert_non_null(strstr(error.text, "No such file"));
    const int place = access_open_folder_of(AT_FDCWD, "named.txt", "named.txt", &error);
    assert_true(place >= 0);
    close(place);
    assert_int_equal(access_open_folder_of(AT_FDCWD, "missing/x.txt", "missing/x.txt", &error), -1);
    assert_non_null(strstr(error.text, "cannot write 'missing/x.txt': No such file"));
    assert_int_equal(access_readable(0), -1);
    assert_int_equal(access_writable(), -1);
    assert_null(access_open("recipe/pipe", &error));
    assert_non_null(strstr(error.text, "it is not a plain file"));
    assert_null(access_open("recipe/deep", &error));
    assert_non_null(strstr(error.text, "Is a directory"));
}

static void a_file_is_below_the_folder_that_holds_it(void **state) {
    (void)state;
    Error error;
    FILE *stream = access_open("recipe/deep/in.txt", &error);
    assert_non_null(stream);
    assert_true(access_is_below(stream, "recipe"));
    assert_true(access_is_below(stream, "recipe/deep"));
    assert_false(access_is_below(stream, "out"));
    assert_false(access_is_below(stream, "missing"));
    fclose(stream);
}

// Each part of a path is the name of a folder; none leads upwards.
static void only_names_lead_below_a_folder(void **state) {
    (void)state;
    char long_name[300];
    memset(long_name, 'n', sizeof long_name);
    memcpy(long_name + sizeof long_name - 3, "/x", 3);
    static const struct {
        const char *path;
        int problem;
    } cases[] = {
        { "recipe//in.txt", 0 },  { "/recipe", EINVAL }, { "../x", EINVAL },      { "recipe/../x", EINVAL },
        { "recipe/", EINVAL },    { "..", EINVAL },      { "recipe/..", EINVAL }, { "no/x", ENOENT },
        { "recipe/up/x", ELOOP }, { "recipe/x", 0 },     { "recipe/deep/x", 0 },  { "recipe/..x", 0 },
        { NULL, ENAMETOOLONG },
    };
    const int here = open(".", O_RDONLY | O_DIRECTORY);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = cases[i].path ? cases[i].path : long_name, *name;
        errno = 0;
        const int parent = below_open_parent(here, path, &name);
        if (cases[i].problem ? parent >= 0 || errno != cases[i].problem : parent < 0)
            fail_msg("%s: %d, %s", path, parent, strerror(errno));
        if (parent >= 0)
            close(parent);
    }
    close(here);
}

// A path that was real, and by now is a link or leads through one.
static void what_was_exchanged_for_a_link_is_refused(void **state) {
    (void)state;
    static const char *const paths[] = { "recipe/deep", "recipe/deep/in.txt", "named.txt" };
    static const char *const exchanged[] = { "recipe/deep", "recipe/deep", "named.txt" };
    Error error;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char path[200];
        snprintf(path, sizeof path, "%s/%s", folder, paths[i]);
        const int before = access_open_real(path, &error);
        assert_true(before >= 0);
        close(before);
        assert_int_equal(rename(exchanged[i], "gone"), 0);
        assert_int_equal(symlink(i < 2 ? "../recipe" : "secret.txt", exchanged[i]), 0);
        const Status reading_it = access_allow_reading(path, ACCESS_REAL, &error);
        const Status writing_it = access_allow_writing(path, ACCESS_REAL, &error);
        const int opened = access_open_real(path, &error);
        assert_int_equal(unlink(exchanged[i]), 0);
        assert_int_equal(rename("gone", exchanged[i]), 0);
        assert_int_equal(reading_it, STATUS_FILE);
        assert_int_equal(writing_it, STATUS_FILE);
        assert_int_equal(opened, -1);
        assert_non_null(strstr(error.text, "it was exchanged for a link meanwhile"));
        assert_int_equal(access_readable(0), -1);
        assert_int_equal(access_writable(), -1);
    }
}

static int allow_too_many(const char *unused) {
    (void)unused;
    Error error;
    for (int i = 2; i < 64; i++)
        if (access_allow_reading("named.txt", ACCESS_TYPED, &error) != STATUS_OK)
            return OTHER;
    return access_allow_reading("named.txt", ACCESS_TYPED, &error) == STATUS_INVALID &&
                   access_readable(63) >= 0 && access_readable(64) < 0 && access_writable() >= 0
               ? OPENED
               : OTHER;
}

static void what_is_not_there_cannot_be_allowed(void **state) {
    (void)state;
    Error error;
    assert_int_equal(access_allow_reading("missing", ACCESS_TYPED, &error), STATUS_FILE);
    assert_int_equal(access_allow_writing("missing", ACCESS_TYPED, &error), STATUS_FILE);
    assert_int_equal(confined(allow_too_many, ""), OPENED);
}

// Nothing to write in: what a recipe declares is asked of it so.
static void without_an_output_folder_nothing_is_written(void **state) {
    (void)state;
    const pid_t process = fork();
    if (process == 0) {
        access_confine();
        _exit(try_to_write("out/x.png") == REFUSED && try_to_read("named.txt") == REFUSED ? 0 : 1);
    }
    int status;
    waitpid(process, &status, 0);
    assert_int_equal(status, 0);
}

// The root as a folder: everything is below it.
static void everything_is_below_the_root(void **state) {
    (void)state;
    const pid_t process = fork();
    if (process == 0) {
        Error error;
        const bool allowed = access_allow_reading("/", ACCESS_TYPED, &error) == STATUS_OK;
        access_confine();
        _exit(allowed && try_to_read("secret.txt") == OPENED ? 0 : 1);
    }
    int status;
    waitpid(process, &status, 0);
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading),
        cmocka_unit_test(beside),
        cmocka_unit_test(missing_without_limits),
        cmocka_unit_test(writing),
        cmocka_unit_test(long_paths_are_errors),
        cmocka_unit_test(without_confinement_everything_opens),
        cmocka_unit_test(a_file_is_below_the_folder_that_holds_it),
        cmocka_unit_test(only_names_lead_below_a_folder),
        cmocka_unit_test(what_is_not_there_cannot_be_allowed),
        cmocka_unit_test(what_was_exchanged_for_a_link_is_refused),
        cmocka_unit_test(without_an_output_folder_nothing_is_written),
        cmocka_unit_test(everything_is_below_the_root),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
