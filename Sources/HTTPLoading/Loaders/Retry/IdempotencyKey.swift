import AuthHubPrimitives
import HTTPTypes

/// Names what a request asks for, so that a server that knows the name does it once, however often the request comes.
///
/// ```swift
/// request.options[IdempotencyKey.self] = .random()
/// ```
///
/// The ``RetryLoader`` sends it as the field `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), the same with each attempt,
/// and then retries requests of every method. Set it only where the server is known to heed it, for one request at a time: a key that
/// several requests share makes them one.
public struct IdempotencyKey: Sendable, Hashable {
    /// What is sent, in quotation marks.
    public let value: String

    /// - Parameter value: 1 to 255 printable ASCII characters; nil for anything else.
    public init?(_ value: String) {
        guard (1...255).contains(value.utf8.count), value.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
        self.value = value
    }

    private init(bytes: [UInt8]) {
        value = Base64URL.encode(bytes)
    }

    /// A key that nobody else has: 128 bits from the system's secure source.
    public static func random() -> Self { Self(bytes: randomBytes(count: 16)) }
}

extension IdempotencyKey: RequestOption {
    public static var defaultValue: IdempotencyKey? { nil }
    public static func identity(of value: IdempotencyKey?) -> (any Hashable & Sendable)? { value }
}

extension IdempotencyKey: CustomStringConvertible {
    /// Without the value: who knows it can ask for the answer to the request.
    public var description: String { "<idempotency key>" }
}

extension IdempotencyKey: CustomDebugStringConvertible, CustomReflectable {
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension IdempotencyKey {
    private static let field = HTTPField.Name("Idempotency-Key")

    static func isSet(in head: HTTPRequest) -> Bool {
        field.map { head.headerFields.contains($0) } ?? false
    }

    /// Sets the field, unless the request has one of its own.
    func apply(to head: inout HTTPRequest) {
        guard let field = Self.field, !Self.isSet(in: head) else { return }
        head.headerFields[field] = asStructuredString
    }

    /// RFC 9651 §4.1.6.
    private var asStructuredString: String {
        value.reduce(into: "\"") { text, character in
            if character == "\"" || character == "\\" { text += "\\" }
            text.append(character)
        } + "\""
    }
}
