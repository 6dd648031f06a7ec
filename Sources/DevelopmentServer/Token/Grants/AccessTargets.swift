import AuthHubPrimitives
import Synchronization

/// What tokens are for: resources (RFC 8707) and access in detail (RFC 9396).
extension TokenEndpoint {
    /// RFC 8707 §2 and RFC 8693 §2.1.
    static let repeatable: Set<String> = ["resource", "audience"]

    /// Judges the resources of a request before anything is spent for it.
    func checkResources(of form: FormParameters) throws(TokenError) {
        let asked = form.values(named: "resource")
        if let problem = AuthorizationRequest.resourceProblem(asked) { throw TokenError(code: .invalidTarget, description: problem) }
        let granted = (form["code"] ?? form["refresh_token"]).flatMap { text in state.grants.withLock { $0.grant(of: text) } }?.resources
        guard let granted, !granted.isEmpty else { return }
        guard Set(asked).isSubset(of: granted) else {
            throw TokenError(code: .invalidTarget, description: "A resource was not granted.")
        }
    }

    /// An access token for some of the resources that were granted is good for those alone (RFC 8707 §2.2).
    func narrowed(_ tokens: IssuedTokens, by request: IncomingRequest) throws(TokenError) -> IssuedTokens {
        let asked = request.form?.values(named: "resource") ?? []
        if !asked.isEmpty { state.grants.withLock { $0.narrow(accessToken: tokens.accessToken, to: asked) } }
        return tokens
    }

    /// What of the details is granted; nil where none was asked for.
    func details(in form: FormParameters) throws(TokenError) -> JSONValue? {
        guard let text = form["authorization_details"] else { return nil }
        if let problem = AuthorizationRequest.detailsProblem(text, persona: state.persona) {
            throw TokenError(code: .invalidAuthorizationDetails, description: problem)
        }
        return (try? JSONValue(strict: Array(text.utf8))).map { state.persona.granting($0) }
    }
}
