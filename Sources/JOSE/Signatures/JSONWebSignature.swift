public import AuthHubPrimitives

/// A signed token in the compact serialization (RFC 7515 §7.1), such as an ID token.
///
/// The payload cannot be read before ``verified(by:allowing:)`` returns it.
public struct JSONWebSignature: Sendable {
    /// The header. It is not verified: use it only to choose the keys that verify the token.
    public let header: Header

    private let parts: Secret<CompactParts>

    /// Parses a signed token.
    ///
    /// Accepts at most 64 KiB, with a header of at most 8 KiB; three parts in strict base64url; and a header in strict
    /// JSON without duplicate members. The parameters `crit`, `b64` and `zip` are rejected; `jwk`, `jku` and `x5u` are ignored, never
    /// fetched, and so are certificates.
    ///
    /// - Throws: ``JOSEError`` with `.malformed`, or with `.notAllowed` for a header parameter that is not supported.
    public init(_ text: Secret<String>) throws(JOSEError) { try self.init(text, known: nil) }

    /// Parses a signed token as ``init(_:)`` does, except a header that these keys have already verified.
    package init(_ text: Secret<String>, for keys: JSONWebKeySet) throws(JOSEError) {
        try self.init(text, known: keys.knownHeader)
    }

    private init(_ text: Secret<String>, known: KnownHeader?) throws(JOSEError) {
        let parts = try CompactParts(text.reveal(), known: known)
        header = parts.header
        self.parts = Secret(parts)
    }

    /// Verifies the signature, and returns the payload.
    ///
    /// The algorithm is checked first. Then, exactly one key of the set must fit the header: its type and curve are those of the algorithm,
    /// its `kid` is that of the header if the header has one, and its `alg`, `use` and `key_ops` do not forbid the verification.
    ///
    /// The claims of the payload, such as its issuer and expiry, are not checked.
    ///
    /// - Parameters:
    ///   - keys: The keys of the signer.
    ///   - algorithms: The algorithms that the signer is known to use.
    /// - Throws: ``JOSEError`` with `.notAllowed` for any other algorithm; with `.noKey`, `.ambiguousKey` or `.unusableKey` if there is not
    ///   exactly one key; and with `.invalidSignature`.
    public func verified(by keys: JSONWebKeySet, allowing algorithms: Set<SignatureAlgorithm>) throws(JOSEError) -> VerifiedPayload {
        try verified(by: keys, allowing: algorithms, triesAllFittingKeys: false)
    }

    /// Verifies the signature, and returns the payload.
    ///
    /// - Parameter triesAllFittingKeys: Whether to try up to four keys that fit a header without a `kid`, instead of requiring one.
    package func verified(
        by keys: JSONWebKeySet, allowing algorithms: Set<SignatureAlgorithm>, triesAllFittingKeys: Bool
    ) throws(JOSEError) -> VerifiedPayload {
        let (properties, fitting) = try keys.keys(for: header, allowing: algorithms, triesAllFittingKeys: triesAllFittingKeys)
        let parts = parts.reveal()
        for key in fitting {
            if try key.isValid(parts.signature, of: parts.signed, by: properties) {
                keys.memory.keep(KnownHeader(header, text: Array(parts.encodedHeader)))
                return VerifiedPayload(header: header, bytes: parts.payload, keyIssuer: key.issuer)
            }
        }
        throw JOSEError(.invalidSignature, "the signature is not valid")
    }
}
