/// The way in which a program receives the callback of a sign-in.
public enum CallbackMethod: Sendable, Hashable {
    /// A listener on 127.0.0.1 (RFC 8252 §7.3). Port 0 means any free port.
    case loopback(port: UInt16 = 0, path: String = "/callback")
    /// A private-use scheme (RFC 8252 §7.1) and the part after its colon: `com.example.app` and `/callback` result in
    /// `com.example.app:/callback`. Use the reversed name of a domain that you own. Other programs can still claim the same scheme (RFC
    /// 8252 §8.6).
    case customScheme(String, path: String = "/callback")
    /// An https URL of the program (RFC 8252 §7.2), on the default port. The path must match exactly.
    case https(host: String, path: String)
    /// A page of the provider at this URL, which shows a code or a token for the user to copy. No callback arrives, so a ``PastePrompt`` is
    /// required. Use this only for providers that have such a page, because the pasted text is accepted without `state`.
    case pinPage(String)
}

extension CallbackMethod {
    /// The kind of a callback, without its URL.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case loopback
        case customScheme
        case https
        case pinPage
    }

    /// The kind of this method, without its port, path or URL.
    public var kind: Kind {
        switch self {
        case .loopback: .loopback
        case .customScheme: .customScheme
        case .https: .https
        case .pinPage: .pinPage
        }
    }
}
