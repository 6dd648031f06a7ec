#ifndef AUTHHUB_C_KERNEL_KEYRING_H
#define AUTHHUB_C_KERNEL_KEYRING_H

// The C library has no functions for these calls, and Swift cannot call syscall(2), whose arguments vary.
#if defined(__linux__)

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// add_key(2)
static inline long kernel_keyring_add(
    const char *type, const char *description, const void *payload, size_t length, int32_t keyring) {
    return syscall(SYS_add_key, type, description, payload, length, keyring);
}

// keyctl(2)
static inline long kernel_keyring_control(
    int32_t operation, unsigned long second, unsigned long third, unsigned long fourth, unsigned long fifth) {
    return syscall(SYS_keyctl, operation, second, third, fourth, fifth);
}

#endif
#endif
