public import AuthHubPrimitives

/// A change to the published keys.
public enum KeySetChange: Sendable, Hashable {
    /// A change to the bytes of a member in base64url.
    public enum Bytes: Sendable, Hashable {
        /// The last bit is inverted.
        case flipped
        /// The last byte is missing.
        case shortened
        /// A zero byte is inserted at the start.
        case zeroInFront
    }

    /// Keys that no token is signed with.
    public enum Decoy: Sendable, Hashable {
        /// The `kid` of the first key on keys of all other types and algorithms.
        case sameKeyID
        /// Two keys of the type and algorithm of the first, each with its own `kid`.
        case sameAlgorithm
        /// The `kid`, type and algorithm of the first key on another key.
        case duplicate
        /// A symmetric key.
        case symmetric
        /// A key for encryption, of the type of the first.
        case encryption
        /// A key of an unknown type, and one with an unknown curve.
        case unknownType
    }

    /// Sets a member of every key; nil removes it.
    case member(String, JSONValue?)
    /// Changes the bytes of a member of every key.
    case bytes(String, Bytes)
    /// Replaces every key, except for `kid`, `use` and `alg`.
    case replaced(UnusualKey)
    /// Adds values at the start of the array.
    case added([JSONValue])
    /// Adds keys at the end of the array.
    case decoys([Decoy])
    /// Adds keys with other IDs until there are this many.
    case filled(Int)
}
