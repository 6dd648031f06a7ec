import AuthHubPrimitives
public import JOSE
public import Platform

extension ClientKeys {
    /// How long a replaced key is kept after the overlap, in seconds, for messages that are still on their way.
    private static let grace = 3600.0

    /// Generates new keys of the same kinds, and begins to replace the old ones.
    ///
    /// Publish the new ``publicKeys(at:)`` at once. Servers may use a copy of the old set for some time, so:
    /// - The old key signs until the overlap has passed; then the new one does.
    /// - The old keys still decrypt messages during the overlap.
    ///
    /// The old keys are dropped one hour after the overlap. Symmetric keys are not replaced, because they belong to both sides.
    ///
    /// - Parameter overlap: How long servers may cache the set, a day by default. Use zero if you register the new set at the server at once
    ///   (``ClientMetadata/keySet``).
    /// - Throws: `JOSEError` if a key cannot be generated. Nothing has changed then.
    public mutating func rotate(at now: Date, overlap: Duration = .seconds(86_400)) throws(JOSEError) {
        let begin = now.addingTimeInterval(max(overlap, .zero) / .seconds(1))
        let end = begin.addingTimeInterval(Self.grace)
        var signing = signing.filter { $0.isKept(at: now) }
        // A key that has not been used yet is no longer needed.
        while signing.count > 1, let last = signing.last, last.begin.map({ $0 > now }) ?? false { signing.removeLast() }
        if let current = signing.indices.last {
            let new = try SoftwareSigningKey.generate(signing[current].key.algorithm)
            signing[current].end = end
            signing.append(Scheduled(key: new, begin: begin))
        }
        var decryption = decryption.filter { $0.isKept(at: now) }
        for index in decryption.indices where decryption[index].end == nil {
            guard let new = try decryption[index].key.successor() else { continue }
            decryption[index].end = end
            decryption.append(Scheduled(key: new, begin: now))
        }
        self.signing = signing
        self.decryption = decryption
    }
}

extension DecryptionKey {
    /// Returns a new key of the same kind; nil for a symmetric key.
    fileprivate func successor() throws(JOSEError) -> DecryptionKey? {
        guard publicKey != nil else { return nil }
        let members = privateMembers.reveal()
        let curve = members["crv"]?.string.flatMap(Curve.init(rawValue:))
        let algorithm = members["alg"]?.string.map(KeyManagementAlgorithm.init(rawValue:)) ?? (curve == nil ? .rsaOAEP256 : .ecdhES)
        let new = try DecryptionKey.generate(algorithm, on: curve ?? .p256)
        guard members["alg"] == nil else { return new }
        // A key without `alg` is for any algorithm of its type.
        var free = new.privateMembers.reveal()
        free["alg"] = nil
        return try DecryptionKey(Secret(free))
    }
}
