import CWidgets

/// The main loop, and the state that all windows share.
@MainActor
public final class Application {
    let pointer: OpaquePointer

    /// Creates an application.
    ///
    /// - Parameters:
    ///   - identifier: The D-Bus name, such as `com.example.App`.
    ///   - isUnique: Whether a second process on the same desktop activates the first one and ends.
    public init(_ identifier: String, isUnique: Bool) {
        cw_attach_main_queue()
        pointer = cw_application_new(identifier, isUnique)
    }

    /// Whether there is a display to show windows on.
    public static var canShowWindows: Bool { cw_can_show_windows() }

    /// Sets the closure to run at the start, and whenever the app is started again.
    public func onActivate(run: @escaping @MainActor () -> Void) { cw_application_on_activate(pointer, Callback.passing(run)) }

    /// Adds an action.
    ///
    /// - Parameters:
    ///   - name: The name for menus and buttons, as `app.NAME`.
    ///   - keys: Up to two shortcuts, such as `<Control>q`.
    public func addAction(_ name: String, keys: [String] = [], run: @escaping @MainActor () -> Void) {
        cw_application_add_action(pointer, name, keys.first, keys.dropFirst().first, Callback.passing(run))
    }

    public func enableAction(_ name: String, _ enabled: Bool) { cw_application_enable_action(pointer, name, enabled) }

    /// Whether another process on this desktop is the application, and would be activated by ``run()``.
    public var isRemote: Bool { cw_application_is_remote(pointer) }

    /// Sets the closure to run for each signal with this number, unless it is ignored.
    public func onSignal(_ number: Int32, run: @escaping @MainActor () -> Void) { cw_on_signal(number, Callback.passing(run)) }

    /// Adds to the style of all windows. Needs a display, which is available after the activation.
    public func load(style: String) { cw_load_style(style) }

    /// Runs the main loop until ``quit()``.
    ///
    /// - Returns: The exit status.
    public func run() -> Int32 { cw_application_run(pointer) }

    public func quit() { cw_application_quit(pointer) }
}
