import AuthHubPrimitives
import Synchronization

extension ServerState {
    /// Returns the authorization request that the parameters contain, or the pushed request that they refer to.
    func authorizationRequest(_ parameters: FormParameters) throws(AuthorizationRequestError) -> AuthorizationRequest {
        guard persona.isOpenIDProvider, persona.messages.takesPushedRequests, let reference = parameters["request_uri"] else {
            if persona.isOpenIDProvider, persona.messages.requiresPushedRequests {
                throw .shown("This server only accepts pushed requests.")
            }
            return try AuthorizationRequest(parameters, persona: persona, client: client)
        }
        let clientID = parameters[persona.authorization.clientIDName] ?? ""
        guard let pushed = pushed.withLock({ $0.open(reference, clientID: clientID, at: now) }) else {
            throw .shown("The pushed request is unknown, has expired or was already used.")
        }
        var request = try AuthorizationRequest(pushed.parameters, persona: persona, client: client)
        request.reference = reference
        return request
    }

    /// Removes a pushed request, which can be used only once (RFC 9126 §4).
    func usedUp(_ request: AuthorizationRequest) {
        if let reference = request.reference { pushed.withLock { $0.remove(reference) } }
    }
}
