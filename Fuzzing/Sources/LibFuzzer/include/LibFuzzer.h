#include <stddef.h>
#include <stdint.h>

/// The way into libFuzzer for programs with a `main` of their own; see FuzzerInterface.h of LLVM.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*check)(const uint8_t *data, size_t size));
