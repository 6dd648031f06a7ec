/// A key that a server must not use. Some of them really sign, so that only a check of the key itself detects them.
public enum UnusualKey: Sendable, Hashable {
    /// A good key for ES256 that the server has never published.
    case unpublished
    /// A key for ES384, which does not fit the algorithm of the token.
    case otherCurve
    /// An RSA key of 1024 bits.
    case smallRSA
    /// An RSA key whose primes are not random (CVE-2017-15361).
    case roca
    /// An RSA key with the exponent 1: every message is its own signature.
    case exponentOne
    /// The neutral element of Ed25519, for which anyone can sign.
    case smallOrder
    /// An Ed25519 key of zeros, a point of small order.
    case zeros
}
