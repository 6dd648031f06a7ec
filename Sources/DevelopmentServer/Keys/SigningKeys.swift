import AuthHubPrimitives

/// The keys of a server: one that signs for each algorithm in use, and those that it replaced.
struct SigningKeys: Sendable {
    private enum Status: Sendable {
        /// Signs, and is published.
        case current
        /// Does not sign any more, and is still published.
        case former
        case withdrawn
    }

    private var keys: [(key: SigningKey, status: Status)] = []
}

extension SigningKeys {
    /// Returns the key that signs with an algorithm; it is generated for the first use. Nil if the algorithm has no private keys.
    mutating func key(for algorithm: SigningAlgorithm) -> SigningKey? {
        keys.first { $0.key.algorithm == algorithm && $0.status == .current }?.key ?? add(algorithm)
    }

    /// Returns the key with an ID, even if it is withdrawn.
    func key(id: String) -> SigningKey? {
        keys.first { $0.key.id == id }?.key
    }

    /// The public keys that are not withdrawn, as a JSON Web Key Set (RFC 7517 §5).
    var published: JSONValue {
        ["keys": .array(keys.filter { $0.status != .withdrawn }.map { .object($0.key.publicKey) })]
    }

    /// Replaces all keys that sign; the old ones stay published.
    mutating func rotate() {
        let algorithms = keys.filter { $0.status == .current }.map(\.key.algorithm)
        keys = keys.map { ($0.key, $0.status == .current ? .former : $0.status) }
        for algorithm in algorithms { _ = add(algorithm) }
    }

    /// Withdraws all published keys except those that sign.
    mutating func withdraw() {
        keys = keys.map { ($0.key, $0.status == .former ? .withdrawn : $0.status) }
    }

    private mutating func add(_ algorithm: SigningAlgorithm) -> SigningKey? {
        let number = keys.count { $0.key.algorithm == algorithm }
        guard let key = SigningKey(algorithm, slot: .init(use: algorithm.rawValue, number: number)) else { return nil }
        keys.append((key, .current))
        return key
    }
}
