import AuthHubPrimitives
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The pushed authorization requests that have not been used yet (RFC 9126 §2.2).
struct PushedRequests: Sendable {
    struct Request: Sendable {
        let clientID: String
        var parameters: FormParameters
        let expiresAt: Date
        /// Whether a page is open. It may be completed even after the request has expired.
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
    /// Returns the request in the parameters: either directly, or one that was pushed.
    func authorizationRequest(_ parameters: FormParameters) throws(AuthorizationRequestError) -> AuthorizationRequest {
        guard persona.isOpenIDProvider, persona.messages.takesPushedRequests, let reference = parameters["request_uri"] else {
            if persona.isOpenIDProvider, persona.messages.requiresPushedRequests {
                throw .shown("This server takes only requests that were pushed to it.")
            }
            return try AuthorizationRequest(parameters, persona: persona, client: client)
        }
        let clientID = parameters[persona.authorization.clientIDName] ?? ""
        guard let pushed = pushed.withLock({ $0.open(reference, clientID: clientID, at: now) }) else {
            throw .shown("The pushed request is unknown, has expired, or was used before.")
        }
        var request = try AuthorizationRequest(pushed.parameters, persona: persona, client: client)
        request.reference = reference
        return request
    }

    /// Removes a pushed request, which is valid for one response (RFC 9126 §4).
    func usedUp(_ request: AuthorizationRequest) {
        if let reference = request.reference { pushed.withLock { $0.remove(reference) } }
    }
}
