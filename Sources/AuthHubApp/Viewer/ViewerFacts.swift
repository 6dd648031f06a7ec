import AniListAPI
import AuthHubPrimitives
import OAuthProtocol

/// The facts about a user that the app shows, from the service's API or from the verified ID token.
struct ViewerFacts: Sendable, Hashable {
    /// The user's identifier at the service, which stays the same if the name changes.
    let id: String
    let name: String
    /// The URL of the user's web page; nil if there is none.
    let page: String?
    /// The URL of the user's picture; nil if there is none.
    let picture: String?

    init(_ viewer: Viewer) {
        id = String(viewer.id)
        name = viewer.name
        page = viewer.page
        picture = nil
    }

    init(_ identity: IDToken) {
        id = "\(identity.issuer) \(identity.subject)"
        name = identity.displayName
        page = nil
        picture = identity.claims["picture"]?.string
    }
}
