/// A setting that one request may have and others not: a key type with a value and a default.
public protocol RequestOption {
    associatedtype Value: Sendable
    /// What holds where nobody says anything.
    static var defaultValue: Value { get }

    /// What of a value makes a request another one, for de-duplication; nil, the default, where it makes no difference.
    ///
    /// A secret may be part of it: it is compared, never shown.
    static func identity(of value: Value) -> (any Hashable & Sendable)?
}

extension RequestOption {
    public static func identity(of value: Value) -> (any Hashable & Sendable)? { nil }
}

/// Settings by their key types: those of a request, of a ``ServerEnvironment``, or of a whole ``Chain``.
///
/// What a request says itself goes before what its environment says, and that before what the chain says.
public struct RequestOptions: Sendable {
    enum Level: Int, Sendable, Comparable {
        case chain
        case environment
        case request

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Setting: Sendable {
        var value: any Sendable
        var identity: (any Hashable & Sendable)?
        var level: Level
    }

    private var settings: [ObjectIdentifier: Setting] = [:]

    public init() {}

    var isEmpty: Bool { settings.isEmpty }

    /// The value that is set, else the default. A value that is set counts, even where it is the default.
    public subscript<Option: RequestOption>(option: Option.Type) -> Option.Value {
        get {
            guard !settings.isEmpty, let setting = settings[ObjectIdentifier(option)] else { return Option.defaultValue }
            return setting.value as? Option.Value ?? Option.defaultValue
        }
        set {
            settings[ObjectIdentifier(option)] = Setting(value: newValue, identity: Option.identity(of: newValue), level: .request)
        }
    }

    /// Takes over what is not set here, or set on a lower level.
    mutating func fill(from others: RequestOptions, as level: Level) {
        guard !others.settings.isEmpty else { return }
        for (key, var setting) in others.settings where settings[key].map({ $0.level < level }) ?? true {
            setting.level = level
            settings[key] = setting
        }
    }

    /// What of the settings makes a request another one.
    var identity: OptionsIdentity {
        OptionsIdentity(parts: settings.compactMapValues { $0.identity.map { OptionsIdentity.Part($0) } })
    }
}

/// The part of a request's options that de-duplication compares.
struct OptionsIdentity: Sendable, Hashable {
    struct Part: Sendable, Hashable {
        private let value: any Hashable & Sendable

        init(_ value: any Hashable & Sendable) {
            self.value = value
        }

        static func == (left: Self, right: Self) -> Bool { AnyHashable(left.value) == AnyHashable(right.value) }
        func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
    }

    let parts: [ObjectIdentifier: Part]
}
