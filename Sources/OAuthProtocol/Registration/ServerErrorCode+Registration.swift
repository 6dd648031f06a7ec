/// RFC 7591 §3.2.2.
extension ServerErrorCode {
    /// A redirect URI is not accepted.
    package static let invalidRedirectURI = Self(rawValue: "invalid_redirect_uri")
    /// Another member is not accepted.
    package static let invalidClientMetadata = Self(rawValue: "invalid_client_metadata")
    /// The software statement is invalid.
    package static let invalidSoftwareStatement = Self(rawValue: "invalid_software_statement")
    /// The server does not trust the issuer of the software statement.
    package static let unapprovedSoftwareStatement = Self(rawValue: "unapproved_software_statement")
}
