#ifndef AUTHHUB_C_WIDGETS_H
#define AUTHHUB_C_WIDGETS_H

// The parts of GTK and libadwaita that the app uses. Every widget is a GtkWidget here; the functions cast to the required types, and GTK
// prints a warning about a wrong cast. Text is shown as it is, never as markup. All functions must be called on the main thread.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct _GtkWidget GtkWidget;
typedef struct _AdwApplication AdwApplication;

// A function, its context, and how to release the context when it can no longer be called.
typedef struct {
    void (*call)(void *context);
    void *context;
    void (*release)(void *context);
} CWCallback;

// Application.c
AdwApplication *cw_application_new(const char *identifier, bool unique);
void cw_application_on_activate(AdwApplication *application, CWCallback callback);
// Runs until cw_application_quit. If it is unique and another process has the identifier, that one is activated, and this one ends.
int cw_application_run(AdwApplication *application);
bool cw_application_is_remote(AdwApplication *application);
void cw_application_quit(AdwApplication *application);
// The action "app.NAME", with up to two key combinations.
void cw_application_add_action(
    AdwApplication *application, const char *name, const char *_Nullable keys, const char *_Nullable other_keys, CWCallback callback);
void cw_application_enable_action(AdwApplication *application, const char *name, bool enabled);
// Whether there is a display to show windows on.
bool cw_can_show_windows(void);
void cw_on_signal(int number, CWCallback callback);
void cw_load_style(const char *css);

// MainQueue.c
// Lets the main loop run the jobs that are queued for the main actor.
void cw_attach_main_queue(void);

// Places.c: the folders of the XDG Base Directory Specification.
const char *cw_config_folder(void);
const char *cw_data_folder(void);
const char *cw_state_folder(void);

// Widget.c
void cw_widget_take(GtkWidget *widget);
void cw_widget_release(GtkWidget *widget);
void cw_widget_set_visible(GtkWidget *widget, bool visible);
void cw_widget_set_sensitive(GtkWidget *widget, bool sensitive);
void cw_widget_set_margins(GtkWidget *widget, int top, int bottom, int start, int end);
void cw_widget_set_expanding(GtkWidget *widget, bool horizontally, bool vertically);
// Centers it in its space instead of filling it.
void cw_widget_center(GtkWidget *widget, bool horizontally, bool vertically);
void cw_widget_add_style(GtkWidget *widget, const char *name);
void cw_widget_set_accessible_name(GtkWidget *widget, const char *text);
void cw_widget_set_accessible_description(GtkWidget *widget, const char *text);
bool cw_widget_grab_focus(GtkWidget *widget);
bool cw_widget_contains_focus(GtkWidget *widget);
void cw_widget_on_key(GtkWidget *widget, const char *keys, CWCallback callback);

// Window.c
GtkWidget *cw_window_new(AdwApplication *application, const char *title);
void cw_window_set_content(GtkWidget *window, GtkWidget *content);
void cw_window_present(GtkWidget *window);
// Raises it above the window of another program that the user is in. If the desktop does not allow that (Wayland), it asks for attention.
void cw_window_raise(GtkWidget *window);
// The window is not closed; the callback decides.
void cw_window_on_close(GtkWidget *window, CWCallback callback);
void cw_window_set_default_widget(GtkWidget *window, GtkWidget *_Nullable widget);
void cw_window_copy(GtkWidget *window, const char *text);
void cw_window_restore_size(GtkWidget *window, const char *file, int width, int height);
void cw_window_save_size(GtkWidget *window, const char *file);
// Without the icon if the icon theme does not have it.
void cw_about_show(GtkWidget *window, const char *name, const char *icon, const char *version, const char *comments);

// Containers.c
GtkWidget *cw_box_new(bool vertical, int spacing);
// Announced by assistive technologies as soon as it is shown.
GtkWidget *cw_alert_box_new(int spacing);
void cw_box_append(GtkWidget *box, GtkWidget *child);
GtkWidget *cw_clamp_new(GtkWidget *child, int width);
GtkWidget *cw_revealer_new(GtkWidget *child);
void cw_revealer_set_revealed(GtkWidget *revealer, bool revealed);
GtkWidget *cw_stack_new(void);
void cw_stack_show(GtkWidget *stack, GtkWidget *child);
void cw_stack_remove(GtkWidget *stack, GtkWidget *child);
GtkWidget *cw_scroller_new(GtkWidget *child);
void cw_scroller_on_scroll(GtkWidget *scroller, CWCallback callback);
// Called whenever the content or the visible part changes in height.
void cw_scroller_on_resize(GtkWidget *scroller, CWCallback callback);
// The height of the content below the visible part, as a multiple of the visible height; negative while that is zero.
double cw_scroller_pages_below(GtkWidget *scroller);
void cw_scroller_to_top(GtkWidget *scroller);

