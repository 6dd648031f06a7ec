/// Where in the callback the answer stands.
public enum ResponseMode: String, Sendable, Hashable, CaseIterable {
    /// In the query of the redirect URI (RFC 6749 §4.1.2).
    case query
    /// In its fragment, which browsers send to no server (OAuth 2.0 Multiple Response Type Encoding Practices §2.1).
    case fragment
    /// In a form that the browser posts to the redirect URI (OAuth 2.0 Form Post Response Mode §2).
    case formPost = "form_post"
}
