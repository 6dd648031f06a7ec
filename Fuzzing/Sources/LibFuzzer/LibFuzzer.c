#include "LibFuzzer.h"

/// What libFuzzer's own `main` would call. That is linked with the rest of it, and gives way to the program's.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return -1; }
