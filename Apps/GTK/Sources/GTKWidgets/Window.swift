import CWidgets

/// A window of the app.
public final class Window: Widget {
    public init(of application: Application, title: String) {
        super.init(cw_window_new(application.pointer, title))
    }

    public func setContent(_ content: Widget) { cw_window_set_content(pointer, content.pointer) }

    /// Shows it at the user's request.
    public func present() { cw_window_present(pointer) }

    /// Raises it above the window of another program that the user has just used, as far as the desktop allows.
    public func raise() { cw_window_raise(pointer) }

    /// Sets the closure to run instead of closing it.
    public func onClose(run: @escaping @MainActor () -> Void) { cw_window_on_close(pointer, Callback.passing(run)) }

    /// Sets the widget that Enter activates, unless the focused widget handles Enter.
    public func setDefault(_ widget: Widget?) { cw_window_set_default_widget(pointer, widget?.pointer) }

    /// Puts text on the clipboard.
    public func copy(_ text: String) { cw_window_copy(pointer, text) }

    /// Restores the size from a file, or sets this size.
    public func restoreSize(from file: String, width: Int32, height: Int32) {
        cw_window_restore_size(pointer, file, width, height)
    }

    public func saveSize(to file: String) { cw_window_save_size(pointer, file) }

    /// Shows information about the app above the window.
    public func showAbout(name: String, icon: String, version: String, comments: String) {
        cw_about_show(pointer, name, icon, version, comments)
    }
}
