#ifndef AUTHHUB_C_WIDGETS_INTERNAL_H
#define AUTHHUB_C_WIDGETS_INTERNAL_H

// APIs that were deprecated after these versions must still be used to support these versions.
#define GLIB_VERSION_MIN_REQUIRED GLIB_VERSION_2_74
#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8
#define ADW_VERSION_MIN_REQUIRED ADW_VERSION_1_2
#include <adwaita.h>

#include "CWidgets.h"

CWCallback *cw_callback_copy(CWCallback callback);
void cw_callback_call(CWCallback *callback);
// Releases the copy and its context.
void cw_callback_release(gpointer callback);
void cw_callback_release_closure(gpointer callback, GClosure *closure);

// Calls back when the object emits the signal, ignoring the signal's arguments, and releases the context with the object.
void cw_connect(gpointer object, const char *signal, CWCallback callback);

// Makes a key press a single button, however long it is held.
void cw_window_press_once(GtkWindow *window);

#endif
