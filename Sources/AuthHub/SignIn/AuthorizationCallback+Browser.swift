import OAuthProtocol
import WebAuthentication

extension AuthorizationCallback {
    /// What a browser brought, or a person pasted.
    init(_ callback: CallbackURL) {
        switch callback.content {
        case .inURL: self = .url(callback.url)
        case .form(let form): self = .form(form, postedTo: callback.url)
        case .pin(let text): self = .pin(text)
        }
    }
}

extension CallbackCarrier {
    /// What carries an answer that was asked for in this mode.
    init(_ mode: ResponseMode) {
        switch mode {
        case .query: self = .query
        case .fragment: self = .fragment
        case .formPost: self = .form
        }
    }
}
