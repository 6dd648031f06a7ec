import AuthHubPrimitives

extension AuthorizationRequest {
    static func targetProblem(in parameters: FormParameters, persona: Persona) -> (error: String, description: String)? {
        guard persona.isOpenIDProvider else { return nil }
        if let problem = resourceProblem(parameters.values(named: "resource")) { return ("invalid_target", problem) }
        guard let text = parameters["authorization_details"], let problem = detailsProblem(text, persona: persona) else { return nil }
        return ("invalid_authorization_details", problem)
    }

    /// Returns why a resource is rejected; nil if none is. Host names under `.invalid` never exist (RFC 2606 §2), so clients can use them
    /// to test a rejection.
    static func resourceProblem(_ resources: [String]) -> String? {
        for resource in resources {
            guard let target = RequestTarget(resource), target.scheme != nil, !resource.contains("#") else {
                return "A resource must be an absolute URI without fragment."
            }
            if Origin(url: resource)?.host.hasSuffix(".invalid") ?? false { return "A resource is unknown." }
        }
        return nil
    }

    static func detailsProblem(_ text: String, persona: Persona) -> String? {
        guard let details = (try? JSONValue(strict: Array(text.utf8)))?.array, !details.isEmpty else {
            return "The authorization_details must be a JSON array that is not empty."
        }
        let known = details.allSatisfy { $0["type"]?.string.map(persona.messages.authorizationDetailTypes.contains) ?? false }
        return known ? nil : "A type in the authorization_details is unknown."
    }
}

extension Persona {
    /// Returns the authorization details without the actions that are never granted.
    func granting(_ details: JSONValue) -> JSONValue {
        .array(
            (details.array ?? []).map { detail in
                guard var members = detail.object, let actions = members["actions"]?.array else { return detail }
                members["actions"] = .array(actions.filter { !messages.refusedActions.contains($0.string ?? "") })
                return .object(members)
            })
    }
}
