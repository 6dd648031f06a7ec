import CWidgets

/// Rows under each other that the arrow keys go through.
public final class List: Widget {
    public init(accessibleName: String) {
        super.init(cw_list_new(accessibleName))
    }

    public func append(_ row: ListRow) { cw_list_append(pointer, row.pointer) }

    public func remove(_ row: ListRow) { cw_list_remove(pointer, row.pointer) }
}

open class ListRow: Widget {
    public init(_ child: Widget) {
        super.init(cw_list_row_new(child.pointer))
    }
}
