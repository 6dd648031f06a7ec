package import HTTPTypes

/// A challenge of a `WWW-Authenticate` field (RFC 9110 §11.3, §11.6.1): a scheme that the server accepts, and its parameters.
package struct AuthenticationChallenge: Sendable, Hashable {
    /// The scheme in lower case; schemes are case-insensitive (RFC 9110 §11.1).
    package let scheme: String
    /// The value that some schemes send instead of parameters.
    package let token68: String?
    /// The parameters by their names in lower case. If a parameter occurs twice, which RFC 9110 §11.3 forbids, the last one counts.
    package let parameters: [String: String]

    /// Creates a challenge. Scheme and parameter names are converted to lower case.
    package init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme.lowercased()
        self.token68 = token68
        self.parameters = Dictionary(parameters.map { ($0.key.lowercased(), $0.value) }) { _, last in last }
    }
}

extension AuthenticationChallenge {
    /// The most bytes of challenges in all fields that are read. A field that exceeds them is ignored as a whole.
    package static let sizeLimit = 16 * 1024
    /// The most challenges that are read from a response.
    package static let countLimit = 16
    /// The most parameters that a challenge may have.
    package static let parameterLimit = 32

    /// Reads the challenges of a response, in all its fields.
    ///
    /// Does not fail: a challenge that breaks the grammar is ignored together with the rest of its field, because the start of the next
    /// challenge is unknown.
    package static func challenges(of head: HTTPResponse) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        var size = 0
        for field in head.headerFields[values: .wwwAuthenticate] {
            size += field.utf8.count
            guard size <= sizeLimit, challenges.count < countLimit else { break }
            var reader = ChallengeReader(field)
            challenges += reader.readAll().prefix(countLimit - challenges.count)
        }
        return challenges
    }
}
