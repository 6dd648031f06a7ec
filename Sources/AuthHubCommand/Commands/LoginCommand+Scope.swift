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
            return IdentityScope.scope(at: try await AuthorizationServer(profile, dependencies: dependencies).provider().metadata)
        } catch {
            throw failure(error, settings, known: known, found)
        }
    }
}
