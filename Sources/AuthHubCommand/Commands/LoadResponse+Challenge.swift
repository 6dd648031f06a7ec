import AuthHub
import HTTPLoading
import HTTPTypes

extension LoadResponse {
    /// The header fields with which the server asks for a token, or for another one.
    var challenges: String { head.headerFields[values: .wwwAuthenticate].joined(separator: ", ") }

    /// Whether the server requires an access token, another one, or more of it.
    var rejectsToken: Bool { !notes.isCredentialWithheld && AccessRequirement(head) != nil }
}
