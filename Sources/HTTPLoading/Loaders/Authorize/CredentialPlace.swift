import AuthHubPrimitives
import HTTPTypes

/// The part of a request in which the server expects a bearer token.
package enum CredentialPlace: RequestOption, Sendable, Hashable {
    /// The `Authorization` field (RFC 6750 §2.1).
    case header
    /// The form of a POST request without other parameters (RFC 6750 §2.2).
    case form

    package static var defaultValue: CredentialPlace { .header }

    package static func identity(of value: CredentialPlace) -> (any Hashable & Sendable)? { value }
}

extension LoadRequest {
    /// Moves the bearer token of the `Authorization` field to the body.
    ///
    /// - Returns: The value that the field had.
    /// - Throws: ``LoadError``: `.redirectRefused` if the request is not a POST, because a redirect has changed it to a GET;
    ///   `.invalidRequest` if the credential is not a bearer token, or the request already has a body.
    mutating func moveCredentialToForm() throws(LoadError) -> String {
        let scheme = "Bearer "
        guard head.method == .post else {
            throw LoadError(.redirectRefused, for: self, explanation: "the redirect changes the POST, whose form has the token, to a GET")
        }
        guard body.isEmpty, let credential = head.headerFields[.authorization], credential.hasPrefix(scheme) else {
            throw LoadError(
                .invalidRequest, for: self, explanation: "a form can only have a bearer token, and only if the request has no other body")
        }
        head.headerFields[.authorization] = nil
        body = .form(["access_token": String(credential.dropFirst(scheme.count))])
        return credential
    }
}
