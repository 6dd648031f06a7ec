#include "Internal.h"

#include <glib-unix.h>
#include <unistd.h>

// Functions of libdispatch for foreign main loops; Foundation's run loop uses them too.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

static gboolean drain(gint descriptor, GIOCondition condition, gpointer data) {
    (void)condition, (void)data;
    guint64 count;
    // An eventfd: reading resets it. If another wake-up has done so already, there is nothing to do.
    if (read(descriptor, &count, sizeof count) < 0) count = 0;
    _dispatch_main_queue_callback_4CF(NULL);
    return G_SOURCE_CONTINUE;
}

void cw_attach_main_queue(void) { g_unix_fd_add(_dispatch_get_main_queue_handle_4CF(), G_IO_IN, drain, NULL); }
