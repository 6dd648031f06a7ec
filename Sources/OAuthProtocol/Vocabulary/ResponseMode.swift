/// The part of the callback that holds the authorization response.
package enum ResponseMode: String, Sendable, Hashable, CaseIterable {
    /// The query of the redirect URI (RFC 6749 §4.1.2).
    case query
    /// The fragment, which browsers do not send to servers (OAuth 2.0 Multiple Response Type Encoding Practices §2.1).
    case fragment
    /// A form that the browser posts to the redirect URI (OAuth 2.0 Form Post Response Mode §2).
    case formPost = "form_post"
}
