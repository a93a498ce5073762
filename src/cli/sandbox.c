#define _GNU_SOURCE // clearenv, syscall
#include "cli/sandbox.h"

#include "cli/interrupt.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "file/access.h"
#include "lua/binding.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// --- files -------------------------------------------------------------------------------------------------

// Newer than the headers of Debian 12; the numbers are the kernel's.
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
enum {
    TRUNCATE = 1 << 14,
    DEVICES = 1 << 15,
    NETWORK = 1 << 0 | 1 << 1,
    SIGNALS_AND_SOCKETS = 1 << 0 | 1 << 1
};

typedef struct Ruleset { // struct landlock_ruleset_attr as of its sixth version
    uint64_t files, network, scoped;
} Ruleset;

static const uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE;
static const uint64_t writing = LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE | TRUNCATE;

int landlock_version(void) {
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? 0 : (int)version;
}

// The rights that each version adds, and the size of its structure.
static const struct {
    int version;
    Ruleset more;
    size_t size;
} versions[] = {
    { 1, { .files = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1 }, offsetof(Ruleset, network) },
    { 2, { .files = LANDLOCK_ACCESS_FS_REFER }, offsetof(Ruleset, network) },
    { 3, { .files = TRUNCATE }, offsetof(Ruleset, network) },
    { 4, { .network = NETWORK }, offsetof(Ruleset, scoped) },
    { 5, { .files = DEVICES }, offsetof(Ruleset, scoped) },
    { 6, { .scoped = SIGNALS_AND_SOCKETS }, sizeof(Ruleset) },
};

static size_t forbid(int version, Ruleset *all) {
    size_t size = 0;
    for (size_t i = 0; i < sizeof versions / sizeof *versions && versions[i].version <= version; i++) {
        all->files |= versions[i].more.files;
        all->network |= versions[i].more.network;
        all->scoped |= versions[i].more.scoped;
        size = versions[i].size;
    }
    return size;
}

static int allow(int rules, int place, uint64_t rights) {
    struct landlock_path_beneath_attr beneath = { .allowed_access = rights, .parent_fd = place };
    return (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
}

static int restrict_to_allowed(int rules, uint64_t files) {
    int outcome = 0;
    for (int i = 0; outcome == 0 && access_readable(i) >= 0; i++)
        outcome = allow(rules, access_readable(i), reading);
    if (outcome == 0 && access_writable() >= 0)
        outcome = allow(rules, access_writable(), writing & files);
    return outcome == 0 ? (int)syscall(SYS_landlock_restrict_self, rules, 0) : outcome;
}

Status landlock_keep(int version, Error *error) {
    if (version == 0)
        return STATUS_OK;
    Ruleset all = { 0, 0, 0 };
    const size_t size = forbid(version, &all);
    const int rules =
        (int)syscall(SYS_landlock_create_ruleset, &all, size, 0); // all following calls refuse -1
    const int outcome = restrict_to_allowed(rules, all.files), problem = errno;
    close(rules);
    return outcome == 0 ? STATUS_OK : fail(error, STATUS_FILE, "Landlock: %s", strerror(problem));
}

// --- processes, memory and system calls --------------------------------------------------------------------

#ifdef ESKER_SECCOMP
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/wait.h>
#endif

// --- limits by the kernel ----------------------------------------------------------------------------------

enum {
    ROOM_BESIDE = 40 << 20, // memory of the C library, libpng and the stacks' guards
    FILES_MAX = 64,         // open at once
};
static const rlim_t max_file = (rlim_t)128 << 30; // bytes; 7 fields of 65,536²

static void limit(unsigned which, rlim_t most) {
    const struct rlimit limits = { most, most };
    setrlimit(which, &limits);
}

// Sanitizers map terabytes.
#ifdef ESKER_PLAIN_KERNELS
static void limit_address_space(size_t more) {
    (void)more;
}
#else
static size_t address_space(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void limit_address_space(size_t more) {
    limit(RLIMIT_AS, address_space() + more);
}
#endif

void sandbox_limit_memory(size_t bytes) {
    const size_t stacks = (size_t)processor_count() << 20;
    memory_set_limit(memory_in_use() + memory_charged() + bytes);
    limit_address_space(bytes + ROOM_BESIDE + stacks);
}

// --- seccomp: everything else ------------------------------------------------------------------------------

#ifdef ESKER_SECCOMP

// Allowed unconditionally: memory, files that are open or that Landlock allows, threads, clocks, signals,
// exit.
static const int allowed[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
    SCMP_SYS(pread64),
    SCMP_SYS(pwrite64),
    SCMP_SYS(lseek),
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(stat),
    SCMP_SYS(lstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(statx),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getdents64),
    SCMP_SYS(fsync),
    SCMP_SYS(flock),
    SCMP_SYS(ftruncate),
    SCMP_SYS(fallocate),
    SCMP_SYS(linkat),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(fcntl),
    SCMP_SYS(dup),
    SCMP_SYS(dup3),
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(futex),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(gettid),
    SCMP_SYS(getpid),
    SCMP_SYS(getppid),
    SCMP_SYS(getuid),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(getrandom),
    SCMP_SYS(getrusage),
    SCMP_SYS(sysinfo),
    SCMP_SYS(uname),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(setitimer),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

static int allow_some(scmp_filter_ctx filter, unsigned self) {
    int outcome = 0;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        outcome |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    // Memory is never executable.
    outcome |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
                                SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    outcome |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
                                SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    // Threads are allowed, processes are not. A filter cannot read clone3's arguments in memory, so clone3
    // fails as missing and the C library uses clone.
    outcome |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                                SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
    outcome |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    // Terminal queries; nothing that simulates input.
    outcome |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1, SCMP_A1(SCMP_CMP_EQ, TCGETS));
    outcome |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1, SCMP_A1(SCMP_CMP_EQ, TIOCGWINSZ));
    // Reading limits, not setting them; signals to itself: abort.
    outcome |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A2(SCMP_CMP_EQ, 0));
    outcome |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, self));
    return outcome;
}

