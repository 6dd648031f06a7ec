#ifndef AUTHHUB_C_LINUX_H
#define AUTHHUB_C_LINUX_H

#include <sys/types.h>

// Signals that are passed on to a child process, in SignalRelay.c. Swift cannot run in a signal handler.

// Passes a signal on from now on; without a child process it is kept for the next one. A signal of the terminal is not passed on, because
// the terminal sends it to the child process as well.
int signal_relay_add(int number);
// Sets the child process, and sends it the kept signals; 0 for none.
void signal_relay_set_child(pid_t child);
// Returns whether a signal that usually ends a process (SIGHUP, SIGINT, SIGQUIT or SIGTERM) has arrived since the last call.
int signal_relay_take_end(void);
// Returns whether SIGTERM has ever arrived.
int signal_relay_has_ended(void);
// Returns whether this process ignores a signal.
int signal_is_ignored(int number);
// Returns the environment unchanged, even if it is not UTF-8.
char *const *process_environment(void);

// Swift cannot call functions whose arguments vary, as those of syscall(2) and prctl(2) do.
#if defined(__linux__)

#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// add_key(2), which the C library has no function for.
static inline long kernel_keyring_add(
    const char *type, const char *description, const void *payload, size_t length, int32_t keyring) {
    return syscall(SYS_add_key, type, description, payload, length, keyring);
}

// keyctl(2), likewise.
static inline long kernel_keyring_control(
    int32_t operation, unsigned long second, unsigned long third, unsigned long fourth, unsigned long fifth) {
    return syscall(SYS_keyctl, operation, second, third, fourth, fifth);
}

// PR_SET_DUMPABLE: whether the process leaves core files, and whether others of its user may trace it and read its memory.
static inline int process_set_dumpable(int is_dumpable) {
    return prctl(PR_SET_DUMPABLE, (unsigned long)is_dumpable, 0UL, 0UL, 0UL);
}

// The arguments that this process was started with, as glibc knows them; none with other C libraries. Swift reads them from /proc.
int process_argument_count(void);
const char *process_argument(int index);

// statfs(2), which Swift's module of the C library lacks: whether a folder is on a tmpfs.
int folder_is_on_tmpfs(const char *path);

// SO_PEERCRED (unix(7)): the user who listened at the other end of a Unix socket; for other sockets (uid_t)-1.
static inline int socket_peer_user(int descriptor, uint32_t *user) {
    struct { int32_t process; uint32_t user; uint32_t group; } peer = {0, UINT32_MAX, UINT32_MAX};
    socklen_t size = sizeof peer;
    int status = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size);
    *user = peer.user;
    return status;
}

#endif
#endif
