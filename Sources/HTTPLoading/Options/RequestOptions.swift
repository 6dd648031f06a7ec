/// A setting that one request may have and others not: a key type with a value and a default.
public protocol RequestOption {
    associatedtype Value: Sendable
    static var defaultValue: Value { get }
}

/// The settings of one request, by their key types.
public struct RequestOptions: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    public init() {}

    public subscript<Option: RequestOption>(option: Option.Type) -> Option.Value {
        get {
            guard let value = values[ObjectIdentifier(option)] else { return Option.defaultValue }
            return value as? Option.Value ?? Option.defaultValue
        }
        set { values[ObjectIdentifier(option)] = newValue }
    }
}
