import AuthHubPrimitives

/// The body of a POST to the redirect URI (OAuth 2.0 Form Post Response Mode §2).
enum PostedForm: Sendable, Hashable {
    case form(Secret<String>)
    case tooLong
    case unreadable

    /// The longest body that is taken, in bytes.
    static let maximumBytes = CallbackAddress.maximumBytes

    /// Judges a body by its length and its characters; its parameters are for the transaction to judge.
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

    /// Whether the one `Content-Type` is that of a form, with parameters or without.
    static func isForm(_ contentTypes: [some StringProtocol]) -> Bool {
        guard contentTypes.count == 1, let type = contentTypes.first?.prefix(while: { $0 != ";" }) else { return false }
        return String(type.filter { $0 != " " && $0 != "\t" }).lowercased() == "application/x-www-form-urlencoded"
    }
}
