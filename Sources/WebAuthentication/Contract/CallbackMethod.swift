/// How the callback comes back.
public enum CallbackMethod: Sendable, Hashable {
    /// A listener on 127.0.0.1 (RFC 8252 §7.3); port 0 takes a free one.
    case loopback(port: UInt16 = 0, path: String = "/callback")
    /// A private-use scheme (RFC 8252 §7.1), with what follows its colon: `com.example.app` and `/callback` make
    /// `com.example.app:/callback`. Choose the reversed name of a domain that is yours: other programs can claim any scheme.
    case customScheme(String, path: String = "/callback")
    /// An https address of the program's own (RFC 8252 §7.2), on the default port. Host and path are compared exactly.
    case https(host: String, path: String)
    /// The provider's own page, at this address, which shows a code or a token for the person to copy: nothing comes back by itself, so
    /// that a ``PastePrompt`` is needed. For a sign-in whose provider has such a page, and no other: what is pasted is taken without `state`.
    case pinPage(String)
}

extension CallbackMethod {
    /// What a callback needs, whatever its address.
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
