import CWidgets

/// A container with widgets below or next to each other.
public final class Box: Widget {
    private init(box: OpaquePointer, _ children: [Widget]) {
        super.init(box)
        for child in children { append(child) }
    }

    public static func vertical(spacing: Int32 = 0, _ children: Widget...) -> Box { Box(box: cw_box_new(true, spacing), children) }

    public static func horizontal(spacing: Int32 = 0, _ children: Widget...) -> Box { Box(box: cw_box_new(false, spacing), children) }

    /// Creates a horizontal box, which assistive technologies announce as soon as it is shown.
    public static func alert(spacing: Int32 = 0, _ children: Widget...) -> Box { Box(box: cw_alert_box_new(spacing), children) }

    public func append(_ child: Widget) { cw_box_append(pointer, child.pointer) }
}

/// A container that limits its content to a readable width.
public final class Clamp: Widget {
    public init(_ child: Widget, width: Int32) {
        super.init(cw_clamp_new(child.pointer, width))
    }
}

/// A container that slides its content in and out.
public final class Revealer: Widget {
    public init(_ child: Widget) {
        super.init(cw_revealer_new(child.pointer))
    }

    public func setRevealed(_ revealed: Bool) { cw_revealer_set_revealed(pointer, revealed) }
}

/// A container that shows one of several widgets.
public final class Stack: Widget {
    public init() {
        super.init(cw_stack_new())
    }

    /// Shows a widget, and adds it if necessary.
    public func show(_ child: Widget) { cw_stack_show(pointer, child.pointer) }

    public func remove(_ child: Widget) { cw_stack_remove(pointer, child.pointer) }
}

/// A container that scrolls content that is taller than the available space.
public final class Scroller: Widget {
    public init(_ child: Widget) {
        super.init(cw_scroller_new(child.pointer))
    }

    /// Sets the closure to run whenever it was scrolled, or its content changed in height.
    public func onChange(run: @escaping @MainActor () -> Void) {
        cw_scroller_on_scroll(pointer, Callback.passing(run))
        cw_scroller_on_resize(pointer, Callback.passing(run))
    }

    /// The height of the content below the visible part, as a multiple of the visible height; nil while that is zero.
    public var pagesBelow: Double? {
        let pages = cw_scroller_pages_below(pointer)
        return pages < 0 ? nil : pages
    }

    public func scrollToTop() { cw_scroller_to_top(pointer) }
}
