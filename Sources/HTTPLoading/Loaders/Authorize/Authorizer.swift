public import AuthHubPrimitives
public import HTTPTypes

/// A source of credentials for requests.
///
/// ``AuthorizeLoader`` asks an authorizer for the credential of each request, and for a replacement if the server rejects the credential.
/// OAuth sessions provide an authorizer.
public protocol Authorizer: Sendable {
    associatedtype Credential: Sendable

    /// Returns whether requests to this origin and path, with these options, may carry the credential. It is called for each attempt and
    /// each hop of a redirect.
    ///
    /// - Parameter path: The path and the query of the request, as it is sent.
    func covers(_ origin: Origin, path: String, options: RequestOptions) -> Bool

    /// Returns the current credential. Waits if a new one has to be obtained.
    ///
    /// - Throws: ``LoadError`` if no credential is available; the request then fails with this error.
    func credential(for request: LoadRequest) async throws(LoadError) -> Credential

    /// Adds the credential to a request.
    func apply(_ credential: Credential, to head: inout HTTPRequest) throws(LoadError)

    /// Returns a replacement for a credential that a server has rejected with 401.
    ///
    /// - Returns: The credential for one replay of the request, or nil to return the 401 to the caller.
    func replacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential?

    /// Returns another replacement if the replay was also rejected with 401. It is called at most once per request.
    ///
    /// Obtain the credential in a different way than before, for example by asking the user to sign in, or by a refresh if the credential of
    /// the replay was not the result of one. The default implementation returns nil.
    ///
    /// - Returns: The credential for the last replay of the request, or nil to return the 401 to the caller.
    func lastReplacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential?

    /// Clears the stored credentials. It is called once in each ``ResetPhase`` of a reset.
    func reset(_ context: ResetContext) async throws
}

extension Authorizer {
    /// Returns nil, so that the 401 of a replay is returned to the caller.
    public func lastReplacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential? {
        nil
    }

    /// Does nothing, for authorizers that store no credentials.
    public func reset(_ context: ResetContext) async throws {}
}
