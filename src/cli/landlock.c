#define _GNU_SOURCE // syscall
#include "cli/landlock.h"

#include "file/access.h"

#include <errno.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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
