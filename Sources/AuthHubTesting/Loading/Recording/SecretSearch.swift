import AuthHubPrimitives
import HTTPLoading
import HTTPTypes

/// A search for known secrets in the recording, in the encodings that messages use.
struct SecretSearch: Sendable {
    private let forms: [[UInt8]]

    init(_ secrets: [Secret<String>]) {
        forms = secrets.map { $0.reveal() }.filter { !$0.isEmpty }.flatMap(Self.forms)
    }

    /// Returns whether any text of an exchange contains a secret, as it is, escaped, or in Base64.
    func finds(in exchange: Recording.Exchange) -> Bool {
        var texts = [exchange.json.serialized()]
        texts += exchange.request.fields.map { Array($0.value.utf8) }
        texts.append(Array(exchange.request.target.utf8))
        if let text = exchange.request.body.text { texts.append(Array(text.utf8)) }
        if case .response(let head, let body) = exchange.outcome {
            texts += head.headerFields.map { Array($0.value.utf8) }
            texts.append(body)
        }
        return texts.contains { text in
            [text, Self.percentDecoded(text), Self.stringsOfJSON(text)].contains { text in forms.contains { text.contains($0) } }
        }
    }

    private static func forms(of secret: String) -> [[UInt8]] {
        let plain = [
            Array(secret.utf8), Array(FormParameters.encode(secret).utf8), Array(FormParameters.encode(secret, spaces: .percent).utf8),
        ]
        // Clients form-encode their credentials before they encode them in Base64 (RFC 6749 §2.3.1).
        return plain + Set(plain).flatMap(base64Forms)
    }

    private static func base64Forms(of bytes: [UInt8]) -> [[UInt8]] {
        var forms: [[UInt8]] = []
        guard bytes.count >= 4 else { return forms }
        // In Base64, a text looks different depending on the number of bytes before it modulo three, and its last character depends on what
        // follows.
        for (shift, dropped) in [(0, 0), (1, 2), (2, 3)] {
            let text = Base64URL.encode(Array(repeating: 0, count: shift) + bytes)
            let inner = text.dropFirst(dropped).dropLast((shift + bytes.count) % 3 == 0 ? 0 : 1)
            forms.append(Array(inner.utf8))
            forms.append(inner.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0 })
        }
        return forms
    }

    private static func percentDecoded(_ text: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return decoded
    }

    /// Returns all strings of a JSON text without escapes, one per line; empty if the text is not JSON.
    private static func stringsOfJSON(_ text: [UInt8]) -> [UInt8] {
        guard let value = try? JSONValue(strict: text) else { return [] }
        return strings(of: value)
    }

    private static func strings(of value: JSONValue) -> [UInt8] {
        switch value {
        case .string(let string): Array(string.utf8) + [0x0A]
        case .array(let values): values.flatMap(strings)
        case .object(let object): object.members.flatMap { Array($0.name.utf8) + [0x0A] + strings(of: $0.value) }
        case .number(let number): Array(number.text.utf8) + [0x0A]
        case .null, .bool: []
        }
    }
}
