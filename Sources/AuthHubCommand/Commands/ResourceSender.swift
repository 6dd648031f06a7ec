import AuthHub
import AuthHubPrimitives
import HTTPLoading

/// Sends requests to a server, with the token of the account if someone is signed in.
struct ResourceSender: Sendable {
    /// nil if there is none for the server.
    let account: SignedInAccount?
    /// The command that signs in.
    let login: String
    /// Sends requests without a token, so that the server says what it requires; nil if only an account may send requests.
    let withoutToken: Chain?

    /// Creates a sender that sends the request as it is if no one is signed in.
    static func toSignIn(_ account: SignedInAccount?, login: String) -> Self {
        Self(account: account, login: login, withoutToken: Chain(transport: ToolNetwork.current.transport, ordered: [RedirectLoader()]))
    }

    func load(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        do {
            if let account { return try await account.session.load(request) }
        } catch {
            guard withoutToken != nil, error.code == .notAuthorized, (error.underlying as? SessionError)?.code == .signInNeeded else {
                throw error
            }
        }
        guard let withoutToken else { throw LoadError(.notAuthorized, for: request) }
        return try await withoutToken.load(request)
    }

    func failure(_ error: LoadError) async -> Failure { await account?.failure(error) ?? Failure(error, login: login) }
}
