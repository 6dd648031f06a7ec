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

extension AuthorizationRequest {
    static func targetProblem(in parameters: FormParameters, persona: Persona) -> (error: String, description: String)? {
        guard persona.isOpenIDProvider else { return nil }
        if let problem = resourceProblem(parameters.values(named: "resource")) { return ("invalid_target", problem) }
        guard let text = parameters["authorization_details"], let problem = detailsProblem(text, persona: persona) else { return nil }
        return ("invalid_authorization_details", problem)
    }

    /// Returns the problem with resources. Names under `.invalid` never exist (RFC 2606 §2), so a client can test a rejection with them.
    static func resourceProblem(_ resources: [String]) -> String? {
        for resource in resources {
            guard let target = RequestTarget(resource), target.scheme != nil, !resource.contains("#") else {
                return "A resource is no absolute URI without fragment."
            }
            if Origin(url: resource)?.host.hasSuffix(".invalid") ?? false { return "A resource is not known." }
        }
        return nil
    }

    static func detailsProblem(_ text: String, persona: Persona) -> String? {
        guard let details = (try? JSONValue(strict: Array(text.utf8)))?.array, !details.isEmpty else {
            return "The authorization_details are no JSON array with something in it."
        }
        let known = details.allSatisfy { $0["type"]?.string.map(persona.messages.authorizationDetailTypes.contains) ?? false }
        return known ? nil : "A type of the authorization_details is not known."
    }
}

extension DevelopmentAuthorizationServer.Persona {
    /// Returns the details without the actions that are never granted.
    func granting(_ details: JSONValue) -> JSONValue {
        .array(
            (details.array ?? []).map { detail in
                guard var members = detail.object, let actions = members["actions"]?.array else { return detail }
                members["actions"] = .array(actions.filter { !messages.refusedActions.contains($0.string ?? "") })
                return .object(members)
            })
    }
}
