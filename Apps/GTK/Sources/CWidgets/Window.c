#include "Internal.h"

#ifdef GDK_WINDOWING_X11
#include <gdk/x11/gdkx.h>
#endif

#define GROUP "window"

GtkWidget *cw_window_new(AdwApplication *application, const char *title) {
    GtkWidget *window = adw_application_window_new(GTK_APPLICATION(application));
    gtk_window_set_title(GTK_WINDOW(window), title);
    cw_window_press_once(GTK_WINDOW(window));
    return window;
}

void cw_window_set_content(GtkWidget *window, GtkWidget *content) {
    adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), content);
}

void cw_window_present(GtkWidget *window) { gtk_window_present(GTK_WINDOW(window)); }

void cw_window_raise(GtkWidget *window) {
#ifdef GDK_WINDOWING_X11
    GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
    if (surface && GDK_IS_X11_SURFACE(surface)) {
        // The user last interacted with the browser, so an older timestamp would not raise the window.
        gtk_window_present_with_time(GTK_WINDOW(window), gdk_x11_get_server_time(surface));
        return;
    }
#endif
    gtk_window_present(GTK_WINDOW(window));
}

static gboolean asked_to_close(CWCallback *callback) {
    cw_callback_call(callback);
    return TRUE;
}

void cw_window_on_close(GtkWidget *window, CWCallback callback) {
    g_signal_connect_data(
        window, "close-request", G_CALLBACK(asked_to_close), cw_callback_copy(callback), cw_callback_release_closure, G_CONNECT_SWAPPED);
}

void cw_window_set_default_widget(GtkWidget *window, GtkWidget *widget) {
    gtk_window_set_default_widget(GTK_WINDOW(window), widget);
}

void cw_window_restore_size(GtkWidget *window, const char *file, int width, int height) {
    GKeyFile *keys = g_key_file_new();
    if (g_key_file_load_from_file(keys, file, G_KEY_FILE_NONE, NULL)) {
        int saved_width = g_key_file_get_integer(keys, GROUP, "width", NULL);
        int saved_height = g_key_file_get_integer(keys, GROUP, "height", NULL);
        if (saved_width > 0 && saved_width <= 16384) width = saved_width;
        if (saved_height > 0 && saved_height <= 16384) height = saved_height;
        if (g_key_file_get_boolean(keys, GROUP, "maximized", NULL)) gtk_window_maximize(GTK_WINDOW(window));
    }
    g_key_file_free(keys);
    gtk_window_set_default_size(GTK_WINDOW(window), width, height);
}

void cw_window_save_size(GtkWidget *window, const char *file) {
    int width = 0, height = 0;
    gtk_window_get_default_size(GTK_WINDOW(window), &width, &height);
    GKeyFile *keys = g_key_file_new();
    g_key_file_set_integer(keys, GROUP, "width", width);
    g_key_file_set_integer(keys, GROUP, "height", height);
    g_key_file_set_boolean(keys, GROUP, "maximized", gtk_window_is_maximized(GTK_WINDOW(window)));
    g_autofree char *folder = g_path_get_dirname(file);
    // Failing to store the size is not worth reporting.
    if (g_mkdir_with_parents(folder, 0700) == 0) g_key_file_save_to_file(keys, file, NULL);
    g_key_file_free(keys);
}

void cw_about_show(GtkWidget *window, const char *name, const char *icon, const char *version, const char *comments) {
    GtkWidget *about = adw_about_window_new();
    gboolean has_icon = gtk_icon_theme_has_icon(gtk_icon_theme_get_for_display(gtk_widget_get_display(window)), icon);
    g_object_set(
        about, "application-name", name, "application-icon", has_icon ? icon : "", "version", version, "comments", comments, "license-type",
        GTK_LICENSE_APACHE_2_0, "transient-for", window, "modal", TRUE, NULL);
    gtk_window_present(GTK_WINDOW(about));
}

void cw_window_copy(GtkWidget *window, const char *text) { gdk_clipboard_set_text(gtk_widget_get_clipboard(window), text); }
