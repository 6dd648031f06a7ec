import AuthHubPrimitives
import Synchronization

/// The targets of tokens: resources (RFC 8707) and authorization details (RFC 9396).
extension TokenEndpoint {
    /// The repeatable parameters of RFC 8707 §2 and RFC 8693 §2.1.
    static let repeatable: Set<String> = ["resource", "audience"]

    /// Checks the resources of a request before a code or token is used up for it.
    func checkResources(of form: FormParameters) throws(TokenError) {
        let asked = form.values(named: "resource")
        if let problem = AuthorizationRequest.resourceProblem(asked) { throw TokenError(code: .invalidTarget, description: problem) }
        let granted = (form["code"] ?? form["refresh_token"]).flatMap { text in state.grants.withLock { $0.grant(of: text) } }?.resources
        guard let granted, !granted.isEmpty else { return }
        guard Set(asked).isSubset(of: granted) else {
            throw TokenError(code: .invalidTarget, description: "A resource was not granted.")
        }
    }

    /// Restricts an access token to some of the granted resources (RFC 8707 §2.2).
    func narrowed(_ tokens: IssuedTokens, by request: IncomingRequest) throws(TokenError) -> IssuedTokens {
        let asked = request.form?.values(named: "resource") ?? []
        if !asked.isEmpty { state.grants.withLock { $0.narrow(accessToken: tokens.accessToken, to: asked) } }
        return tokens
    }

    /// Returns the granted part of the details; nil if none were requested.
    func details(in form: FormParameters) throws(TokenError) -> JSONValue? {
        guard let text = form["authorization_details"] else { return nil }
        if let problem = AuthorizationRequest.detailsProblem(text, persona: state.persona) {
            throw TokenError(code: .invalidAuthorizationDetails, description: problem)
        }
        return (try? JSONValue(strict: Array(text.utf8))).map { state.persona.granting($0) }
    }
}
