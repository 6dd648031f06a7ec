import CWidgets

/// A widget in a window. It is retained here, and by its container.
@MainActor
open class Widget {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        cw_widget_take(pointer)
    }

    isolated deinit {
        cw_widget_release(pointer)
    }
}

extension Widget {
    public func setVisible(_ visible: Bool) { cw_widget_set_visible(pointer, visible) }

    public func setSensitive(_ sensitive: Bool) { cw_widget_set_sensitive(pointer, sensitive) }

    /// Sets the margins around it, in points.
    @discardableResult
    public func margins(vertical: Int32 = 0, horizontal: Int32 = 0) -> Self {
        cw_widget_set_margins(pointer, vertical, vertical, horizontal, horizontal)
        return self
    }

    /// Makes it use the available space.
    @discardableResult
    public func expanding(horizontally: Bool = false, vertically: Bool = false) -> Self {
        cw_widget_set_expanding(pointer, horizontally, vertically)
        return self
    }

    /// Centers it in its space instead of filling it.
    @discardableResult
    public func centered(horizontally: Bool = false, vertically: Bool = false) -> Self {
        cw_widget_center(pointer, horizontally, vertically)
        return self
    }

    /// Adds style classes from libadwaita or the app.
    @discardableResult
    public func style(_ names: String...) -> Self {
        for name in names { cw_widget_add_style(pointer, name) }
        return self
    }

    /// Sets the label for assistive technologies.
    @discardableResult
    public func accessibleName(_ text: String) -> Self {
        cw_widget_set_accessible_name(pointer, text)
        return self
    }

    @discardableResult
    public func accessibleDescription(_ text: String) -> Self {
        cw_widget_set_accessible_description(pointer, text)
        return self
    }

    /// Moves the focus to it, or to its first child that accepts the focus.
    @discardableResult
    public func grabFocus() -> Bool { cw_widget_grab_focus(pointer) }

    public var containsFocus: Bool { cw_widget_contains_focus(pointer) }

    /// Sets the closure to run when the keys are pressed in its window while it is visible, and the focused widget does not handle them.
    public func onKeys(_ keys: String, run: @escaping @MainActor () -> Void) {
        cw_widget_on_key(pointer, keys, Callback.passing(run))
    }
}
