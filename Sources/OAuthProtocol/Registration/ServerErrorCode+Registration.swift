/// RFC 7591 §3.2.2.
extension ServerErrorCode {
    /// A redirect URI is not taken.
    public static let invalidRedirectURI = Self(rawValue: "invalid_redirect_uri")
    /// Another member is not taken.
    public static let invalidClientMetadata = Self(rawValue: "invalid_client_metadata")
    /// The software statement cannot be used.
    public static let invalidSoftwareStatement = Self(rawValue: "invalid_software_statement")
    /// The software statement is nobody's whom the server trusts.
    public static let unapprovedSoftwareStatement = Self(rawValue: "unapproved_software_statement")
}
