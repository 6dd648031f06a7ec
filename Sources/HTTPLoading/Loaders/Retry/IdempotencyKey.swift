import AuthHubPrimitives
import HTTPTypes

/// An identifier of an operation. If a server supports it, the server performs the operation only once, even if it receives the request
/// several times.
///
/// ```swift
/// request.options[IdempotencyKey.self] = .random()
/// ```
///
/// The ``RetryLoader`` sends the key in the field `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), with the same value for
/// each attempt. Requests with a key are retried whatever their method. Use a key only if the server supports it, and only for one request:
/// the server treats all requests with the same key as one operation.
public struct IdempotencyKey: Sendable, Hashable {
    /// The value, which is sent in quotation marks.
    package let value: String

    /// Creates a key from a value.
    ///
    /// - Parameter value: 1 to 255 printable ASCII characters; the result is nil for anything else.
    public init?(_ value: String) {
        guard (1...255).contains(value.utf8.count), value.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
        self.value = value
    }

    private init(bytes: [UInt8]) {
        value = Base64URL.encode(bytes)
    }

    /// Creates a unique key from 128 bits of the system's secure random source.
    public static func random() -> Self { Self(bytes: randomBytes(count: 16)) }
}

extension IdempotencyKey: RequestOption {
    /// The default: nil, so that the loader adds no key.
    public static var defaultValue: IdempotencyKey? { nil }
    /// Returns the value itself, so that requests with different keys are never coalesced.
    public static func identity(of value: IdempotencyKey?) -> (any Hashable & Sendable)? { value }
}

extension IdempotencyKey: CustomStringConvertible {
    /// A description that hides the value, because anyone who knows the value can request the response of the operation.
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

    /// Sets the field unless the request already has it.
    func apply(to head: inout HTTPRequest) {
        guard let field = Self.field, !Self.isSet(in: head) else { return }
        head.headerFields[field] = asStructuredString
    }

    /// The value as a string of a structured field (RFC 9651 §4.1.6).
    private var asStructuredString: String {
        value.reduce(into: "\"") { text, character in
            if character == "\"" || character == "\\" { text += "\\" }
            text.append(character)
        } + "\""
    }
}
