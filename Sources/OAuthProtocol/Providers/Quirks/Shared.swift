/// A value that is shared until it is changed: quirks are large, and many sessions hold a profile.
struct Shared<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(_ value: Value) { box = Box(value) }

    var value: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}

extension Shared<ProviderQuirks> {
    /// The value that all profiles without quirks share.
    static let standard = Self(ProviderQuirks())
}
