// Counts a program's allocations and the bytes that it still holds at its end; then writes the two numbers to standard error.
//
//     gcc -O2 -shared -fPIC -o count-allocations.so count-allocations.c
//     LD_PRELOAD=./count-allocations.so PROGRAM
//
// All allocations of a program are counted, even those of the static standard library: this library intercepts the calls to the C library.
// Each `realloc` counts as one. The bytes are the usable sizes of the C library, plus its own word before each block.
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *pointer);

static atomic_ulong allocations;
static atomic_long bytes;

static long piece(void *pointer) { return pointer == NULL ? 0 : (long)(malloc_usable_size(pointer) + sizeof(size_t)); }

static void *counted(void *pointer) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, piece(pointer), memory_order_relaxed);
    return pointer;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t items, size_t size) { return counted(__libc_calloc(items, size)); }

void *realloc(void *pointer, size_t size) {
    long before = piece(pointer);
    void *memory = counted(__libc_realloc(pointer, size));
    if (memory != NULL || size == 0) atomic_fetch_sub_explicit(&bytes, before, memory_order_relaxed);
    return memory;
}

void free(void *pointer) {
    atomic_fetch_sub_explicit(&bytes, piece(pointer), memory_order_relaxed);
    __libc_free(pointer);
}

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *pointer = memory;
    return 0;
}

__attribute__((destructor)) static void report(void) { fprintf(stderr, "%lu %ld\n", atomic_load(&allocations), atomic_load(&bytes)); }
