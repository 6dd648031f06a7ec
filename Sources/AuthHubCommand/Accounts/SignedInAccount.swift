import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import GitHubAPI
import OAuthProtocol
import WebAuthentication

/// An account that was signed in earlier, with a session that never opens a page.
struct SignedInAccount: Sendable {
    let label: String
    let settings: AccountSettings
    let session: OAuthSession

    /// The command that signs this account in again.
    let login: String

    /// - Parameter resources: More origins that may see the access token.
    /// - Throws: ``Failure`` where nothing was signed in under the label, or the store cannot be used.
    static func open(_ options: AccountOptions, resources: Set<Origin> = []) async throws(Failure) -> Self {
        let store = try ToolStore.open()
        guard let settings = try await AccountBook(store: store).settings(of: options.label) else {
            throw Failure(
                "sign_in_needed", .signInNeeded, "nobody is signed in as “\(options.label)”",
                hint: "authhub login github --client-id ID\(options.suffix), or with an issuer's URL in place of github")
        }
        return Self(
            label: options.label, settings: settings,
            session: OAuthSession(
                server: try settings.profile(), client: settings.client, scope: settings.scope, label: options.label,
                resources: resources, browser: .system, store: store, signIn: .manual,
                surroundings: Surroundings(transport: NetworkTransport.shared)),
            login: "authhub login" + options.suffix)
    }

    /// GitHub's API, as this account sees it.
    func gitHub() throws(Failure) -> GitHub {
        guard let api = settings.gitHubAPI else {
            throw .usage(
                "“\(label)” is signed in at \(settings.providerArgument), which has no repositories",
                hint: "authhub login github --client-id ID --as NAME, then the same command with --as NAME")
        }
        return GitHub(session: session, api: api)
    }
}
