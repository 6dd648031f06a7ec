import CWidgets

/// A picture by its name in the icon theme.
public final class Icon: Widget {
    public init(_ name: String, accessibleName: String) {
        super.init(cw_icon_new(name, accessibleName))
    }
}

/// Turns while something is under way, and is not there otherwise.
public final class Spinner: Widget {
    public init() {
        super.init(cw_spinner_new())
    }

    public func setSpinning(_ spinning: Bool) {
        cw_spinner_set_spinning(pointer, spinning)
        setVisible(spinning)
    }
}

/// A person's picture; their initials while there is none.
public final class Avatar: Widget {
    public init(size: Int32) {
        super.init(cw_avatar_new(size))
    }

    /// Whose initials.
    public func set(name: String) { cw_avatar_set_name(pointer, name) }

    /// Bytes that are no picture leave the initials.
    public func set(picture: [UInt8]?) {
        guard let picture else { return _ = cw_avatar_set_picture(pointer, nil, 0) }
        picture.withUnsafeBufferPointer { _ = cw_avatar_set_picture(pointer, $0.baseAddress, $0.count) }
    }
}
