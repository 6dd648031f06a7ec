/// A value that is copied only when it is changed, and shared until then: profiles are large, and held by many.
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
    /// What all profiles without quirks share.
    static let standard = Self(ProviderQuirks())
}
