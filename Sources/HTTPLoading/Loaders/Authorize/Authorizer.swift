public import AuthHubPrimitives
public import HTTPTypes

/// A type that knows the credential for a request, and what to do if a server rejects it.
///
/// ``AuthorizeLoader`` uses it. OAuth sessions implement this protocol.
public protocol Authorizer: Sendable {
    associatedtype Credential: Sendable

    /// Returns whether requests to this origin, with these options, may carry the credential. This allowlist is checked for each hop.
    func covers(_ origin: Origin, options: RequestOptions) -> Bool

    /// Returns the credential to send now, waiting for a new one if necessary.
    func credential(for request: LoadRequest) async throws(LoadError) -> Credential

    /// Adds the credential to a request.
    func apply(_ credential: Credential, to head: inout HTTPRequest) throws(LoadError)

    /// Returns a replacement for a credential that a server has rejected with 401.
    ///
    /// - Returns: The credential for one replay of the request, or nil to return the 401 to the caller.
    func replacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential?

    /// Returns a replacement for the credential of a replay that was also rejected with 401. It is called at most once per request.
    ///
    /// - Returns: A credential that was obtained in another way, for example by asking the user to sign in, or by a refresh if the replay's
    ///   credential was not refreshed. The request is replayed with it for the last time. If nil, as in the default implementation, the 401
    ///   is returned to the caller.
    func lastReplacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential?

    /// Clears the stored credentials; see ``Loader/reset(_:)``.
    func reset(_ context: ResetContext) async throws
}

extension Authorizer {
    /// Returns nil, so that a 401 to a replay is returned to the caller.
    public func lastReplacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential? {
        nil
    }

    /// Does nothing, for authorizers that store no credentials.
    public func reset(_ context: ResetContext) async throws {}
}
