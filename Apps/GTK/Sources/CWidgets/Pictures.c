#include "Internal.h"

GtkWidget *cw_icon_new(const char *name, const char *accessible_name) {
    GtkWidget *icon = gtk_image_new_from_icon_name(name);
    cw_widget_set_accessible_name(icon, accessible_name);
    return icon;
}

GtkWidget *cw_spinner_new(void) { return gtk_spinner_new(); }

void cw_spinner_set_spinning(GtkWidget *spinner, bool spinning) { gtk_spinner_set_spinning(GTK_SPINNER(spinner), spinning); }

GtkWidget *cw_avatar_new(int size) {
    return g_object_new(ADW_TYPE_AVATAR, "size", size, "show-initials", TRUE, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
}

void cw_avatar_set_name(GtkWidget *avatar, const char *name) { adw_avatar_set_text(ADW_AVATAR(avatar), name); }

// Only for bytes that were checked before: a loader does not reveal how much memory or time it will need.
static GdkPaintable *picture_from(const uint8_t *bytes, size_t count) {
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
    gboolean is_written = gdk_pixbuf_loader_write(loader, bytes, count, NULL);
    // Even if writing failed: a loader must be closed.
    gboolean is_whole = gdk_pixbuf_loader_close(loader, NULL);
    GdkPixbuf *pixels = is_written && is_whole ? gdk_pixbuf_loader_get_pixbuf(loader) : NULL;
    GdkTexture *texture = pixels ? gdk_texture_new_for_pixbuf(pixels) : NULL;
    g_object_unref(loader);
    return texture ? GDK_PAINTABLE(texture) : NULL;
}

bool cw_avatar_set_picture(GtkWidget *avatar, const uint8_t *bytes, size_t count) {
    GdkPaintable *picture = bytes ? picture_from(bytes, count) : NULL;
    adw_avatar_set_custom_image(ADW_AVATAR(avatar), picture);
    if (!picture) return false;
    g_object_unref(picture);
    return true;
}
