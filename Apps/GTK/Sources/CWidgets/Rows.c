#include "Internal.h"

GtkWidget *cw_group_new(void) { return adw_preferences_group_new(); }

void cw_group_add(GtkWidget *group, GtkWidget *row) { adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), row); }

static void set_title(GtkWidget *row, const char *title) {
    adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
}

GtkWidget *cw_switch_row_new(const char *title, const char *subtitle) {
    GtkWidget *row = adw_action_row_new();
    set_title(row, title);
    adw_action_row_set_subtitle(ADW_ACTION_ROW(row), subtitle);
    GtkWidget *control = gtk_switch_new();
    gtk_widget_set_valign(control, GTK_ALIGN_CENTER);
    cw_widget_set_accessible_description(control, subtitle);
    adw_action_row_add_suffix(ADW_ACTION_ROW(row), control);
    // Sets the title as the accessible name of the switch.
    adw_action_row_set_activatable_widget(ADW_ACTION_ROW(row), control);
    // A single stop for the Tab key, not two.
    gtk_widget_set_focusable(row, FALSE);
    return row;
}

static GtkSwitch *switch_of(GtkWidget *row) { return GTK_SWITCH(adw_action_row_get_activatable_widget(ADW_ACTION_ROW(row))); }

bool cw_switch_row_is_on(GtkWidget *row) { return gtk_switch_get_active(switch_of(row)); }

void cw_switch_row_set_on(GtkWidget *row, bool on) { gtk_switch_set_active(switch_of(row), on); }

void cw_switch_row_on_change(GtkWidget *row, CWCallback callback) { cw_connect(switch_of(row), "notify::active", callback); }

GtkWidget *cw_choice_row_new(const char *title) {
    GtkWidget *row = adw_combo_row_new();
    set_title(row, title);
    GtkStringList *texts = gtk_string_list_new(NULL);
    adw_combo_row_set_model(ADW_COMBO_ROW(row), G_LIST_MODEL(texts));
    g_object_unref(texts);
    return row;
}

void cw_choice_row_append(GtkWidget *row, const char *text) {
    gtk_string_list_append(GTK_STRING_LIST(adw_combo_row_get_model(ADW_COMBO_ROW(row))), text);
}

unsigned int cw_choice_row_selected(GtkWidget *row) { return adw_combo_row_get_selected(ADW_COMBO_ROW(row)); }

void cw_choice_row_select(GtkWidget *row, unsigned int position) { adw_combo_row_set_selected(ADW_COMBO_ROW(row), position); }

void cw_choice_row_on_change(GtkWidget *row, CWCallback callback) { cw_connect(row, "notify::selected", callback); }

GtkWidget *cw_entry_row_new(const char *title) {
    GtkWidget *row = adw_entry_row_new();
    set_title(row, title);
    adw_entry_row_set_activates_default(ADW_ENTRY_ROW(row), TRUE);
    return row;
}

GtkWidget *cw_password_row_new(const char *title) {
    GtkWidget *row = adw_password_entry_row_new();
    set_title(row, title);
    adw_entry_row_set_activates_default(ADW_ENTRY_ROW(row), TRUE);
    return row;
}

static void clear(GtkWidget *entry) { gtk_editable_set_text(GTK_EDITABLE(entry), ""); }

GtkWidget *cw_search_entry_new(const char *accessible_name) {
    GtkWidget *entry = gtk_search_entry_new();
    g_object_set(entry, "placeholder-text", accessible_name, NULL);
    // On Escape.
    g_signal_connect(entry, "stop-search", G_CALLBACK(clear), NULL);
    cw_widget_set_accessible_name(entry, accessible_name);
    return entry;
}

void cw_search_entry_on_change(GtkWidget *entry, CWCallback callback) { cw_connect(entry, "search-changed", callback); }

GtkWidget *cw_secret_entry_new(const char *accessible_name) {
    GtkWidget *entry = gtk_password_entry_new();
    gtk_password_entry_set_show_peek_icon(GTK_PASSWORD_ENTRY(entry), TRUE);
    cw_widget_set_accessible_name(entry, accessible_name);
    return entry;
}

const char *cw_editable_text(GtkWidget *entry) { return gtk_editable_get_text(GTK_EDITABLE(entry)); }

void cw_editable_clear(GtkWidget *entry) { clear(entry); }

void cw_editable_on_activate(GtkWidget *entry, CWCallback callback) { cw_connect(entry, "activate", callback); }

void cw_editable_on_change(GtkWidget *entry, CWCallback callback) { cw_connect(entry, "changed", callback); }
