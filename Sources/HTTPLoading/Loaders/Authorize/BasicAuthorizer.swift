public import AuthHubPrimitives
public import HTTPTypes
import Synchronization

/// An authorizer that adds a user ID and a password to requests (HTTP Basic, RFC 7617). They are the same for all requests, except for
/// those that set ``BasicCredentials`` as an option.
///
/// The credentials are only sent to the given origins, and only over https or to a loopback address. A 401 is returned to the caller,
/// because the same password would be rejected again. Without credentials, for example after a reset, requests are sent unchanged.
public final class BasicAuthorizer: Authorizer {
    private let origins: Set<Origin>
    private let credentials: Mutex<BasicCredentials?>

    /// Creates an authorizer.
    ///
    /// - Parameters:
    ///   - credentials: The credentials for requests that do not have their own; if nil, these requests are sent unchanged.
    ///   - origins: The origins that may receive the credentials.
    /// - Throws: ``LoadError`` with `.invalidRequest` if an origin is neither https nor loopback, because the password would cross the
    ///   network unencrypted.
    public init(_ credentials: BasicCredentials? = nil, origins: Set<Origin>) throws(LoadError) {
        if let open = origins.first(where: { $0.scheme != "https" && !$0.isLoopback }) {
            throw LoadError(.invalidRequest, explanation: "the password was not sent to \(open), which is neither https nor loopback")
        }
        self.origins = origins
        self.credentials = Mutex(credentials)
    }

    /// Sets the credentials for all later requests, such as those of the next user after a reset.
    public func use(_ credentials: BasicCredentials?) {
        self.credentials.withLock { $0 = credentials }
    }

    /// Returns whether the origin may receive credentials, and the request's options or the authorizer contain any.
    public func covers(_ origin: Origin, path: String, options: RequestOptions) -> Bool {
        origins.contains(origin) && credentials(for: options) != nil
    }

    /// Returns the credentials in the request's options, or else those of the authorizer.
    ///
    /// - Throws: ``LoadError`` with `.notAuthorized` if the credentials were cleared after ``covers(_:path:options:)`` returned true.
    public func credential(for request: LoadRequest) async throws(LoadError) -> BasicCredentials {
        guard let credentials = credentials(for: request.options) else {
            throw LoadError(.notAuthorized, for: request, explanation: "the credentials were deleted in the meantime")
        }
        return credentials
    }

    /// Sets the `Authorization` field to the credentials.
    public func apply(_ credential: BasicCredentials, to head: inout HTTPRequest) throws(LoadError) {
        head.headerFields[.authorization] = credential.authorization.reveal()
    }

    /// Returns nil, because the server would reject the same password again.
    public func replacement(
        for credential: BasicCredentials, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> BasicCredentials? {
        nil
    }

    /// Clears the credentials immediately, unless they were set after the reset began.
    public func reset(_ context: ResetContext) async throws {
        if context.phase == .forget { use(nil) }
    }

    private func credentials(for options: RequestOptions) -> BasicCredentials? {
        options[BasicCredentials.self] ?? credentials.withLock { $0 }
    }
}
