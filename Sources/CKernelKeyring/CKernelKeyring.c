#include "CKernelKeyring.h"

// A C target needs a source file that is compiled.
typedef int kernel_keyring_is_all_in_the_header;
