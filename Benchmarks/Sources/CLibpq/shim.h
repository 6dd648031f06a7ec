// pkg-config finds its location on the system.
#include <libpq-fe.h>
