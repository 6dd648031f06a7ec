/* spawn-loop ROUNDS PROGRAM [ARGUMENT...] -- PROGRAM [ARGUMENT...]
 *
 * Runs two programs in turns, output to /dev/null, and prints for each the median and the fastest wall time, the median CPU time and the
 * largest resident memory, and the ratio of the second to the first. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

struct times {
    double *wall, *cpu;
    long memory;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static double milliseconds(struct timeval time) {
    return time.tv_sec * 1e3 + time.tv_usec / 1e3;
}

static int run(char **program, posix_spawn_file_actions_t *actions, struct times *times, int round) {
    pid_t child;
    int status;
    struct rusage usage;
    double start = now();
    if (posix_spawnp(&child, program[0], actions, NULL, program, environ) != 0) return -1;
    if (wait4(child, &status, 0, &usage) < 0) return -1;
    times->wall[round] = now() - start;
    times->cpu[round] = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
    if (usage.ru_maxrss > times->memory) times->memory = usage.ru_maxrss;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int ascending(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static void report(const char *name, struct times *times, int rounds) {
    qsort(times->wall, rounds, sizeof(double), ascending);
    qsort(times->cpu, rounds, sizeof(double), ascending);
    printf("%-10s median %.2f ms, fastest %.2f ms, CPU %.2f ms, memory %.1f MB\n", name, times->wall[rounds / 2], times->wall[0],
        times->cpu[rounds / 2], times->memory / 1024.0);
}

int main(int count, char **arguments) {
    int rounds = count > 1 ? atoi(arguments[1]) : 0, middle = 2;
    while (middle < count && strcmp(arguments[middle], "--") != 0) middle++;
    if (rounds < 1 || middle + 1 >= count) {
        fprintf(stderr, "usage: spawn-loop ROUNDS PROGRAM [ARGUMENT...] -- PROGRAM [ARGUMENT...]\n");
        return 64;
    }
    arguments[middle] = NULL;
    char **programs[2] = {arguments + 2, arguments + middle + 1};
    const char *names[2] = {"baseline", "program"};
    struct times times[2];
    for (int which = 0; which < 2; which++)
        times[which] = (struct times){calloc(rounds, sizeof(double)), calloc(rounds, sizeof(double)), 0};

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    for (int round = 0; round < rounds; round++)
        for (int which = 0; which < 2; which++) {
            int status = run(programs[which], &actions, &times[which], round);
            if (status != 0) {
                fprintf(stderr, "%s exited with status %d\n", programs[which][0], status);
                return 1;
            }
        }
    for (int which = 0; which < 2; which++) report(names[which], &times[which], rounds);
    printf("ratio      median %.2f, fastest %.2f\n", times[1].wall[rounds / 2] / times[0].wall[rounds / 2],
        times[1].wall[0] / times[0].wall[0]);
    return 0;
}
