/// The way the callback is received.
public enum CallbackMethod: Sendable, Hashable {
    /// A listener on 127.0.0.1 (RFC 8252 §7.3); port 0 chooses a free one.
    case loopback(port: UInt16 = 0, path: String = "/callback")
    /// A private-use scheme (RFC 8252 §7.1), and the part after its colon: `com.example.app` and `/callback` make
    /// `com.example.app:/callback`. Choose the reversed name of a domain that you own: other programs can claim any scheme.
    case customScheme(String, path: String = "/callback")
    /// An https URL of the program (RFC 8252 §7.2), on the default port. Host and path are compared exactly.
    case https(host: String, path: String)
    /// The provider's own page, with this URL, which shows a code or a token for the user to copy. There is no callback, so a
    /// ``PastePrompt`` is required. Use it only if the provider has such a page: the pasted code is accepted without `state`.
    case pinPage(String)
}

extension CallbackMethod {
    /// The kind of a callback, independent of its URL.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case loopback
        case customScheme
        case https
        case pinPage
    }

    public var kind: Kind {
        switch self {
        case .loopback: .loopback
        case .customScheme: .customScheme
        case .https: .https
        case .pinPage: .pinPage
        }
    }
}