// Writes the filter as the kernel reads it; everything that it does not allow fails with EPERM.
static int write_filter(int to, unsigned self) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM)); // all following calls refuse NULL
    const int outcome = allow_some(filter, self) | seccomp_export_bpf(filter, to);
    seccomp_release(filter);
    return outcome;
}

enum { FILTER_MAX = 512 }; // instructions; about 100 are needed on x86-64

// Where an allocation fails, libseccomp (2.5) may crash, loop for ever, or write a filter that lacks rules
// and report success. So a process of its own builds the filter twice, and both must be equal.
static void write_filters(int to, unsigned self) {
    enum { ROOM = 8 << 20, SECONDS_MAX = 5 };
    signal(SIGALRM, SIG_DFL);
    alarm(SECONDS_MAX);
    // What both would lack. Not by malloc, which fills it where a test sets MALLOC_PERTURB_: 6 ms a run.
    void *room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const bool is_room = room != MAP_FAILED && munmap(room, ROOM) == 0;
    _exit(is_room && write_filter(to, self) == 0 && write_filter(to, self) == 0 ? 0 : 1);
}

// Reads all that comes, at most `most` bytes.
static size_t read_all(int from, void *bytes, size_t most) {
    size_t filled = 0;
    ssize_t more = 1;
    while (filled < most && (more > 0 || (more < 0 && errno == EINTR))) {
        more = read(from, (char *)bytes + filled, most - filled);
        filled += more > 0 ? (size_t)more : 0;
    }
    return filled;
}

// The instructions in `filter`, of which there are two copies; 0: it could not be built.
static size_t build_filter(struct sock_filter filter[2 * FILTER_MAX]) {
    const unsigned self = (unsigned)getpid();
    int ends[2], outcome = -1;
    if (pipe(ends) != 0)
        return 0;
    const pid_t writer = fork();
    if (writer == 0)
        write_filters(ends[1], self);
    close(ends[1]);
    const size_t bytes = writer > 0 ? read_all(ends[0], filter, 2 * FILTER_MAX * sizeof *filter) : 0;
    close(ends[0]);
    while (writer > 0 && waitpid(writer, &outcome, 0) < 0 && errno == EINTR) {
    }
    const size_t length = bytes / 2 / sizeof *filter;
    const bool is_whole = outcome == 0 && bytes == 2 * length * sizeof *filter &&
                          memcmp(filter, filter + length, bytes / 2) == 0;
    return is_whole ? length : 0;
}

static Status keep_calls(Error *error) {
    struct sock_filter filter[2 * FILTER_MAX];
    const size_t length = build_filter(filter);
    if (length == 0)
        return fail(error, STATUS_MEMORY,
                    "seccomp: the filter could not be built: there is too little memory");
    const struct sock_fprog program = { .len = (unsigned short)length, .filter = filter };
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0
               ? STATUS_OK
               : fail(error, STATUS_FILE, "seccomp: the kernel refused the filter");
}

static bool has_seccomp(void) {
    return prctl(PR_GET_SECCOMP) >= 0;
}

#else

static Status keep_calls(Error *error) {
    (void)error;
    return STATUS_OK;
}

static bool has_seccomp(void) {
    return false;
}

#endif

// --- all of it ---------------------------------------------------------------------------------------------

