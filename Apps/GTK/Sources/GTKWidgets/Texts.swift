import CWidgets

/// A text, shown as it is.
public final class Label: Widget {
    public init(_ text: String = "") {
        self.text = text
        super.init(cw_label_new(text))
    }

    public var text: String {
        didSet { if text != oldValue { cw_label_set_text(pointer, text) } }
    }

    /// Over as many lines as it takes.
    public func wrapping() -> Self {
        cw_label_set_wrapping(pointer, true)
        return self
    }

    /// Over so many lines at most; the rest is cut.
    public func lines(_ count: Int32) -> Self {
        cw_label_set_wrapping(pointer, count > 1)
        cw_label_limit_lines(pointer, count)
        return self
    }

    /// At the start of the line instead of in its middle.
    public func atStart() -> Self {
        cw_label_align_start(pointer)
        return self
    }

    /// To be copied from.
    public func selectable() -> Self {
        cw_label_set_selectable(pointer)
        return self
    }
}

/// A screen that says one thing, large, with what can be done below.
public final class StatusPage: Widget {
    public init(icon: String, child: Widget) {
        super.init(cw_status_page_new(icon))
        cw_status_page_set_child(pointer, child.pointer)
    }

    public func set(_ title: String, description: String) { cw_status_page_set(pointer, title, description) }
}
