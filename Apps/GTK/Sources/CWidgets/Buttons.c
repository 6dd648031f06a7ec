#include "Internal.h"

GtkWidget *cw_button_new(const char *label) { return gtk_button_new_with_label(label); }

GtkWidget *cw_icon_button_new(const char *icon, const char *accessible_name) {
    GtkWidget *button = gtk_button_new_from_icon_name(icon);
    gtk_widget_set_tooltip_text(button, accessible_name);
    cw_widget_set_accessible_name(button, accessible_name);
    return button;
}

void cw_button_set_label(GtkWidget *button, const char *label) { gtk_button_set_label(GTK_BUTTON(button), label); }

void cw_button_on_click(GtkWidget *button, CWCallback callback) { cw_connect(button, "clicked", callback); }

void cw_button_set_action(GtkWidget *button, const char *action) { gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action); }

GtkWidget *cw_link_button_new(const char *label, const char *address) { return gtk_link_button_new_with_label(address, label); }

void cw_link_button_set_address(GtkWidget *button, const char *address) {
    gtk_link_button_set_uri(GTK_LINK_BUTTON(button), address);
}

GtkWidget *cw_menu_button_new(const char *icon, const char *accessible_name) {
    GtkWidget *button = gtk_menu_button_new();
    GMenu *menu = g_menu_new();
    gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), icon);
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
    gtk_menu_button_set_primary(GTK_MENU_BUTTON(button), TRUE);
    gtk_widget_set_tooltip_text(button, accessible_name);
    cw_widget_set_accessible_name(button, accessible_name);
    g_object_unref(menu);
    return button;
}

void cw_menu_button_append(GtkWidget *button, const char *label, const char *action) {
    g_menu_append(G_MENU(gtk_menu_button_get_menu_model(GTK_MENU_BUTTON(button))), label, action);
}
