import AuthHubPrimitives
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Authorization requests that were pushed and wait to be used (RFC 9126 §2.2).
struct PushedRequests: Sendable {
    struct Request: Sendable {
        let clientID: String
        var parameters: FormParameters
        let expiresAt: Date
        /// A page that is open when the time is over may be finished.
        var isOpen = false
    }

    private var requests = LimitedTable<Secret<String>, Request>(limit: 10_000)

    mutating func add(_ request: Request) -> String {
        let reference = "urn:ietf:params:oauth:request_uri:" + Base64URL.encode(randomBytes(count: 24))
        requests[Secret(reference)] = request
        return reference
    }

    mutating func open(_ reference: String, clientID: String, at now: Date) -> Request? {
        guard var request = requests[Secret(reference)], request.clientID == clientID, request.isOpen || now < request.expiresAt else {
            return nil
        }
        request.isOpen = true
        requests[Secret(reference)] = request
        return request
    }

    mutating func update(_ reference: String, _ change: (FormParameters) -> FormParameters) {
        if let request = requests[Secret(reference)] { requests[Secret(reference)]?.parameters = change(request.parameters) }
    }

    mutating func remove(_ reference: String) {
        requests[Secret(reference)] = nil
    }
}

extension ServerState {
    /// The request that parameters stand for: themselves, or one that was pushed.
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

    /// A pushed request is good for one answer (RFC 9126 §4).
    func usedUp(_ request: AuthorizationRequest) {
        if let reference = request.reference { pushed.withLock { $0.remove(reference) } }
    }
}
