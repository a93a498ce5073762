// measure REPORT PROGRAM ARGUMENT …: runs the program and writes into the file REPORT how it ended: exit
// status (128 and more: by a signal), milliseconds, and the most kibibytes that it or a process of its had.
// What takes longer than half a minute is ended.

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

int main(int count, char **words) {
    if (count < 3)
        return EXIT_FAILURE;
    const double start = milliseconds();
    const pid_t process = fork();
    if (process == 0) {
        alarm(30); // stays over exec
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
            milliseconds() - start, usage.ru_maxrss);
    return fclose(report) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
