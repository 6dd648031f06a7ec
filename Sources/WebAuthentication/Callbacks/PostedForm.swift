import AuthHubPrimitives

/// The body of a POST to the redirect URI (OAuth 2.0 Form Post Response Mode §2).
enum PostedForm: Sendable, Hashable {
    case form(Secret<String>)
    case tooLong
    case unreadable

    /// The longest accepted body in bytes.
    static let maximumBytes = CallbackAddress.maximumBytes

    /// Checks the length and the characters of a body; the transaction checks its parameters.
    init(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumBytes else {
            self = .tooLong
            return
        }
        let parameters = bytes.count { $0 == UInt8(ascii: "&") } + 1
        guard parameters <= LoopbackRules.maximumParameters, !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            self = parameters > LoopbackRules.maximumParameters ? .tooLong : .unreadable
            return
        }
        self = .form(Secret(String(decoding: bytes, as: UTF8.self)))
    }

    /// Returns whether there is one `Content-Type` and it is that of a form, with or without parameters.
    static func isForm(_ contentTypes: [some StringProtocol]) -> Bool {
        guard contentTypes.count == 1, let type = contentTypes.first?.prefix(while: { $0 != ";" }) else { return false }
        return String(type.filter { $0 != " " && $0 != "\t" }).lowercased() == "application/x-www-form-urlencoded"
    }
}
