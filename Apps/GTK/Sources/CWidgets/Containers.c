#include "Internal.h"

GtkWidget *cw_box_new(bool vertical, int spacing) {
    return gtk_box_new(vertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL, spacing);
}

GtkWidget *cw_alert_box_new(int spacing) {
    return g_object_new(GTK_TYPE_BOX, "spacing", spacing, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL);
}

void cw_box_append(GtkWidget *box, GtkWidget *child) { gtk_box_append(GTK_BOX(box), child); }

GtkWidget *cw_clamp_new(GtkWidget *child, int width) {
    GtkWidget *clamp = adw_clamp_new();
    adw_clamp_set_maximum_size(ADW_CLAMP(clamp), width);
    adw_clamp_set_child(ADW_CLAMP(clamp), child);
    return clamp;
}

GtkWidget *cw_revealer_new(GtkWidget *child) {
    GtkWidget *revealer = gtk_revealer_new();
    gtk_revealer_set_child(GTK_REVEALER(revealer), child);
    return revealer;
}

void cw_revealer_set_revealed(GtkWidget *revealer, bool revealed) { gtk_revealer_set_reveal_child(GTK_REVEALER(revealer), revealed); }

GtkWidget *cw_stack_new(void) {
    GtkWidget *stack = gtk_stack_new();
    gtk_stack_set_transition_type(GTK_STACK(stack), GTK_STACK_TRANSITION_TYPE_CROSSFADE);
    return stack;
}

void cw_stack_show(GtkWidget *stack, GtkWidget *child) {
    if (!gtk_widget_get_parent(child)) gtk_stack_add_child(GTK_STACK(stack), child);
    gtk_stack_set_visible_child(GTK_STACK(stack), child);
}

void cw_stack_remove(GtkWidget *stack, GtkWidget *child) { gtk_stack_remove(GTK_STACK(stack), child); }

GtkWidget *cw_scroller_new(GtkWidget *child) {
    GtkWidget *scroller = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), child);
    return scroller;
}

static GtkAdjustment *adjustment_of(GtkWidget *scroller) { return gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller)); }

void cw_scroller_on_scroll(GtkWidget *scroller, CWCallback callback) {
    cw_connect(adjustment_of(scroller), "value-changed", callback);
}

void cw_scroller_on_resize(GtkWidget *scroller, CWCallback callback) { cw_connect(adjustment_of(scroller), "changed", callback); }

double cw_scroller_pages_below(GtkWidget *scroller) {
    GtkAdjustment *adjustment = adjustment_of(scroller);
    double page = gtk_adjustment_get_page_size(adjustment);
    GtkWidget *viewport = gtk_scrolled_window_get_child(GTK_SCROLLED_WINDOW(scroller));
    int height = 0, width = gtk_widget_get_width(viewport);
    if (page <= 0 || width <= 0) return -1;
    // Measured, because a newly added child has no allocation yet.
    gtk_widget_measure(viewport, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);
    return MAX(0, (height - gtk_adjustment_get_value(adjustment) - page) / page);
}

void cw_scroller_to_top(GtkWidget *scroller) { gtk_adjustment_set_value(adjustment_of(scroller), 0); }
