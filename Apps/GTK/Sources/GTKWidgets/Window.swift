import CWidgets

/// A window of the app.
public final class Window: Widget {
    public init(of application: Application, title: String) {
        super.init(cw_window_new(application.pointer, title))
    }

    public func setContent(_ content: Widget) { cw_window_set_content(pointer, content.pointer) }

    /// Shows it, at the person's wish.
    public func present() { cw_window_present(pointer) }

    /// Raises it over the window of another program, which the person has just used, as far as the desktop lets it.
    public func raise() { cw_window_raise(pointer) }

    /// Runs instead of closing it.
    public func onClose(run: @escaping @MainActor () -> Void) { cw_window_on_close(pointer, Callback.passing(run)) }

    /// What Enter presses where the focus does not say otherwise.
    public func setDefault(_ widget: Widget?) { cw_window_set_default_widget(pointer, widget?.pointer) }

    /// Takes the size that a file holds, or this one.
    public func restoreSize(from file: String, width: Int32, height: Int32) {
        cw_window_restore_size(pointer, file, width, height)
    }

    public func saveSize(to file: String) { cw_window_save_size(pointer, file) }

    /// Shows what the app is, over the window.
    public func showAbout(name: String, icon: String, version: String, comments: String) {
        cw_about_show(pointer, name, icon, version, comments)
    }
}
