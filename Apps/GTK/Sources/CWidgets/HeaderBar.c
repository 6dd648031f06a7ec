#include "Internal.h"

GtkWidget *cw_header_bar_new(GtkWidget *title) {
    GtkWidget *bar = adw_header_bar_new();
    adw_header_bar_set_title_widget(ADW_HEADER_BAR(bar), title);
    return bar;
}

void cw_header_bar_pack(GtkWidget *bar, GtkWidget *child, bool at_end) {
    if (at_end) {
        adw_header_bar_pack_end(ADW_HEADER_BAR(bar), child);
    } else {
        adw_header_bar_pack_start(ADW_HEADER_BAR(bar), child);
    }
}

GtkWidget *cw_window_title_new(void) { return adw_window_title_new("", ""); }

void cw_window_title_set(GtkWidget *title, const char *text, const char *subtitle) {
    adw_window_title_set_title(ADW_WINDOW_TITLE(title), text);
    adw_window_title_set_subtitle(ADW_WINDOW_TITLE(title), subtitle);
}
