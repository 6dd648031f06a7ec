public import AuthHubPrimitives

/// A user-id and a password for HTTP Basic authentication (RFC 7617).
///
/// As an option of a request it goes before the credentials of the ``BasicAuthorizer``, to no other origins than that one's:
///
/// ```swift
/// request.options[BasicCredentials.self] = try BasicCredentials(userID: "ada", password: Secret(password))
/// ```
///
/// It prints as `<redacted>`, the user-id too.
public struct BasicCredentials: Sendable, Hashable {
    private let pair: Secret<String>

    /// - Parameters:
    ///   - userID: Goes out in UTF-8 as it is given; RFC 7617 §2.1 wants normalization form C.
    ///   - password: The same.
    /// - Throws: ``LoadError`` with `.invalidRequest` where the user-id has a colon, or one of them a control character (RFC 7617 §2).
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
    public static var defaultValue: BasicCredentials? { nil }

    /// What one person may see is not shared with another.
    public static func identity(of value: BasicCredentials?) -> (any Hashable & Sendable)? { value }
}

extension BasicCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Base64 with padding (RFC 4648 §4).
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
