import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import Logging
import OAuthProtocol
import Platform

/// The values that all sign-ins and refreshes of a configuration share, in one object, because there can be many sessions. An option
/// for them is one property here.
final class SessionContext: Sendable {
    let request: AccessRequest
    let server: ServerDirectory
    let store: any CredentialStore
    let backChannel: BackChannel
    /// How long the user may take to sign in.
    let signInTimeout: Duration
    let clock: LoadClock
    /// The pauses between attempts to store tokens that replaced those of another program.
    let storeRetryPauses: [Duration]
    let logger: Logger?

    init(
        _ request: AccessRequest, at server: ServerDirectory, store: any CredentialStore, backChannel: BackChannel, signInTimeout: Duration,
        dependencies: Dependencies
    ) {
        (self.request, self.server, self.store, self.backChannel, self.signInTimeout) = (request, server, store, backChannel, signInTimeout)
        (clock, storeRetryPauses, logger) = (dependencies.clock, dependencies.storeRetryPauses, dependencies.logger)
    }
}

/// The client, and the access that it requests when a user signs in.
struct AccessRequest: Sendable {
    let client: OAuthClient
    let scope: Scope
    var target = AccessTarget()
    var claims = ClaimsRequest()
}

/// A part of a session, such as its refreshes.
protocol SessionPart: Sendable {
    var context: SessionContext { get }
}

extension SessionPart {
    var client: OAuthClient { context.request.client }
    var scope: Scope { context.request.scope }
    var target: AccessTarget { context.request.target }
    var claims: ClaimsRequest { context.request.claims }
    var server: ServerDirectory { context.server }
    var store: any CredentialStore { context.store }
    var backChannel: BackChannel { context.backChannel }
    var signInTimeout: Duration { context.signInTimeout }
    var now: @Sendable () -> Date { context.backChannel.now }
    var clock: LoadClock { context.clock }
    var storeRetryPauses: [Duration] { context.storeRetryPauses }
    var logger: Logger? { context.logger }
}
