// measure REPORT PROGRAM ARGUMENT …: runs the program and writes into the file REPORT how it ended: exit
// status (128 and more: by a signal), milliseconds of processor time of it and its children, and the peak
// memory of one of them in kibibytes. Processor time, because a busy machine stretches every other clock. A
// program that hangs is ended after a minute of it by SIGXCPU, or after ten of waiting by SIGALRM.

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double milliseconds(struct timeval time) {
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec * 1e-3;
}

int main(int count, char **words) {
    if (count < 3)
        return EXIT_FAILURE;
    const pid_t process = fork();
    if (process == 0) {
        alarm(600); // both stay over exec
        setrlimit(RLIMIT_CPU, &(struct rlimit){ .rlim_cur = 60, .rlim_max = RLIM_INFINITY });
        execvp(words[2], words + 2);
        perror(words[2]);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (process < 0 || wait4(process, &status, 0, &usage) != process)
        return EXIT_FAILURE;
    FILE *report = fopen(words[1], "w");
    if (!report)
        return EXIT_FAILURE;
    fprintf(report, "%d %.0f %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), usage.ru_maxrss);
    return fclose(report) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
