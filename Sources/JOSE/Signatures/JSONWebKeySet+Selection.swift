import AuthHubPrimitives

extension JSONWebKeySet {
    /// The maximum number of keys to try for a token that does not name its key.
    static let largestTrialCount = 4

    /// Returns the only key that fits a header.
    ///
    /// - Throws: ``JOSEError`` with `.notAllowed`, `.noKey` or `.ambiguousKey`.
    package func key(
        for header: JSONWebSignature.Header, allowing algorithms: Set<SignatureAlgorithm>
    ) throws(JOSEError) -> JSONWebKey {
        try keys(for: header, allowing: algorithms, triesAllFittingKeys: false).keys[0]
    }

    /// Returns the properties of a header's algorithm and the keys that fit the header: one, unless several can be tried.
    ///
    /// - Parameter triesAllFittingKeys: Whether up to four keys may fit a header without a `kid`.
    /// - Throws: ``JOSEError`` with `.notAllowed`, `.noKey` or `.ambiguousKey`.
    func keys(
        for header: JSONWebSignature.Header, allowing algorithms: Set<SignatureAlgorithm>, triesAllFittingKeys: Bool
    ) throws(JOSEError) -> (properties: SignatureAlgorithm.Properties, keys: [JSONWebKey]) {
        // Before the keys, so that a forged header never decides what a key is used for (RFC 8725 §3.1).
        guard let properties = header.properties, algorithms.allows(header.algorithm) else {
            throw JOSEError(.notAllowed, "the token is signed with an algorithm that is not allowed")
        }
        let fitting = keys.filter { $0.fits(header, properties) }
        guard !fitting.isEmpty else { throw missingKey(for: header) }
        guard fitting.count == 1 || (triesAllFittingKeys && header.keyID == nil && fitting.count <= Self.largestTrialCount) else {
            throw JOSEError(.ambiguousKey, "\(fitting.count) keys fit the header of the token")
        }
        return (properties, fitting)
    }

    private func missingKey(for header: JSONWebSignature.Header) -> JOSEError {
        guard let keyID = header.keyID,
            rejected.contains(where: { $0.error.code == .ambiguousKey && $0.keyID?.hasSameBytes(as: keyID) == true })
        else { return JOSEError(.noKey, "no key fits the header of the token") }
        return JOSEError(.ambiguousKey, "several keys fit the header of the token")
    }
}

extension JSONWebKey {
    fileprivate func fits(_ header: JSONWebSignature.Header, _ properties: SignatureAlgorithm.Properties) -> Bool {
        guard hasType(for: properties) else { return false }
        return hasID(of: header) && allows(header.algorithm) && use.map { $0 == "sig" } ?? true
            && operations.map { $0.contains("verify") } ?? true
    }

    private func hasID(of header: JSONWebSignature.Header) -> Bool {
        guard let wanted = header.keyID else { return true }
        // A client secret has no ID. It is the only key for its algorithms.
        guard let keyID else { return parsed.type == .oct }
        return keyID.hasSameBytes(as: wanted)
    }

    private func allows(_ algorithm: SignatureAlgorithm) -> Bool {
        guard let only = self.algorithm else { return true }
        return SignatureAlgorithm(rawValue: only).isSame(as: algorithm)
    }
}
