import CWidgets

/// A picture from the icon theme, by name.
public final class Icon: Widget {
    public init(_ name: String, accessibleName: String) {
        super.init(cw_icon_new(name, accessibleName))
    }
}

/// A spinner that turns while work is in progress, and is hidden otherwise.
public final class Spinner: Widget {
    public init() {
        super.init(cw_spinner_new())
    }

    public func setSpinning(_ spinning: Bool) {
        cw_spinner_set_spinning(pointer, spinning)
        setVisible(spinning)
    }
}

/// A user's picture; their initials if there is none.
public final class Avatar: Widget {
    public init(size: Int32) {
        super.init(cw_avatar_new(size))
    }

    /// Sets the name for the initials.
    public func set(name: String) { cw_avatar_set_name(pointer, name) }

    /// Sets the picture. If the bytes are not a picture, the initials remain.
    public func set(picture: [UInt8]?) {
        guard let picture else { return _ = cw_avatar_set_picture(pointer, nil, 0) }
        picture.withUnsafeBufferPointer { _ = cw_avatar_set_picture(pointer, $0.baseAddress, $0.count) }
    }
}
