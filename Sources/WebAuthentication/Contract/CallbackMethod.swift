/// How the callback is received.
public enum CallbackMethod: Sendable, Hashable {
    /// A listener on 127.0.0.1 (RFC 8252 §7.3); port 0 uses any free port.
    case loopback(port: UInt16 = 0, path: String = "/callback")
    /// A private-use scheme (RFC 8252 §7.1) and what follows its colon: `com.example.app` and `/callback` make
    /// `com.example.app:/callback`. Choose the reversed name of a domain that you own: other programs can claim any scheme.
    case customScheme(String, path: String = "/callback")
    /// An https URL of the program (RFC 8252 §7.2), on the default port. Host and path are compared exactly.
    case https(host: String, path: String)
    /// The provider's own page at this URL, which shows a code or a token for the user to copy. There is no callback, so a ``PastePrompt``
    /// is needed. Only for providers that have such a page: the pasted text is accepted without `state`.
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
