public import AuthHubPrimitives
public import HTTPTypes

/// Knows the credential for a request, and what to do when a server does not take it.
///
/// The ``AuthorizeLoader`` asks it; OAuth sessions and others implement it.
public protocol Authorizer: Sendable {
    associatedtype Credential: Sendable

    /// Whether requests to this origin, with these options, may carry the credential: an allow-list, asked for every hop.
    func covers(_ origin: Origin, options: RequestOptions) -> Bool

    /// The credential to send now, waiting for a new one where it must.
    func credential(for request: LoadRequest) async throws(LoadError) -> Credential

    /// Writes the credential into a request.
    func apply(_ credential: Credential, to head: inout HTTPRequest) throws(LoadError)

    /// Says what follows from a refusal (status 401) of a request that carried this credential.
    ///
    /// - Returns: A credential to send the request with again, once, or nil to hand the refusal on.
    func replacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential?

    /// Says what follows where a replay was refused, too (status 401): asked once, with the credential of the replay.
    ///
    /// - Returns: A credential that was had by other means, such as by asking the person, or by a refresh where none was needed for the
    ///   replay's, to send the request with for the last time; or nil, as without an implementation, to hand the refusal on.
    func lastReplacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential?

    /// Forgets credentials; see ``Loader/reset(_:)``.
    func reset(_ context: ResetContext) async throws
}

extension Authorizer {
    public func lastReplacement(
        for credential: Credential, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> Credential? {
        nil
    }

    public func reset(_ context: ResetContext) async throws {}
}
