import AuthHubPrimitives

/// The part of the callback that holds an authorization response (OAuth 2.0 Multiple Response Type Encoding Practices §2.1).
enum ResponseMode: String, Sendable {
    case query, fragment
    case formPost = "form_post"
}

/// An authorization response before it is encoded.
struct CallbackParts: Sendable {
    var parameters: FormParameters
    let redirectURI: String
    let mode: ResponseMode
}
