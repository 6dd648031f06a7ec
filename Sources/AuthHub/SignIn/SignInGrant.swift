import OAuthProtocol
import WebAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a sign-in was granted, before anything of it is stored.
enum SignInGrant: Sendable {
    /// Nothing is issued yet: this request asks for the tokens.
    case request(TokenRequest)
    /// Issued already.
    case tokens(TokenResponse, issuedAt: Date, sentAt: Date?)
}

/// Where a sign-in has got to when the person is done: what was granted, or why nothing was, and a page that waits to be told the end.
struct SignInProgress: Sendable {
    let granted: Result<SignInGrant, SessionError>
    var page: ReceivedCallback?
}

/// Who follows a sign-in while the person is asked.
struct SignInWatch: Sendable {
    /// Gets what shows the page, before it does.
    var shows: @Sendable (any WebAuthenticationAttempt) -> Void
    /// Gets what arrived and was not accepted.
    var ignored: @Sendable (IgnoredCallbacks) -> Void
}

/// One way to be granted tokens. It stores nothing of them: that is the same for every way.
protocol SignInWay: Sendable {
    /// The endpoints that it uses, if the server has them.
    var endpoints: Set<Endpoints.Name> { get }

    /// Asks the person, or whoever decides, and returns when they have.
    ///
    /// Cancelling the task ends the asking. It must not lose tokens: where they may have been issued, it waits for the answer.
    ///
    /// - Parameters:
    ///   - need: What to ask for beside the session's scope.
    ///   - watch: Told of what happens meanwhile.
    /// - Throws: ``SessionError`` where it ended without a page that could be told.
    func begin(at profile: ProviderProfile, for need: StepUpRequirement, watch: SignInWatch) async throws(SessionError) -> SignInProgress
}
