#ifndef AUTHHUB_C_LINUX_H
#define AUTHHUB_C_LINUX_H

// Swift cannot call functions whose arguments vary, as those of syscall(2) and prctl(2) do.
#if defined(__linux__)

#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
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

#endif
#endif
