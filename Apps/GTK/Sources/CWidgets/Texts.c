#include "Internal.h"

GtkWidget *cw_label_new(const char *text) { return gtk_label_new(text); }

void cw_label_set_text(GtkWidget *label, const char *text) { gtk_label_set_text(GTK_LABEL(label), text); }

void cw_label_set_wrapping(GtkWidget *label, bool wrapping) {
    gtk_label_set_wrap(GTK_LABEL(label), wrapping);
    gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_ellipsize(GTK_LABEL(label), wrapping ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END);
}

void cw_label_limit_lines(GtkWidget *label, int lines) {
    gtk_label_set_lines(GTK_LABEL(label), lines);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
}

void cw_label_align_start(GtkWidget *label) {
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_justify(GTK_LABEL(label), GTK_JUSTIFY_LEFT);
}

void cw_label_set_selectable(GtkWidget *label) { gtk_label_set_selectable(GTK_LABEL(label), TRUE); }

GtkWidget *cw_status_page_new(const char *icon) {
    GtkWidget *page = adw_status_page_new();
    adw_status_page_set_icon_name(ADW_STATUS_PAGE(page), icon);
    return page;
}

void cw_status_page_set(GtkWidget *page, const char *title, const char *description) {
    adw_status_page_set_title(ADW_STATUS_PAGE(page), title);
    // The only text here that libadwaita parses as markup.
    g_autofree char *escaped = g_markup_escape_text(description, -1);
    adw_status_page_set_description(ADW_STATUS_PAGE(page), escaped);
}

void cw_status_page_set_child(GtkWidget *page, GtkWidget *child) { adw_status_page_set_child(ADW_STATUS_PAGE(page), child); }
