import HTTPTypes

/// The values that must be equal for requests to share a response. Contains secrets, which are compared and never shown.
struct SharingKey: Sendable, Hashable {
    private enum Message: Sendable, Hashable {
        case derived(HTTPRequest)
        case explicit(String, method: HTTPRequest.Method, scheme: String?, authority: String?, credentials: [[String]])
    }

    /// The chain: requests in different chains pass different loaders.
    let chain: ObjectIdentifier
    /// The epoch: a request in a newer epoch must not get a response from an older one.
    let epoch: Epoch
    private let message: Message
    private let identity: OptionsIdentity

    /// Creates the key of a request.
    ///
    /// - Returns: nil if the request must be sent separately.
    init?(_ request: LoadRequest, next: Next) {
        let head = request.head
        switch request.options[DeduplicationKey.self] {
        case .never: return nil
        case .explicit(let name):
            message = .explicit(
                name, method: head.method, scheme: head.scheme, authority: head.authority,
                credentials: Self.credentialFields.map { head.headerFields[values: $0] })
        case .derived:
            guard Self.safeMethods.contains(head.method), request.body.isEmpty else { return nil }
            message = .derived(head)
        }
        chain = next.chain
        epoch = next.epoch
        identity = request.options.identity
    }

    /// RFC 9110 §9.2.1.
    private static let safeMethods: Set<HTTPRequest.Method> = [.get, .head, .options, .trace]
    private static let credentialFields: [HTTPField.Name] = [.authorization, .cookie, .proxyAuthorization]
}

extension SharingKey: CustomStringConvertible, CustomReflectable {
    var description: String { "<key>" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