// HeaderBar.c
GtkWidget *cw_header_bar_new(GtkWidget *title);
void cw_header_bar_pack(GtkWidget *bar, GtkWidget *child, bool at_end);
GtkWidget *cw_window_title_new(void);
void cw_window_title_set(GtkWidget *title, const char *text, const char *subtitle);

// Texts.c
GtkWidget *cw_label_new(const char *text);
void cw_label_set_text(GtkWidget *label, const char *text);
// Wraps the text over several lines, or cuts it to one.
void cw_label_set_wrapping(GtkWidget *label, bool wrapping);
void cw_label_limit_lines(GtkWidget *label, int lines);
void cw_label_align_start(GtkWidget *label);
void cw_label_set_selectable(GtkWidget *label);
GtkWidget *cw_status_page_new(const char *icon);
void cw_status_page_set(GtkWidget *page, const char *title, const char *description);
void cw_status_page_set_child(GtkWidget *page, GtkWidget *child);

// Pictures.c
GtkWidget *cw_icon_new(const char *name, const char *accessible_name);
GtkWidget *cw_spinner_new(void);
void cw_spinner_set_spinning(GtkWidget *spinner, bool spinning);
GtkWidget *cw_avatar_new(int size);
void cw_avatar_set_name(GtkWidget *avatar, const char *name);
// If the bytes are not a picture, or it has too many points, the initials remain. Returns false then.
bool cw_avatar_set_picture(GtkWidget *avatar, const uint8_t *_Nullable bytes, size_t count);

// Buttons.c
GtkWidget *cw_button_new(const char *label);
GtkWidget *cw_icon_button_new(const char *icon, const char *accessible_name);
void cw_button_set_label(GtkWidget *button, const char *label);
void cw_button_on_click(GtkWidget *button, CWCallback callback);
void cw_button_set_action(GtkWidget *button, const char *action);
GtkWidget *cw_link_button_new(const char *label, const char *address);
void cw_link_button_set_address(GtkWidget *button, const char *address);
// Also opens with F10.
GtkWidget *cw_menu_button_new(const char *icon, const char *accessible_name);
void cw_menu_button_append(GtkWidget *button, const char *label, const char *action);

// Rows.c
GtkWidget *cw_group_new(void);
void cw_group_add(GtkWidget *group, GtkWidget *row);
GtkWidget *cw_switch_row_new(const char *title, const char *subtitle);
bool cw_switch_row_is_on(GtkWidget *row);
void cw_switch_row_set_on(GtkWidget *row, bool on);
void cw_switch_row_on_change(GtkWidget *row, CWCallback callback);
GtkWidget *cw_choice_row_new(const char *title);
void cw_choice_row_append(GtkWidget *row, const char *text);
unsigned int cw_choice_row_selected(GtkWidget *row);
void cw_choice_row_select(GtkWidget *row, unsigned int position);
void cw_choice_row_on_change(GtkWidget *row, CWCallback callback);
// Enter in these rows activates the default widget of the window.
GtkWidget *cw_entry_row_new(const char *title);
GtkWidget *cw_password_row_new(const char *title);
GtkWidget *cw_secret_entry_new(const char *accessible_name);
// Escape clears it.
GtkWidget *cw_search_entry_new(const char *accessible_name);
// Called a moment after the last change.
void cw_search_entry_on_change(GtkWidget *entry, CWCallback callback);
// Any of the entries above.
const char *cw_editable_text(GtkWidget *entry);
void cw_editable_clear(GtkWidget *entry);
void cw_editable_on_activate(GtkWidget *entry, CWCallback callback);
void cw_editable_on_change(GtkWidget *entry, CWCallback callback);

// List.c
GtkWidget *cw_list_new(const char *accessible_name);
void cw_list_append(GtkWidget *list, GtkWidget *row);
void cw_list_remove(GtkWidget *list, GtkWidget *row);
// Focuses a visible row. Returns false if there is none.
bool cw_list_focus_shown_row(GtkWidget *list);
// A list that the Tab key leaves instead of moving from row to row, which the arrow keys do.
GtkWidget *cw_tab_stop_new(GtkWidget *list);
GtkWidget *cw_list_row_new(GtkWidget *child);

#pragma clang assume_nonnull end
#endif
