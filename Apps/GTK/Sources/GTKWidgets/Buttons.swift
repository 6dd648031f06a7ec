import CWidgets

/// A button with a label or an icon.
public final class Button: Widget {
    public init(_ label: String) {
        super.init(cw_button_new(label))
    }

    public init(icon: String, accessibleName: String) {
        super.init(cw_icon_button_new(icon, accessibleName))
    }

    public func set(label: String) { cw_button_set_label(pointer, label) }

    @discardableResult
    public func onClick(run: @escaping @MainActor () -> Void) -> Self {
        cw_button_on_click(pointer, Callback.passing(run))
        return self
    }

    /// Sets the action of the application to run when it is clicked: `app.NAME`.
    public func action(_ name: String) -> Self {
        cw_button_set_action(pointer, name)
        return self
    }
}

/// A button that opens a URL in the browser.
public final class LinkButton: Widget {
    public init(_ label: String, address: String) {
        super.init(cw_link_button_new(label, address))
    }

    public func set(address: String) { cw_link_button_set_address(pointer, address) }
}

/// The menu of a window, which F10 also opens.
public final class MenuButton: Widget {
    /// Creates a menu.
    ///
    /// - Parameter items: The labels, and the actions that they run.
    public init(icon: String, accessibleName: String, items: [(label: String, action: String)]) {
        super.init(cw_menu_button_new(icon, accessibleName))
        for item in items { cw_menu_button_append(pointer, item.label, item.action) }
    }
}
