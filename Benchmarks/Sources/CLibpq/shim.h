// pkg-config says where the system keeps it.
#include <libpq-fe.h>
