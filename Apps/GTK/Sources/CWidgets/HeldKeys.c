#include "Internal.h"

// A held key repeats, and a button that it presses may be replaced by another one. A user who holds a key means only the first.

#define HELD "authhub-held-key"

static void hold(GObject *window, guint code) { g_object_set_data(window, HELD, GUINT_TO_POINTER(code)); }

static gboolean pressed(GObject *window, guint key, guint code) {
    switch (key) {
    case GDK_KEY_space:
    case GDK_KEY_KP_Space:
        // In a text field it is a character.
        if (GTK_IS_EDITABLE(gtk_window_get_focus(GTK_WINDOW(window)))) return FALSE;
        break;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter: break;
    default: return FALSE;
    }
    gboolean repeated = GPOINTER_TO_UINT(g_object_get_data(window, HELD)) == code;
    hold(window, code);
    return repeated;
}

static void released(GObject *window, guint key, guint code) { hold(window, 0); }

// A window that is no longer active is not notified when the key is released.
static void activity_changed(GtkWindow *window) {
    if (!gtk_window_is_active(window)) hold(G_OBJECT(window), 0);
}

void cw_window_press_once(GtkWindow *window) {
    GtkEventController *controller = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE);
    g_signal_connect_swapped(controller, "key-pressed", G_CALLBACK(pressed), window);
    g_signal_connect_swapped(controller, "key-released", G_CALLBACK(released), window);
    gtk_widget_add_controller(GTK_WIDGET(window), controller);
    g_signal_connect(window, "notify::is-active", G_CALLBACK(activity_changed), NULL);
}
