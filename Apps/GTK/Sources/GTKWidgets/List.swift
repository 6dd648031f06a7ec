import CWidgets

/// A list of rows that the arrow keys navigate.
public final class List: Widget {
    public init(accessibleName: String) {
        super.init(cw_list_new(accessibleName))
    }

    public func append(_ row: ListRow) { cw_list_append(pointer, row.pointer) }

    /// Moves the focus to a visible row.
    public func focusShownRow() { _ = cw_list_focus_shown_row(pointer) }

    public func remove(_ row: ListRow) { cw_list_remove(pointer, row.pointer) }
}

/// A list that the Tab key leaves immediately: only the arrow keys navigate its rows.
public final class TabStop: Widget {
    public init(_ list: List) {
        super.init(cw_tab_stop_new(list.pointer))
    }
}

open class ListRow: Widget {
    public init(_ child: Widget) {
        super.init(cw_list_row_new(child.pointer))
    }
}
