public import AuthHubPrimitives

/// What a request carries: its bytes, which can be sent again, and their media type.
public struct RequestBody: Sendable {
    public let bytes: [UInt8]
    /// The value for `Content-Type`, set where the request has none.
    public let contentType: String?

    /// No body at all.
    public static let empty = RequestBody(bytes: [], contentType: nil)

    /// Bytes as they are.
    public static func bytes(_ bytes: [UInt8], contentType: String? = nil) -> Self {
        RequestBody(bytes: bytes, contentType: contentType)
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
    public var isEmpty: Bool { bytes.isEmpty }
}
