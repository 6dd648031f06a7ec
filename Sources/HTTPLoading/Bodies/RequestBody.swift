public import AuthHubPrimitives

/// What a request carries: its bytes, their media type, and whether they can be sent a second time.
public struct RequestBody: Sendable {
    /// Whether the body can be sent again, after a redirect or with a new credential.
    public enum Replay: Sendable {
        case always
        case once
    }

    enum Content: Sendable {
        case empty
        case bytes([UInt8])
    }

    let content: Content
    /// The value for `Content-Type`, set where the request has none.
    public let contentType: String?

    /// No body at all.
    public static let empty = RequestBody(content: .empty, contentType: nil)

    /// Bytes as they are.
    public static func bytes(_ bytes: [UInt8], contentType: String? = nil) -> Self {
        RequestBody(content: .bytes(bytes), contentType: contentType)
    }

    /// A JSON text.
    public static func json(_ value: JSONValue) -> Self {
        .bytes(value.serialized(), contentType: "application/json")
    }

    /// Form-encoded pairs, order and repeats kept.
    public static func form(_ parameters: FormParameters) -> Self {
        .bytes(Array(parameters.encoded().utf8), contentType: "application/x-www-form-urlencoded")
    }
}

extension RequestBody {
    public var replay: Replay { .always }

    /// The number of bytes, where it is known before they are sent.
    public var length: Int? {
        switch content {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        }
    }

    public var isEmpty: Bool { length == 0 }

    /// All bytes, for transports.
    public func collect() async throws(LoadError) -> [UInt8] {
        switch content {
        case .empty: []
        case .bytes(let bytes): bytes
        }
    }
}
