#include "Internal.h"

CWCallback *cw_callback_copy(CWCallback callback) {
    CWCallback *copy = g_new(CWCallback, 1);
    *copy = callback;
    return copy;
}

void cw_callback_call(CWCallback *callback) { callback->call(callback->context); }

void cw_callback_release(gpointer data) {
    CWCallback *callback = data;
    callback->release(callback->context);
    g_free(callback);
}

void cw_callback_release_closure(gpointer data, GClosure *closure) {
    (void)closure;
    cw_callback_release(data);
}

// Swapped, so that the callback is the first argument, and the signal's other arguments are ignored.
void cw_connect(gpointer object, const char *signal, CWCallback callback) {
    g_signal_connect_data(
        object, signal, G_CALLBACK(cw_callback_call), cw_callback_copy(callback), cw_callback_release_closure, G_CONNECT_SWAPPED);
}
