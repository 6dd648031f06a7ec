public import AuthHubPrimitives

/// A user ID and a password for HTTP Basic authentication (RFC 7617).
///
/// You can also set credentials as an option of a request. They override the credentials of the ``BasicAuthorizer``, but are only sent to
/// the origins of that authorizer:
///
/// ```swift
/// request.options[BasicCredentials.self] = try BasicCredentials(userID: "ada", password: Secret(password))
/// ```
///
/// The description is `<redacted>` and does not include the user ID either.
public struct BasicCredentials: Sendable, Hashable {
    private let pair: Secret<String>

    /// Creates credentials.
    ///
    /// - Parameters:
    ///   - userID: The user ID. It is sent in UTF-8, unchanged; RFC 7617 §2.1 requires normalization form C.
    ///   - password: The password, which is sent in the same way.
    /// - Throws: ``LoadError`` with `.invalidRequest` if the user ID contains a colon, or either of them contains a control character (RFC
    ///   7617 §2).
    public init(userID: String, password: Secret<String>) throws(LoadError) {
        guard !userID.utf8.contains(UInt8(ascii: ":")) else {
            throw LoadError(.invalidRequest, explanation: "the user name contains a colon (RFC 7617 §2)")
        }
        let pair = "\(userID):\(password.reveal())"
        guard !pair.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw LoadError(.invalidRequest, explanation: "the user name or the password contains a control character (RFC 7617 §2)")
        }
        self.pair = Secret(pair)
    }

    /// The value of an `Authorization` field.
    var authorization: Secret<String> {
        Secret("Basic " + base64(pair.reveal().utf8))
    }
}

extension BasicCredentials: RequestOption {
    /// The default: nil, so that the credentials of the ``BasicAuthorizer`` apply.
    public static var defaultValue: BasicCredentials? { nil }

    /// Returns the value itself, so that requests with different credentials are never coalesced.
    public static func identity(of value: BasicCredentials?) -> (any Hashable & Sendable)? { value }
}

extension BasicCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Encodes bytes as Base64 with padding (RFC 4648 §4).
private func base64(_ bytes: String.UTF8View) -> String {
    var text = Base64URL.encode(bytes).utf8.map { byte in
        switch byte {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: byte
        }
    }
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
}