const char *sandbox_lacks(void) {
    const bool files = landlock_version() > 0, calls = has_seccomp();
    return files && calls ? NULL
           : files ? "there is no seccomp here: only Landlock and Esker's own checks confine the recipe"
           : calls ? "there is no Landlock here: only seccomp and Esker's own checks confine the recipe"
                   : "there is neither Landlock nor seccomp here: only Esker's own checks confine the recipe";
}

Status sandbox_enter(Error *error) {
    clearenv();
    setenv("TZ", "UTC0", 1); // and without time zone and language of the machine
    tzset();
    setlocale(LC_ALL, "C");
    access_confine();
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, FILES_MAX);
    limit(RLIMIT_FSIZE, max_file);
    signal(SIGXFSZ, SIG_IGN); // exceeding the file size limit is an error of the write
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return fail(error, STATUS_FILE, "no new privileges: %s", strerror(errno));
    Status status = landlock_keep(landlock_version(), error);
    access_close_places();
    if (status == STATUS_OK && has_seccomp())
        status = keep_calls(error);
    return status;
}

// --- limits of a recipe's process --------------------------------------------------------------------------

enum { DESCRIPTORS_REPLACED = 1024 }; // the usual limit

// If the machine runs out of memory, the kernel should end this process, not its parent.
static void offer_to_the_kernel(void) {
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    const ssize_t wrote = write(file, "1000", 4);
    (void)wrote; // ignored if not permitted
    close(file);
}

// Which of the first DESCRIPTORS_REPLACED descriptors are open: by one call, or where that fails, as where
// `ulimit -n` is lower, by one for each.
static void find_open(bool is_open[DESCRIPTORS_REPLACED]) {
    struct pollfd asked[DESCRIPTORS_REPLACED];
    for (int file = 0; file < DESCRIPTORS_REPLACED; file++)
        asked[file] = (struct pollfd){ .fd = file };
    const bool told = poll(asked, DESCRIPTORS_REPLACED, 0) >= 0;
    for (int file = 0; file < DESCRIPTORS_REPLACED; file++)
        is_open[file] = told ? !(asked[file].revents & POLLNVAL) : fcntl(file, F_GETFD) >= 0;
}

// Connections of a server, which would stay open as long as this process, and take numbers that it may need.
static void close_sockets(bool is_open[DESCRIPTORS_REPLACED], int kept) {
    for (int file = STDERR_FILENO + 1; file < DESCRIPTORS_REPLACED; file++) {
        struct stat about;
        if (is_open[file] && file != kept && fstat(file, &about) == 0 && S_ISSOCK(about.st_mode)) {
            close(file);
            is_open[file] = false;
        }
    }
}

// Puts an empty file in the place of every descriptor that the parent has open, such as its journal's. They
// are not closed: the parent's Lua objects are here, too, and when they are collected they close their
// numbers, which would by then belong to other files.
static void replace_files(const bool is_open[DESCRIPTORS_REPLACED], int kept) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (int file = STDIN_FILENO; file < DESCRIPTORS_REPLACED && nothing >= 0; file++)
        if (is_open[file] && file != kept && file != STDOUT_FILENO && file != STDERR_FILENO)
            dup2(nothing, file);
    if (kept < DESCRIPTORS_REPLACED) {
        close_range(DESCRIPTORS_REPLACED, ~0u, 0);
        return;
    }
    if (kept > DESCRIPTORS_REPLACED)
        close_range(DESCRIPTORS_REPLACED, (unsigned)kept - 1, 0);
    close_range((unsigned)kept + 1, ~0u, 0);
}

void limits_keep(lua_State *L, int index, int kept) {
    index = lua_absindex(L, index);
    const int top = lua_gettop(L);
    luaL_checkstack(L, 8, "limits");
    lua_getfield(L, index, "trust");
    const bool trust = lua_toboolean(L, -1);
    const bool limited = lua_getfield(L, index, "memory_limit") == LUA_TNUMBER && lua_tonumber(L, -1) > 0;
    bool is_open[DESCRIPTORS_REPLACED];
    offer_to_the_kernel();
    find_open(is_open);
    close_sockets(is_open, kept);
    if (!trust) {
        access_forget();              // of a trusted recipe whose process this one is
        replace_files(is_open, kept); // before a library opens some
    }
    limits_begin(L, index);
    if (limited || !trust)
        sandbox_limit_memory(limits_memory(L, index));
    if (!trust) {
        Error error;
        limits_allow(L, index);
        if (sandbox_enter(&error) != STATUS_OK)
            luaL_error(L, "%s", error.text);
    }
    const double time_limit = limits_time(L, index);
    if (time_limit > 0)
        interrupt_after(time_limit);
    lua_settop(L, top);
}
