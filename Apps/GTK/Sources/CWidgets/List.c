#include "Internal.h"

GtkWidget *cw_list_new(const char *accessible_name) {
    GtkWidget *list = gtk_list_box_new();
    gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
    gtk_widget_add_css_class(list, "boxed-list");
    cw_widget_set_accessible_name(list, accessible_name);
    return list;
}

void cw_list_append(GtkWidget *list, GtkWidget *row) { gtk_list_box_append(GTK_LIST_BOX(list), row); }

void cw_list_remove(GtkWidget *list, GtkWidget *row) { gtk_list_box_remove(GTK_LIST_BOX(list), row); }

GtkWidget *cw_list_row_new(GtkWidget *child) {
    GtkWidget *row = gtk_list_box_row_new();
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), child);
    gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), FALSE);
    return row;
}
