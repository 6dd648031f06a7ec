#include "CLinux.h"

#if defined(__linux__)

#include <linux/magic.h>
#include <sys/vfs.h>

static int argument_count = 0;
static char **argument_vector = NULL;

#if defined(__GLIBC__)
// glibc calls constructors with the arguments of main; other C libraries do not.
__attribute__((constructor)) static void keep_arguments(int count, char **vector) {
    argument_count = count;
    argument_vector = vector;
}
#endif

int process_argument_count(void) { return argument_count; }

int folder_is_on_tmpfs(const char *path) {
    struct statfs information;
    return statfs(path, &information) == 0 && information.f_type == TMPFS_MAGIC;
}

const char *process_argument(int index) {
    return index >= 0 && index < argument_count ? argument_vector[index] : NULL;
}

#endif
