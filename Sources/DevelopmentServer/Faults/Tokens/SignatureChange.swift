/// A change to the signature of a token.
public enum SignatureChange: Sendable, Hashable {
    /// The key of a MAC.
    public enum MACKey: Sendable, Hashable {
        /// The public key, as PEM.
        case publicKey
        case clientSecret
        /// The first eight bytes of the client secret.
        case shortenedClientSecret
        /// The key that ``KeySetChange/Decoy/symmetric`` publishes.
        case published
        /// No bytes.
        case nothing
    }

    /// The last bit of the first byte is inverted.
    case flipped
    case empty
    /// The last byte is missing.
    case truncated
    /// A zero byte is appended.
    case extended
    /// All bytes are zero.
    case zeros
    /// An ECDSA signature is encoded in DER.
    case der
    /// `alg` is `none`, and the signature is empty.
    case unsecured
    /// `alg` is `HS256`, and the signature is a MAC.
    case mac(MACKey)
    /// The token is signed with this key; the header does not change.
    case by(UnusualKey)
}
