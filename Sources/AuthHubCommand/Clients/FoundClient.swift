import OAuthProtocol

/// The client of a sign-in whose account has none yet.
enum FoundClient: Sendable {
    /// The client that new accounts at the provider use.
    case remembered(RememberedClient)
    /// The client that this tool registered at the issuer.
    case registered(ClientRegistration)
    /// The client that the user named when asked.
    case asked(OAuthClient)

    /// The client that the same command finds again without arguments; nil for a registered one.
    var client: OAuthClient? {
        switch self {
        case .remembered(let remembered): remembered.client
        case .asked(let client): client
        case .registered: nil
        }
    }

    var isAsked: Bool { if case .asked = self { true } else { false } }
}
