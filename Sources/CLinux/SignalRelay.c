#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

extern char **environ;

// Atomic variables of this size are safe in signal handlers.
static atomic_int child_process = 0;
static atomic_uint kept_signals = 0;
static atomic_int end_arrived = 0;
static atomic_int term_arrived = 0;

static void pass_on(void) {
    pid_t child = atomic_load(&child_process);
    if (child <= 0) return;
    unsigned int signals = atomic_exchange(&kept_signals, 0);
    for (int number = 1; number < 32; number++) {
        if (signals & (1u << number)) kill(child, number);
    }
}

static int is_from_terminal(const siginfo_t *information) {
#if defined(__linux__)
    // SI_KERNEL and others; SI_USER, SI_QUEUE and SI_TKILL are not positive.
    return information->si_code > 0;
#else
    return information->si_code != SI_USER && information->si_code != SI_QUEUE;
#endif
}

static void handle(int number, siginfo_t *information, void *context) {
    (void)context;
    int error = errno;
    if (number == SIGTERM) atomic_store(&term_arrived, 1);
    if (number == SIGTERM || number == SIGINT || number == SIGQUIT || number == SIGHUP) atomic_store(&end_arrived, 1);
    if (atomic_load(&child_process) <= 0 || !is_from_terminal(information)) {
        // Kept first: signal_relay_set_child may run at the same time.
        atomic_fetch_or(&kept_signals, 1u << number);
        pass_on();
    }
    errno = error;
}

int signal_relay_add(int number) {
    struct sigaction action = {0};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigfillset(&action.sa_mask);
    return sigaction(number, &action, NULL);
}

void signal_relay_set_child(pid_t child) {
    atomic_store(&child_process, child);
    pass_on();
}

int signal_relay_take_end(void) { return atomic_exchange(&end_arrived, 0); }

int signal_relay_has_ended(void) { return atomic_load(&term_arrived); }

int signal_is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN;
}

char *const *process_environment(void) { return environ; }
