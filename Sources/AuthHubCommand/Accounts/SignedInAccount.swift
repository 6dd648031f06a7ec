import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import CredentialStorage
import GitHubAPI
import HTTPLoading
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
}

extension SignedInAccount {
    /// What to tell about an error, once nothing is under way any more: a refresh that was sent is finished and stored before the process
    /// ends, also where the person presses Ctrl-C.
    func failure(_ error: SessionError) async -> Failure {
        await session.finish()
        return Failure(error, login: login)
    }

    func failure(_ error: LoadError) async -> Failure {
        await session.finish()
        return Failure(error, login: login)
    }

    func failure(_ error: GitHubError) async -> Failure {
        await session.finish()
        return Failure(error, login: login)
    }
}
