import OAuthProtocol

extension Failure {
    /// Creates a failure from an error that the server returned, with advice (RFC 6749 §4.1.2.1 and §5.2). The server's own words follow in
    /// parentheses.
    ///
    /// - Parameters:
    ///   - login: The command that signs in again.
    ///   - isDenied: Whether the session knows that the user or the server's policy denied access.
    init(_ error: ServerError, login: String, isDenied: Bool = false) {
        let advice = Advice(error, login: login)
        let isDenial = isDenied || advice.isDenial
        self.init(
            isDenial ? "denied" : "server_rejected", isDenial ? .denied : .failed,
            "\(advice.sentence) (\(Self.details(error)))",
            hint: advice.hint, serverError: error)
    }

    private static func details(_ error: ServerError) -> String {
        let explanation = error.explanation.flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""
        guard let status = error.status else { return error.originalCode + explanation }
        // More text follows, so the server's sentence loses its full stop.
        return "\(error.originalCode)\(explanation.hasSuffix(".") ? String(explanation.dropLast()) : explanation), HTTP \(status)"
    }

    private struct Advice {
        let sentence: String
        let hint: String
        var isDenial = false

        init(_ error: ServerError, login: String) {
            switch error.code {
            case let code where ServerErrorCode.userActionRequired.contains(code):
                self.init("the server requires something from the user that was not done", "\(login), and do what the page asks for")
            case .accessDenied: self.init("access was denied", "\(login), and allow access", isDenial: true)
            case .invalidScope:
                self.init(
                    "the server does not grant the requested scope", "\(login) --scope SCOPES with scopes that the server supports",
                    isDenial: true)
            case .unauthorizedClient:
                self.init(
                    "the server does not let this client sign in this way",
                    "allow it in the client's registration, or choose another flow with --flow", isDenial: true)
            case .invalidClient:
                self.init(
                    "the server does not accept the client ID or its secret",
                    "check --client-id and --client-secret-file; some servers also need --client-auth post or basic")
            case .invalidGrant: self.init("the server does not accept the code or the token; it may have expired", login)
            // A server that does not know the redirect URI or the client shows a page instead of calling back (RFC 6749 §4.1.2.1).
            case .invalidRequest where error.status == nil:
                self.init(
                    "the server does not accept the request", "read the server's reason; if it does not help, ask the server's operator")
            case .invalidRequest:
                self.init(
                    "the server does not accept the request", "check that the redirect URI and the client ID are registered there")
            case .invalidTarget:
                self.init("the server does not issue tokens for this API", "check the API's URL and the client's registration")
            case .unsupportedGrantType, .unsupportedResponseType:
                self.init(
                    "the server does not support this flow", "choose another flow; authhub help login lists the values of --flow"
                )
            case .unsupportedTokenType: self.init("the server does not revoke tokens of this kind", "authhub logout deletes them here")
            default:
                self.init("the server rejected the request", "read the server's reason; if it does not help, ask the server's operator")
            }
        }

        private init(_ sentence: String, _ hint: String, isDenial: Bool = false) {
            self.sentence = sentence
            self.hint = hint
            self.isDenial = isDenial
        }
    }
}
