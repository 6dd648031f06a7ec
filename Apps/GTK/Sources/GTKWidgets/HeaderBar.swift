import CWidgets

/// The header of a window, with its title and buttons.
public final class HeaderBar: Widget {
    public let title: WindowTitle

    public init(start: [Widget] = [], end: [Widget] = []) {
        title = WindowTitle()
        super.init(cw_header_bar_new(title.pointer))
        for widget in start { cw_header_bar_pack(pointer, widget.pointer, false) }
        // The first widget that is packed is the outermost.
        for widget in end.reversed() { cw_header_bar_pack(pointer, widget.pointer, true) }
    }
}

/// A title with a smaller subtitle.
public final class WindowTitle: Widget {
    init() {
        super.init(cw_window_title_new())
    }

    public func set(_ text: String, subtitle: String = "") { cw_window_title_set(pointer, text, subtitle) }
}
