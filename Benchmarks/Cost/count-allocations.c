// Counts how often a program asks for memory, and writes the number to standard error when the program ends.
//
//     gcc -O2 -shared -fPIC -o count-allocations.so count-allocations.c
//     LD_PRELOAD=./count-allocations.so PROGRAM
//
// Everything of a program comes through here, the static standard library too: it stands in front of the C library, and hands on.
// Each `realloc` counts as one.
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong allocations;

static void count(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
    count();
    return __libc_calloc(items, size);
}

void *realloc(void *pointer, size_t size) {
    count();
    return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *pointer = memory;
    return 0;
}

__attribute__((destructor)) static void report(void) { fprintf(stderr, "%lu\n", atomic_load(&allocations)); }
