import CWidgets

/// A group of related rows.
public final class Group: Widget {
    public init(_ rows: Widget...) {
        super.init(cw_group_new())
        for row in rows { cw_group_add(pointer, row.pointer) }
    }
}

/// A switch with a label.
public final class SwitchRow: Widget {
    public init(_ title: String, subtitle: String) {
        super.init(cw_switch_row_new(title, subtitle))
    }

    public var isOn: Bool {
        get { cw_switch_row_is_on(pointer) }
        set { if newValue != isOn { cw_switch_row_set_on(pointer, newValue) } }
    }

    public func onChange(run: @escaping @MainActor () -> Void) { cw_switch_row_on_change(pointer, Callback.passing(run)) }
}

/// A row to choose one of several strings.
public final class ChoiceRow: Widget {
    public init(_ title: String, of texts: [String]) {
        super.init(cw_choice_row_new(title))
        for text in texts { cw_choice_row_append(pointer, text) }
    }

    /// The index of the selected string.
    public var selected: Int {
        get { Int(cw_choice_row_selected(pointer)) }
        set { if newValue != selected { cw_choice_row_select(pointer, UInt32(newValue)) } }
    }

    public func onChange(run: @escaping @MainActor () -> Void) { cw_choice_row_on_change(pointer, Callback.passing(run)) }
}
