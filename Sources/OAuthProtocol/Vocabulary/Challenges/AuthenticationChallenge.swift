public import HTTPTypes

/// A challenge of a `WWW-Authenticate` field (RFC 9110 §11.3, §11.6.1): a scheme that the server takes, and what it says with it.
public struct AuthenticationChallenge: Sendable, Hashable {
    /// In lower case: schemes are the same in any case (RFC 9110 §11.1).
    public let scheme: String
    /// What some schemes send in the place of parameters.
    public let token68: String?
    /// By their names in lower case. Of a parameter that occurs twice, which RFC 9110 §11.3 forbids, the last.
    public let parameters: [String: String]

    public init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme.lowercased()
        self.token68 = token68
        self.parameters = Dictionary(parameters.map { ($0.key.lowercased(), $0.value) }) { _, last in last }
    }
}

extension AuthenticationChallenge {
    /// The most bytes of challenges, over all fields, that are looked at; what goes beyond is left out with its whole field.
    package static let sizeLimit = 16 * 1024
    /// The most challenges that are taken from a response.
    package static let countLimit = 16
    /// The most parameters that a challenge may have.
    package static let parameterLimit = 32

    /// Reads the challenges of a response, of several fields as of one.
    ///
    /// Nothing here fails: a challenge that breaks the grammar is left out together with what follows it in its field, since nobody can
    /// tell where the next one begins.
    public static func challenges(of head: HTTPResponse) -> [AuthenticationChallenge] {
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
