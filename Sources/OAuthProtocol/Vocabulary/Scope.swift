/// A list of scope names, in order and without duplicates: the access that is requested or granted (RFC 6749 §3.3).
public struct Scope: Sendable, Hashable {
    /// The names, in the order in which they were added.
    public private(set) var names: [String] = []

    /// Creates a scope from names. Invalid names and duplicates are skipped.
    public init(_ names: some Sequence<String>) {
        var known: Set<String> = []
        for name in names where Self.isValid(name) && known.insert(name).inserted { self.names.append(name) }
    }

    /// Creates a scope from a list of names separated by spaces, or by any of a provider's separators.
    package init(_ text: String, separators: Set<Character> = [" "]) {
        self.init(text.split { separators.contains($0) }.map(String.init))
    }

    /// Creates the scope that a server granted; nil if it is unknown. A comma may be a part of a name, or separate names where the
    /// provider's description does not say so.
    ///
    /// - Parameter requested: The requested scope, whose names count as they are.
    init?(granted text: String, separators: Set<Character>, requested: Scope) {
        self.init(text, separators: separators)
        guard names.allSatisfy({ !$0.contains(",") || requested.contains($0) }) else { return nil }
    }

    /// Whether the scope has no names.
    public var isEmpty: Bool { names.isEmpty }

    /// Returns whether the scope includes a name. Case matters (RFC 6749 §3.3).
    public func contains(_ name: String) -> Bool { names.contains(name) }

    /// Returns the names of another scope that this one lacks.
    package func missing(from other: Scope) -> [String] {
        let own = Set(names)
        return other.names.filter { !own.contains($0) }
    }

    /// Returns a scope with the names of both scopes, without duplicates.
    public func union(_ other: Scope) -> Scope { Scope(names + other.names) }

    /// Whether a name is visible ASCII without quotation mark and backslash.
    package static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}

extension Scope: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: String...) { self.init(elements) }
}

extension Scope: CustomStringConvertible {
    public var description: String { names.joined(separator: " ") }
}
