public import AuthHubPrimitives
public import HTTPTypes
import Synchronization

/// Gives requests a user-id and a password (HTTP Basic, RFC 7617), the same for all or those a request brings as its option.
///
/// They go to the given origins and nowhere else, and only over https or within this machine. A refusal is handed on: the same password
/// would be refused again. Without credentials, as after a reset, requests go as they are.
public final class BasicAuthorizer: Authorizer {
    private let origins: Set<Origin>
    private let credentials: Mutex<BasicCredentials?>

    /// - Parameters:
    ///   - credentials: For requests without credentials of their own; nil leaves those as they are.
    ///   - origins: Who may see them.
    /// - Throws: ``LoadError`` with `.invalidRequest` for an origin that is neither https nor loopback: the password would cross the
    ///   network for everyone to read.
    public init(_ credentials: BasicCredentials? = nil, origins: Set<Origin>) throws(LoadError) {
        if let open = origins.first(where: { $0.scheme != "https" && !$0.isLoopback }) {
            throw LoadError(.invalidRequest, explanation: "the password was not sent to \(open), which is neither https nor loopback")
        }
        self.origins = origins
        self.credentials = Mutex(credentials)
    }

    /// Sets the credentials from now on, such as those of the next person after a reset.
    public func use(_ credentials: BasicCredentials?) {
        self.credentials.withLock { $0 = credentials }
    }

    public func covers(_ origin: Origin, options: RequestOptions) -> Bool {
        origins.contains(origin) && credentials(for: options) != nil
    }

    public func credential(for request: LoadRequest) async throws(LoadError) -> BasicCredentials {
        guard let credentials = credentials(for: request.options) else {
            throw LoadError(.notAuthorized, for: request, explanation: "the credentials were deleted in the meantime")
        }
        return credentials
    }

    public func apply(_ credential: BasicCredentials, to head: inout HTTPRequest) throws(LoadError) {
        head.headerFields[.authorization] = credential.authorization.reveal()
    }

    public func replacement(
        for credential: BasicCredentials, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> BasicCredentials? {
        nil
    }

    /// Forgets the credentials at once; those set since then stay.
    public func reset(_ context: ResetContext) async throws {
        if context.phase == .forget { use(nil) }
    }

    private func credentials(for options: RequestOptions) -> BasicCredentials? {
        options[BasicCredentials.self] ?? credentials.withLock { $0 }
    }
}
