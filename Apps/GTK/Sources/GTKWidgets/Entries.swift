import CWidgets

/// A field for text.
open class Entry: Widget {
    public var text: String { String(cString: cw_editable_text(pointer)) }

    public func clear() { cw_editable_clear(pointer) }

    /// Sets the closure to run when Enter is pressed in it.
    public func onActivate(run: @escaping @MainActor () -> Void) { cw_editable_on_activate(pointer, Callback.passing(run)) }

    /// Sets the closure to run when its text has changed.
    public func onChange(run: @escaping @MainActor () -> Void) { cw_editable_on_change(pointer, Callback.passing(run)) }
}

/// A row with a field and its label.
public final class EntryRow: Entry {
    public init(_ title: String) {
        super.init(cw_entry_row_new(title))
    }
}

/// A row with a field for text that others should not see, and its label.
public final class PasswordRow: Entry {
    public init(_ title: String) {
        super.init(cw_password_row_new(title))
    }
}

/// A field for text that others should not see. It cannot be copied, and can be revealed.
public final class SecretEntry: Entry {
    public init(accessibleName: String) {
        super.init(cw_secret_entry_new(accessibleName))
    }
}

/// A field for words to search for. Escape clears it.
public final class SearchEntry: Entry {
    public init(accessibleName: String) {
        super.init(cw_search_entry_new(accessibleName))
    }

    /// Sets the closure to run a moment after the user has stopped typing.
    public func onSearch(run: @escaping @MainActor () -> Void) { cw_search_entry_on_change(pointer, Callback.passing(run)) }
}
