import AuthHubPrimitives

extension JSONWebSignature {
    /// The header of a signed token (RFC 7515 §4.1).
    public struct Header: Sendable, Hashable {
        /// The algorithm, `alg`, which may be one that is not supported.
        public let algorithm: SignatureAlgorithm
        /// The ID of the signer's key, `kid`.
        public let keyID: String?
        /// The kind of token, `typ`, such as `JWT` or `at+jwt`.
        public let type: String?
        /// The type of the payload, `cty`. It is `JWT` if the payload is another token.
        public let contentType: String?

        /// The properties of the algorithm; nil if it is not supported.
        let properties: SignatureAlgorithm.Properties?

        /// Header parameters that change how the token is processed, and are not supported (RFC 7515 §4.1.11, RFC 7797 §3, RFC 7516 §4.1.3).
        private static let rejectedNames = ["crit", "b64", "zip"]
        private static let largestDepth = 8

        init(_ bytes: [UInt8]) throws(JOSEError) {
            guard let members = try? JSONValue(strict: bytes, maximumDepth: Self.largestDepth).object else {
                throw JOSEError(.malformed, "the header is not a JSON object in strict JSON")
            }
            if let name = Self.rejectedNames.first(where: { members[$0] != nil }) {
                throw JOSEError(.notAllowed, "the header has the parameter \(name), which is not supported")
            }
            guard let name = try members.parameter("alg") else { throw JOSEError(.malformed, "the header has no alg") }
            algorithm = SignatureAlgorithm(rawValue: name)
            properties = algorithm.properties
            keyID = try members.parameter("kid")
            type = try members.parameter("typ")
            contentType = try members.parameter("cty")
        }
    }
}

extension JSONWebSignature.Header {
    /// Checks the kind of the token, so that a token of another kind is not accepted by mistake (RFC 8725 §3.11), and that the payload is
    /// not another token (RFC 7519 §5.2).
    ///
    /// - Parameters:
    ///   - types: The accepted values of `typ`, in lower case, without `application/`.
    ///   - canBeMissing: Whether a header without `typ` is accepted.
    /// - Throws: ``JOSEError`` with `.notAllowed`.
    package func checkType(_ types: [String], canBeMissing: Bool) throws(JOSEError) {
        guard contentType == nil else { throw JOSEError(.notAllowed, "the header has a cty; nested tokens are not supported here") }
        guard let type else {
            guard canBeMissing else { throw JOSEError(.notAllowed, "the header has no typ") }
            return
        }
        // Media types are ASCII and not case-sensitive, and `application/` may be omitted (RFC 7515 §4.1.9).
        let name = type.lowercased()
        let short = name.hasPrefix("application/") ? String(name.dropFirst("application/".count)) : name
        guard types.contains(where: short.hasSameBytes) else {
            throw JOSEError(.notAllowed, "the header has the typ of another kind of token")
        }
    }
}

extension JSONObject {
    fileprivate func parameter(_ name: String) throws(JOSEError) -> String? {
        guard let value = self[name] else { return nil }
        guard let string = value.string else { throw JOSEError(.malformed, "the header parameter \(name) is not a string") }
        return string
    }
}
