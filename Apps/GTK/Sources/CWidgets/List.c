#include "Internal.h"

// Including the content above or below the list.
static void scroll_to_end(GtkWidget *list, gboolean is_bottom) {
    GtkWidget *scroller = gtk_widget_get_ancestor(list, GTK_TYPE_SCROLLED_WINDOW);
    if (!scroller) return;
    GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
    gtk_adjustment_set_value(adjustment, is_bottom ? gtk_adjustment_get_upper(adjustment) : 0);
}

static void moved(GtkWidget *list, GtkMovementStep step, int count) {
    if (step == GTK_MOVEMENT_BUFFER_ENDS) scroll_to_end(list, count > 0);
}

// At its ends the focus stays in the list, whereas GTK would move it out: more rows may be added soon. GTK does not scroll to a row that
// got the focus before its allocation; this function does.
static gboolean stay_at_end(GtkWidget *list, GtkDirectionType direction) {
    scroll_to_end(list, direction == GTK_DIR_DOWN);
    return TRUE;
}

GtkWidget *cw_list_new(const char *accessible_name) {
    GtkWidget *list = gtk_list_box_new();
    gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
    gtk_widget_add_css_class(list, "boxed-list");
    cw_widget_set_accessible_name(list, accessible_name);
    g_signal_connect_after(list, "move-cursor", G_CALLBACK(moved), NULL);
    g_signal_connect(list, "keynav-failed", G_CALLBACK(stay_at_end), NULL);
    return list;
}

void cw_list_append(GtkWidget *list, GtkWidget *row) { gtk_list_box_append(GTK_LIST_BOX(list), row); }

void cw_list_remove(GtkWidget *list, GtkWidget *row) { gtk_list_box_remove(GTK_LIST_BOX(list), row); }

bool cw_list_focus_shown_row(GtkWidget *list) {
    GtkListBoxRow *row = NULL;
    GtkWidget *scroller = gtk_widget_get_ancestor(list, GTK_TYPE_SCROLLED_WINDOW);
    double x = 0, y = 0;
    if (scroller && gtk_widget_translate_coordinates(scroller, list, 0, gtk_widget_get_height(scroller) / 2, &x, &y))
        row = gtk_list_box_get_row_at_y(GTK_LIST_BOX(list), (int)y);
    if (!row) row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(list), 0);
    return row && gtk_widget_grab_focus(GTK_WIDGET(row));
}

typedef AdwBin CWTabStop;
typedef AdwBinClass CWTabStopClass;
G_DEFINE_TYPE(CWTabStop, cw_tab_stop, ADW_TYPE_BIN)

static gboolean move_focus(GtkWidget *widget, GtkDirectionType direction) {
    GtkWidget *list = adw_bin_get_child(ADW_BIN(widget));
    if (direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD) return gtk_widget_child_focus(list, direction);
    return !cw_widget_contains_focus(list) && cw_list_focus_shown_row(list);
}

static void cw_tab_stop_init(CWTabStop *stop) { (void)stop; }

static void cw_tab_stop_class_init(CWTabStopClass *class) { GTK_WIDGET_CLASS(class)->focus = move_focus; }

GtkWidget *cw_tab_stop_new(GtkWidget *list) { return g_object_new(cw_tab_stop_get_type(), "child", list, NULL); }

GtkWidget *cw_list_row_new(GtkWidget *child) {
    GtkWidget *row = gtk_list_box_row_new();
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), child);
    gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), FALSE);
    return row;
}
