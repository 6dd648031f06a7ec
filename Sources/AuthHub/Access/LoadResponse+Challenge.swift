package import HTTPLoading
import HTTPTypes
import OAuthProtocol

extension LoadResponse {
    /// The header fields with which the server asks for a token, or for another one; empty if it asks only for something else.
    package var challenges: String {
        let isForToken = AuthenticationChallenge.challenges(of: head).contains { TokenChallenge($0) != nil }
        return isForToken ? head.headerFields[values: .wwwAuthenticate].joined(separator: ", ") : ""
    }

    /// Whether the server requires an access token, another one, or more of it.
    package var rejectsToken: Bool { !notes.isCredentialWithheld && AccessRequirement(head) != nil }
}
