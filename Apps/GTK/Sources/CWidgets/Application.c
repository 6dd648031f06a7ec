#include "Internal.h"

#include <glib-unix.h>
#include <signal.h>

AdwApplication *cw_application_new(const char *identifier, bool unique) {
    return adw_application_new(identifier, unique ? G_APPLICATION_DEFAULT_FLAGS : G_APPLICATION_NON_UNIQUE);
}

void cw_application_on_activate(AdwApplication *application, CWCallback callback) { cw_connect(application, "activate", callback); }

int cw_application_run(AdwApplication *application) { return g_application_run(G_APPLICATION(application), 0, NULL); }

bool cw_application_is_remote(AdwApplication *application) {
    return g_application_register(G_APPLICATION(application), NULL, NULL) && g_application_get_is_remote(G_APPLICATION(application));
}

void cw_application_quit(AdwApplication *application) { g_application_quit(G_APPLICATION(application)); }

void cw_application_add_action(
    AdwApplication *application, const char *name, const char *keys, const char *other_keys, CWCallback callback) {
    GSimpleAction *action = g_simple_action_new(name, NULL);
    cw_connect(action, "activate", callback);
    g_action_map_add_action(G_ACTION_MAP(application), G_ACTION(action));
    g_object_unref(action);
    g_autofree char *full_name = g_strconcat("app.", name, NULL);
    const char *combinations[] = {keys, other_keys, NULL};
    gtk_application_set_accels_for_action(GTK_APPLICATION(application), full_name, combinations);
}

void cw_application_enable_action(AdwApplication *application, const char *name, bool enabled) {
    g_simple_action_set_enabled(G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(application), name)), enabled);
}

bool cw_can_show_windows(void) { return gtk_init_check(); }

static gboolean signalled(gpointer callback) {
    cw_callback_call(callback);
    return G_SOURCE_CONTINUE;
}

void cw_on_signal(int number, CWCallback callback) {
    struct sigaction before;
    // As nohup leaves SIGHUP: then the loss of the terminal does not matter.
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN) {
        callback.release(callback.context);
        return;
    }
    g_unix_signal_add_full(G_PRIORITY_DEFAULT, number, signalled, cw_callback_copy(callback), cw_callback_release);
}

void cw_load_style(const char *css) {
    GtkCssProvider *provider = gtk_css_provider_new();
    gtk_css_provider_load_from_data(provider, css, -1);
    gtk_style_context_add_provider_for_display(
        gdk_display_get_default(), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    g_object_unref(provider);
}
