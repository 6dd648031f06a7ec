/// Where a provider differs from the specifications, as data. A new value has no quirks: everything is as the specifications say.
///
/// The code that makes and reads messages knows no provider and only follows these values. Describe them in JSON, in a provider's
/// settings file (``ProviderProfile/init(settings:file:transport:)``) or with ``applying(settings:file:)``: quirks weaken what is checked,
/// and these readers reject the combinations that would remove a protection.
package struct ProviderQuirks: Sendable, Hashable {
    /// How authorization requests are created.
    package var authorization = AuthorizationQuirks()
    /// What authorization responses look like.
    package var authorizationResponses = AuthorizationResponseQuirks()
    /// How requests to the back-channel endpoints are created.
    package var requests = RequestQuirks()
    /// How their responses are read.
    package var responses = ResponseQuirks()
    /// How the server's metadata is read.
    package var discovery = DiscoveryQuirks()
    /// What ID tokens contain.
    package var identity = IdentityQuirks()
    /// How the account endpoint describes the signed-in user.
    package var account = AccountQuirks()
    /// What requests to the API need.
    package var api = APIQuirks()
    /// Which refresh tokens the server issues.
    package var refreshTokens = RefreshTokens.asIssued
    /// How git uses the access token.
    package var git = GitQuirks()
    /// What the user needs to know to register a client.
    package var registration = RegistrationGuide()

    /// Creates the quirks of a provider that has none.
    package init() {}
}
