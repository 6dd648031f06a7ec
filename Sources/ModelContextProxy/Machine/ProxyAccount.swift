package import HTTPLoading

/// How the proxy reaches its server: with the tokens of an account, if someone is signed in.
package protocol ProxyAccount: Sendable {
    /// Sends a request.
    ///
    /// - Returns: The response, and the sign-in that the request was sent with; nil if it had no token.
    /// - Throws: ``ProxyFailure`` if there is no response, or the account cannot be read.
    func load(_ request: LoadRequest) async throws(ProxyFailure) -> (response: LoadResponse, signIn: UsedSignIn?)

    /// Returns what to report if the body of a response cannot be read.
    func failure(_ error: LoadError) async -> ProxyFailure

    /// Signs in, or waits for another process that does. All later requests use the result.
    func signIn(_ need: SignInNeed) async throws(ProxyFailure) -> SignInParty

    /// Whether another process has signed in since. If so, all later requests use the result.
    func hasOtherSignIn(for need: SignInNeed) async -> Bool
}

/// The process that signed in: this one or another.
package enum SignInParty: Sendable {
    case this, other
}

/// The sign-in that a request was sent with.
package struct UsedSignIn: Sendable {
    let id: String?
    let resource: String?

    /// - Parameters:
    ///   - id: The ID of the sign-in; nil if unknown.
    ///   - resource: The resource that its tokens are for; nil if they are not for a particular one.
    package init(id: String?, resource: String?) { (self.id, self.resource) = (id, resource) }
}

/// What a server requires, so that the user has to sign in.
package struct SignInNeed: Sendable, Equatable {
    /// The URL to sign in at.
    package let url: String
    /// The header field with which the server rejected the request; empty if there was none.
    package let challenge: String
    /// The ID of the sign-in whose token was rejected; nil if there was none.
    package let rejected: String?
}
