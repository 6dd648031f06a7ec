public import AuthHubPrimitives

/// The payload of a token with a valid signature. Only ``JSONWebSignature/verified(by:allowing:)`` creates one.
public struct VerifiedPayload: Sendable {
    /// The verified header.
    public let header: JSONWebSignature.Header
    /// The bytes of the payload.
    public let bytes: [UInt8]
    /// The member `issuer` of the key that verified the signature; nil if the key has none.
    package let keyIssuer: String?

    static let largestDepth = 8

    init(header: JSONWebSignature.Header, bytes: [UInt8], keyIssuer: String? = nil) {
        self.header = header
        self.bytes = bytes
        self.keyIssuer = keyIssuer
    }

    /// The claims of the payload (RFC 7519 §4), parsed at each call.
    ///
    /// A string that could not be decoded is a `JSONValue.repairedString`, which is only for display.
    ///
    /// - Throws: ``JOSEError`` with `.malformed` if the payload is not an object in strict JSON, without duplicate members and with at most
    ///   8 levels of objects and arrays.
    public var claims: JSONObject {
        get throws(JOSEError) {
            guard let object = try? JSONValue(received: bytes, maximumDepth: Self.largestDepth).object else {
                throw JOSEError(.malformed, "the payload is not a JSON object in strict JSON")
            }
            return object
        }
    }
}

extension VerifiedPayload: CustomStringConvertible, CustomReflectable {
    public var description: String { "<verified payload>" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
