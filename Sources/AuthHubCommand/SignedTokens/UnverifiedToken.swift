import AuthHubPrimitives

/// The decoded parts of a token in the compact serialization (RFC 7515 §7.1, RFC 7516 §7.1). Anyone could have written them.
struct UnverifiedToken: Sendable {
    let header: JSONObject
    /// The claims; nil if the token is encrypted.
    let claims: JSONObject?

    private static let largestDepth = 8

    /// Decodes a token.
    ///
    /// - Throws: ``Failure``, which never contains a part of the token.
    init(_ text: Secret<String>) throws(Failure) {
        let parts = text.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5 else {
            guard parts.count > 1 else {
                throw .usage(
                    "this is not a JSON Web Token", hint: "an access token can have any format; authhub token --id prints an ID token")
            }
            throw Self.malformed("it has \(parts.count) parts instead of 3")
        }
        header = try Self.object(parts[0], "header")
        claims = parts.count == 3 ? try Self.object(parts[1], "payload") : nil
    }

    private static func object(_ part: Substring, _ name: String) throws(Failure) -> JSONObject {
        guard let bytes = Base64URL.decode(part) else { throw malformed("its \(name) is not base64url") }
        guard let object = try? JSONValue(received: bytes, maximumDepth: largestDepth).object else {
            throw malformed("its \(name) is not a JSON object in strict JSON")
        }
        return object
    }

    private static func malformed(_ problem: String) -> Failure {
        .usage("this is not a JSON Web Token: \(problem)", hint: "name a file that contains only the token")
    }

    /// Returns whether a word of the command line looks like a token.
    static func isLikely(_ word: some StringProtocol) -> Bool {
        word.hasPrefix("eyJ") && word.utf8.count { $0 == UInt8(ascii: ".") } >= 2
    }
}
