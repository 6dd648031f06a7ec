#include "CBuildCommit.h"

// In a section of its own, which Scripts/build-release replaces after linking, so that a new commit compiles and links nothing. The size
// is the same there. Volatile, because the compiler must not assume that it stays empty.
#if defined(__ELF__)
__attribute__((section(".authhub.commit"), used))
#endif
static const volatile char commit[64] = {0};

const char *authhub_build_commit(void) {
    return (const char *)commit;
}
