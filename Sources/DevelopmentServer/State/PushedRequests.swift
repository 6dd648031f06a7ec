import AuthHubPrimitives
import Platform

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
