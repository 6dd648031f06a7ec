import CWidgets

/// A label that shows text without markup.
public final class Label: Widget {
    public init(_ text: String = "") {
        self.text = text
        super.init(cw_label_new(text))
    }

    public var text: String {
        didSet { if text != oldValue { cw_label_set_text(pointer, text) } }
    }

    /// Wraps the text over as many lines as necessary.
    public func wrapping() -> Self {
        cw_label_set_wrapping(pointer, true)
        return self
    }

    /// Limits the text to this many lines; the rest is cut.
    public func lines(_ count: Int32) -> Self {
        cw_label_set_wrapping(pointer, count > 1)
        cw_label_limit_lines(pointer, count)
        return self
    }

    /// Aligns the text with the start of the line instead of the center.
    public func atStart() -> Self {
        cw_label_align_start(pointer)
        return self
    }

    /// Allows selecting and copying the text.
    public func selectable() -> Self {
        cw_label_set_selectable(pointer)
        return self
    }
}

/// A screen with one large message, and buttons below it.
public final class StatusPage: Widget {
    public init(icon: String, child: Widget) {
        super.init(cw_status_page_new(icon))
        cw_status_page_set_child(pointer, child.pointer)
    }

    public func set(_ title: String, description: String) { cw_status_page_set(pointer, title, description) }
}
