#include "Internal.h"

void cw_widget_take(GtkWidget *widget) { g_object_ref_sink(widget); }

void cw_widget_release(GtkWidget *widget) { g_object_unref(widget); }

void cw_widget_set_visible(GtkWidget *widget, bool visible) { gtk_widget_set_visible(widget, visible); }

void cw_widget_set_sensitive(GtkWidget *widget, bool sensitive) { gtk_widget_set_sensitive(widget, sensitive); }

void cw_widget_set_margins(GtkWidget *widget, int top, int bottom, int start, int end) {
    gtk_widget_set_margin_top(widget, top);
    gtk_widget_set_margin_bottom(widget, bottom);
    gtk_widget_set_margin_start(widget, start);
    gtk_widget_set_margin_end(widget, end);
}

void cw_widget_set_expanding(GtkWidget *widget, bool horizontally, bool vertically) {
    gtk_widget_set_hexpand(widget, horizontally);
    gtk_widget_set_vexpand(widget, vertically);
}

void cw_widget_center(GtkWidget *widget, bool horizontally, bool vertically) {
    if (horizontally) gtk_widget_set_halign(widget, GTK_ALIGN_CENTER);
    if (vertically) gtk_widget_set_valign(widget, GTK_ALIGN_CENTER);
}

void cw_widget_add_style(GtkWidget *widget, const char *name) { gtk_widget_add_css_class(widget, name); }

void cw_widget_set_accessible_name(GtkWidget *widget, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

void cw_widget_set_accessible_description(GtkWidget *widget, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

bool cw_widget_grab_focus(GtkWidget *widget) { return gtk_widget_grab_focus(widget); }

bool cw_widget_contains_focus(GtkWidget *widget) {
    GtkRoot *root = gtk_widget_get_root(widget);
    GtkWidget *focus = root ? gtk_root_get_focus(root) : NULL;
    return focus && (focus == widget || gtk_widget_is_ancestor(focus, widget));
}

static gboolean pressed(GtkWidget *widget, GVariant *arguments, gpointer callback) {
    (void)widget, (void)arguments;
    cw_callback_call(callback);
    return TRUE;
}

void cw_widget_on_key(GtkWidget *widget, const char *keys, CWCallback callback) {
    GtkShortcutAction *action = gtk_callback_action_new(pressed, cw_callback_copy(callback), cw_callback_release);
    GtkEventController *controller = gtk_shortcut_controller_new();
    // For any focus in the window, but after the focused widget.
    gtk_shortcut_controller_set_scope(GTK_SHORTCUT_CONTROLLER(controller), GTK_SHORTCUT_SCOPE_GLOBAL);
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(controller), gtk_shortcut_new(gtk_shortcut_trigger_parse_string(keys), action));
    gtk_widget_add_controller(widget, controller);
}
