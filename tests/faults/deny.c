// deny CALL=ERRNO … -- PROGRAM ARGUMENT …: runs the program with system calls that fail, as on another
// kernel, a file system without their like, or a broken disk. CALL:N=V&MASK=ERRNO denies it only where
// argument N is V under MASK.

#define _GNU_SOURCE
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number_of(const char *name) {
    static const struct {
        const char *name;
        int number;
    } errors[] = { { "ENOSYS", ENOSYS }, { "EINVAL", EINVAL },        { "EIO", EIO },
                   { "ENOSPC", ENOSPC }, { "EAGAIN", EAGAIN },        { "ENOMEM", ENOMEM },
                   { "EPERM", EPERM },   { "EOPNOTSUPP", EOPNOTSUPP } };
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strcmp(name, errors[i].name) == 0)
            return errors[i].number;
    fprintf(stderr, "deny: no error %s\n", name);
    exit(125);
}

static int deny(scmp_filter_ctx filter, char *word) {
    char *error = strrchr(word, '=');
    *error++ = '\0';
    char *condition = strchr(word, ':');
    if (condition)
        *condition++ = '\0';
    const int call = seccomp_syscall_resolve_name(word);
    const uint32_t action = SCMP_ACT_ERRNO((uint32_t)number_of(error));
    if (!condition)
        return seccomp_rule_add(filter, action, call, 0);
    char *at;
    const unsigned argument = (unsigned)strtoul(condition, &at, 0);
    const scmp_datum_t value = strtoull(at + 1, &at, 0),
                       mask = *at == '&' ? strtoull(at + 1, NULL, 0) : ~0ull;
    return seccomp_rule_add(filter, action, call, 1, SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, mask, value));
}

int main(int count, char **words) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int i = 1;
    for (; i < count && strcmp(words[i], "--") != 0; i++)
        if (deny(filter, words[i]) != 0) {
            fprintf(stderr, "deny: %s cannot be denied\n", words[i]);
            return 125;
        }
    if (seccomp_load(filter) != 0 || i + 1 >= count)
        return 125;
    execvp(words[i + 1], words + i + 1);
    return 127;
}
