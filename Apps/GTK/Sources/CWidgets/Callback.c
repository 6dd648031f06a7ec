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

// Swapped, so that the callback comes first, and what else the signal passes is not looked at.
void cw_connect(gpointer object, const char *signal, CWCallback callback) {
    g_signal_connect_data(
        object, signal, G_CALLBACK(cw_callback_call), cw_callback_copy(callback), cw_callback_release_closure, G_CONNECT_SWAPPED);
}
