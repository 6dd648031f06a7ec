/// RFC 7591 §3.2.2.
extension ServerErrorCode {
    public static let invalidRedirectURI = Self(rawValue: "invalid_redirect_uri")
    public static let invalidClientMetadata = Self(rawValue: "invalid_client_metadata")
    public static let invalidSoftwareStatement = Self(rawValue: "invalid_software_statement")
    public static let unapprovedSoftwareStatement = Self(rawValue: "unapproved_software_statement")
}
