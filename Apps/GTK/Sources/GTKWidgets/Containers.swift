import CWidgets

/// Widgets under or beside each other.
public final class Box: Widget {
    private init(box: OpaquePointer, _ children: [Widget]) {
        super.init(box)
        for child in children { append(child) }
    }

    public static func vertical(spacing: Int32 = 0, _ children: Widget...) -> Box { Box(box: cw_box_new(true, spacing), children) }

    public static func horizontal(spacing: Int32 = 0, _ children: Widget...) -> Box { Box(box: cw_box_new(false, spacing), children) }

    /// Beside each other, and told to those who listen as soon as it is shown.
    public static func alert(spacing: Int32 = 0, _ children: Widget...) -> Box { Box(box: cw_alert_box_new(spacing), children) }

    public func append(_ child: Widget) { cw_box_append(pointer, child.pointer) }
}

/// Keeps what is in it from becoming wider than can be read.
public final class Clamp: Widget {
    public init(_ child: Widget, width: Int32) {
        super.init(cw_clamp_new(child.pointer, width))
    }
}

/// Slides what is in it in and out.
public final class Revealer: Widget {
    public init(_ child: Widget) {
        super.init(cw_revealer_new(child.pointer))
    }

    public func setRevealed(_ revealed: Bool) { cw_revealer_set_revealed(pointer, revealed) }
}

/// Shows one of several.
public final class Stack: Widget {
    public init() {
        super.init(cw_stack_new())
    }

    /// Takes it in where it is not there yet.
    public func show(_ child: Widget) { cw_stack_show(pointer, child.pointer) }

    public func remove(_ child: Widget) { cw_stack_remove(pointer, child.pointer) }
}

/// Scrolls what is higher than its room.
public final class Scroller: Widget {
    public init(_ child: Widget) {
        super.init(cw_scroller_new(child.pointer))
    }

    /// Runs whenever it was scrolled, or there is more or less to scroll.
    public func onChange(run: @escaping @MainActor () -> Void) {
        cw_scroller_on_scroll(pointer, Callback.passing(run))
        cw_scroller_on_resize(pointer, Callback.passing(run))
    }

    /// How much there is below what is shown, in heights of what is shown; nil while it has no height.
    public var pagesBelow: Double? {
        let pages = cw_scroller_pages_below(pointer)
        return pages < 0 ? nil : pages
    }

    public func scrollToTop() { cw_scroller_to_top(pointer) }
}
