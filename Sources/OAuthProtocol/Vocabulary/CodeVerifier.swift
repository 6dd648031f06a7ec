package import AuthHubPrimitives
import Crypto

/// A secret that the client creates for one sign-in and proves to have when it exchanges the code (RFC 7636 §4.1).
package struct CodeVerifier: Sendable {
    package let value: Secret<String>

    /// Creates a verifier of 32 random bytes, as 43 characters.
    package static func random() -> Self {
        Self(value: Secret(Base64URL.encode(randomBytes(count: 32))))
    }

    /// - Throws: ``OAuthError`` with `.misuse` unless it is 43 to 128 unreserved characters.
    package init(_ value: Secret<String>) throws(OAuthError) {
        let text = value.reveal().utf8
        guard (43...128).contains(text.count), text.allSatisfy(\.isUnreserved) else {
            throw OAuthError(.misuse, "the code verifier must be 43 to 128 unreserved characters (RFC 7636 §4.1)")
        }
        self.value = value
    }

    private init(value: Secret<String>) {
        self.value = value
    }

    /// The S256 challenge, which the authorization request shows (RFC 7636 §4.2). The `plain` method is not supported.
    package var challenge: String {
        Base64URL.encode(SHA256.hash(data: Array(value.reveal().utf8)))
    }

    /// The hash in lower-case hexadecimal digits, for providers that use them.
    var hexadecimalChallenge: String {
        let digits = Array("0123456789abcdef".utf8)
        let hash = SHA256.hash(data: Array(value.reveal().utf8))
        return String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
