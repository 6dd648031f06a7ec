import AuthHub
import HTTPLoading
import HTTPTypes

extension LoadResponse {
    /// The header fields with which the server asks for a token, or for another one.
    var challenges: String { head.headerFields[values: .wwwAuthenticate].joined(separator: ", ") }

    /// Whether the server has rejected the access token of the request, or requires more of it.
    var rejectsToken: Bool { !notes.isCredentialWithheld && (status == .unauthorized || stepUpRequirement != nil) }
}
