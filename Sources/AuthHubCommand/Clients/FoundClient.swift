import OAuthProtocol

/// The client of a sign-in whose account has none yet.
enum FoundClient: Sendable {
    /// The client that new accounts at the provider use.
    case remembered(RememberedClient)
    /// The client that this tool registered at the issuer.
    case registered(ClientRegistration)
    /// The client that the user named when asked.
    case asked(OAuthClient)

    /// Whether the command line need not name the client to find it again.
    var needsNoArguments: Bool { if case .registered = self { false } else { true } }

    var isAsked: Bool { if case .asked = self { true } else { false } }
}
