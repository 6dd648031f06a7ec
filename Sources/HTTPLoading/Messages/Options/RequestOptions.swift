/// A type that identifies an option of a request and defines its default value.
public protocol RequestOption {
    associatedtype Value: Sendable
    /// The value if the option is not set.
    static var defaultValue: Value { get }

    /// Returns the part of a value that must be equal in two requests for them to be coalesced. If nil, the default, the option does not
    /// affect which requests are coalesced.
    ///
    /// The result may contain a secret, because it is only compared and never shown.
    static func identity(of value: Value) -> (any Hashable & Sendable)?
}

extension RequestOption {
    /// Returns nil: the option does not affect which requests are coalesced.
    public static func identity(of value: Value) -> (any Hashable & Sendable)? { nil }
}

/// A set of options: those of a request, of a ``ServerEnvironment``, or of a whole ``Chain``.
///
/// The options of a request override those of its environment, which override those of the chain.
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

    /// Creates options in which nothing is set.
    public init() {}

    var isEmpty: Bool { settings.isEmpty }

    /// The value of an option, or its default if it is not set. A value that you set overrides the environment and the chain, even if it
    /// equals the default.
    public subscript<Option: RequestOption>(option: Option.Type) -> Option.Value {
        get {
            guard !settings.isEmpty, let setting = settings[ObjectIdentifier(option)] else { return Option.defaultValue }
            return setting.value as? Option.Value ?? Option.defaultValue
        }
        set {
            settings[ObjectIdentifier(option)] = Setting(value: newValue, identity: Option.identity(of: newValue), level: .request)
        }
    }

    /// Copies the options that are not set here, or only on a lower level.
    mutating func fill(from others: RequestOptions, as level: Level) {
        guard !others.settings.isEmpty else { return }
        for (key, var setting) in others.settings where settings[key].map({ $0.level < level }) ?? true {
            setting.level = level
            settings[key] = setting
        }
    }

    /// The part of the options that makes requests different.
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
