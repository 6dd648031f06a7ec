import OAuthProtocol
import WebAuthentication

extension AuthorizationCallback {
    /// Creates a callback from one that a browser received or a user pasted.
    init(_ callback: CallbackURL) {
        switch callback.content {
        case .inURL: self = .url(callback.url)
        case .form(let form): self = .form(form, postedTo: callback.url)
        case .pin(let text): self = .pin(text)
        }
    }
}

extension CallbackResponseMode {
    /// Creates the response mode of a callback from the one that was requested.
    init(_ mode: ResponseMode) {
        switch mode {
        case .query: self = .query
        case .fragment: self = .fragment
        case .formPost: self = .form
        }
    }
}
