import AuthHub
import OAuthProtocol

extension LoginCommand {
    /// Whether the user leaves the scope to the tool. An account that signs in again keeps its scope.
    func choosesScope(_ settings: AccountSettings, known: AccountSettings?) -> Bool {
        settings.resource == nil && provider.scope == nil && provider.settings == nil && settings.provider.isIssuer
            && settings.provider != known?.provider
            && !settings.signsInWithoutPage
    }

    func identityScope(
        at profile: ProviderProfile, _ settings: AccountSettings, known: AccountSettings?, _ found: FoundClient?,
        _ dependencies: Dependencies
    ) async throws(Failure) -> Scope? {
        do {
            let server = AuthorizationServer(profile, forOpenID: true, dependencies: dependencies)
            return IdentityScope.scope(at: try await server.provider().metadata)
        } catch {
            throw failure(error, settings, known: known, found)
        }
    }
}
