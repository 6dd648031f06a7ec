import AuthHubPrimitives
import Crypto

extension RedirectURI {
    /// Returns `http://127.0.0.1/HASH/callback`, on a free port: a redirect URI for the clients of one issuer only, so that a response to
    /// the client of another issuer cannot be accepted as its own (RFC 9700 §4.4.2.2).
    ///
    /// The issuer's part is first in the path, because some servers accept every path below a registered one.
    package static func loopback(forClientsOf issuer: String) -> Self {
        .loopback(path: "/\(issuerPart(issuer))/callback")
    }

    /// 128 bits, so that no one finds another issuer with the same hash, as lower-case digits, because some servers ignore case.
    private static func issuerPart(_ issuer: String) -> String {
        let name = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let digits = Array("0123456789abcdef".utf8)
        let hash = SHA256.hash(data: Array(name.utf8)).prefix(16)
        return String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
