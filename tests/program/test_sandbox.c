// What a confined process can still do, tried from within: by the kernel's own word, without Esker's checks
// between.

#define _GNU_SOURCE
#include "support.h"

#include "cli/sandbox.h"
#include "core/parallel.h"
#include "file/access.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static char folder[] = "/tmp/esker-sandbox-XXXXXX";

static int make_files(void **state) {
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 &&
                   system("mkdir read write && echo x >read/file && echo x >outside && echo x >write/old") ==
                       0
               ? 0
               : -1;
}

static int remove_files(void **state) {
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

// Runs `body` in a process of its own; 0 is what it returns when all is well.
static int apart(int (*body)(int number), int number) {
    const pid_t process = fork();
    if (process == 0) {
        Error error;
        if (access_allow_reading("read", ACCESS_TYPED, &error) != STATUS_OK ||
            access_allow_writing("write", ACCESS_TYPED, &error) != STATUS_OK)
            _exit(250);
        alarm(10);
        _exit(body(number));
    }
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 200;
}

static bool opens(const char *path, int flags) {
    const int file = open(path, flags, 0666);
    if (file >= 0)
        close(file);
    return file >= 0;
}

// The number of the first thing that is not as it should be.
static int files_are_kept(int version) {
    int step = 1;
#define expect(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            return step;                                                                                     \
        step++;                                                                                              \
    } while (0)
    expect(opens("read/file", O_RDONLY));
    expect(!opens("read/file", O_WRONLY));
    expect(!opens("read/new", O_WRONLY | O_CREAT));
    expect(!opens("outside", O_RDONLY));
    expect(!opens("outside", O_WRONLY));
    expect(!opens("new", O_WRONLY | O_CREAT));
    expect(!opens("/etc/passwd", O_RDONLY));
    expect(!opens(".", O_RDONLY | O_DIRECTORY));
    expect(!opens("write/old", O_RDONLY));
    expect(opens("write/old", O_WRONLY));
    expect(opens("write/new", O_WRONLY | O_CREAT));
    expect(opens("write", O_TMPFILE | O_WRONLY));
    expect(rename("write/new", "write/newer") == 0);
    expect(unlink("write/newer") == 0);
    expect(unlink("outside") != 0);
    expect(rename("write/old", "moved") != 0);
    expect(link("read/file", "write/linked") != 0);
    expect(symlink("/etc", "write/etc") != 0);
    expect(mkdir("write/folder", 0777) != 0);
    expect(mkfifo("write/pipe", 0666) != 0);
    expect(version < 3 || truncate("outside", 0) != 0);
    return 0;
}

static int keep_files(int version) {
    Error error;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return landlock_keep(version, &error) == STATUS_OK ? files_are_kept(version) : 100;
}

static void landlock_keeps_files_in_every_version(void **state) {
    (void)state;
    for (int version = 1; version <= landlock_version(); version++) {
        const int wrong = apart(keep_files, version);
        if (wrong != 0)
            fail_msg("version %d: step %d", version, wrong);
    }
}

static int keep_nothing(int version) {
    Error error;
    return landlock_keep(version, &error) == STATUS_OK && opens("outside", O_RDONLY) ? 0 : 1;
}

static int keep_what_is_closed(int unused) {
    (void)unused;
    Error error;
    close(access_readable(0));
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return landlock_keep(landlock_version(), &error) == STATUS_FILE && strstr(error.text, "Landlock: ") ? 0
                                                                                                        : 1;
}

static void without_a_version_nothing_happens_and_what_is_closed_is_an_error(void **state) {
    (void)state;
    assert_int_equal(apart(keep_nothing, 0), 0);
    if (landlock_version() > 0)
        assert_int_equal(apart(keep_what_is_closed, 0), 0);
}

// --- all of it ---------------------------------------------------------------------------------------------

static void *in_thread(void *argument) {
    *(int *)argument = 7;
    return NULL;
}

static int nothing_else_is_left(int unused) {
    (void)unused;
    int step = 1, got = 0;
    Error error;
    const pid_t parent = getppid();
    setenv("ESKER_SECRET", "x", 1);
    expect(sandbox_enter(&error) == STATUS_OK);
    expect(!getenv("ESKER_SECRET") && !getenv("PATH"));
    // Of the kernel's, where it has seccomp; sandbox_lacks says when it has not.
    const char *lacks = sandbox_lacks();
    if (lacks && strstr(lacks, "no seccomp"))
        return 0;
    expect(fork() < 0 && errno == EPERM);
    expect(execl("/bin/true", "true", (char *)NULL) < 0);
    expect(socket(AF_INET, SOCK_STREAM, 0) < 0);
    expect(socket(AF_UNIX, SOCK_STREAM, 0) < 0);
    expect(kill(parent, 0) < 0);
    expect(ptrace(PTRACE_TRACEME, 0, 0, 0) < 0);
    expect(ioctl(STDIN_FILENO, TIOCSTI, "x") < 0 && errno == EPERM);
    expect(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(page != MAP_FAILED);
    expect(mprotect(page, 4096, PROT_READ | PROT_EXEC) < 0);
    struct rlimit more = { RLIM_INFINITY, RLIM_INFINITY }, now;
    expect(setrlimit(RLIMIT_FSIZE, &more) < 0);
    expect(getrlimit(RLIMIT_FSIZE, &now) == 0 && now.rlim_cur < RLIM_INFINITY);
    expect(getrlimit(RLIMIT_CORE, &now) == 0 && now.rlim_cur == 0);
    expect(syscall(SYS_bpf, 0, NULL, 0) < 0);
    expect(syscall(SYS_memfd_create, "x", 0) < 0);
    expect(syscall(SYS_process_vm_readv, parent, NULL, 0, NULL, 0, 0) < 0);
    expect(chdir("/") < 0);
    expect(mkdir("write/folder", 0777) < 0);
    // Threads are there, and clocks.
    pthread_t thread;
    expect(pthread_create(&thread, NULL, in_thread, &got) == 0);
    expect(pthread_join(thread, NULL) == 0 && got == 7);
    expect(processor_count() >= 1);
    FILE *stream = access_open("read/file", &error);
    expect(stream && getc(stream) == 'x');
    expect(!access_open("outside", &error));
    return 0;
}

static void a_confined_process_computes_and_nothing_else(void **state) {
    (void)state;
    const int wrong = apart(nothing_else_is_left, 0);
    if (wrong != 0)
        fail_msg("step %d", wrong);
}

#ifndef ESKER_PLAIN_KERNELS // under sanitizers the system's limit is not set
static int take_memory(int unused) {
    (void)unused;
    int step = 1;
    Error error;
    enum { LIMIT = 50 << 20 };
    sandbox_limit_memory(LIMIT);
    expect(memory_limit() - memory_in_use() == LIMIT);
    void *block = memory_new(LIMIT - (1 << 20), 1, &error);
    expect(block);
    expect(!memory_new(2 << 20, 1, &error));
    memory_free(block);
    expect(!malloc((size_t)LIMIT + (200 << 20))); // from any caller
    return 0;
}

static void memory_is_limited_for_whoever_asks(void **state) {
    (void)state;
    const int wrong = apart(take_memory, 0);
    if (wrong != 0)
        fail_msg("step %d", wrong);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(landlock_keeps_files_in_every_version),
        cmocka_unit_test(without_a_version_nothing_happens_and_what_is_closed_is_an_error),
        cmocka_unit_test(a_confined_process_computes_and_nothing_else),
#ifndef ESKER_PLAIN_KERNELS
        cmocka_unit_test(memory_is_limited_for_whoever_asks),
#endif
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
