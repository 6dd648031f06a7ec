extension SoftwareSigningKey {
    /// Returns the key with an algorithm that the receiver of its signatures supports; nil if there is none.
    ///
    /// Only an RSA key without `alg` can sign with several algorithms. The order of the names counts.
    package func signing(withOneOf names: [String]) -> Self? {
        guard publicKey.algorithm == nil else {
            return names.contains { SignatureAlgorithm(rawValue: $0).isSame(as: algorithm) } ? self : nil
        }
        for name in names {
            let other = SignatureAlgorithm(rawValue: name)
            if let properties = other.properties, publicKey.hasType(for: properties) { return using(other, properties) }
        }
        return nil
    }
}
