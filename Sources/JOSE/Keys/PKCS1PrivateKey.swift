package import AuthHubPrimitives

/// The DER format of RSA private keys (RFC 8017 §A.1.2), the only one in which the crypto library returns their numbers.
package enum PKCS1PrivateKey {
    private static let names = ["n", "e", "d", "p", "q", "dp", "dq", "qi"]

    /// Returns the numbers of a key by the names of their members in a JSON Web Key, base64url-encoded; nil if the bytes have another format.
    package static func members(of der: [UInt8]) -> Secret<JSONObject>? {
        var outer = der[...]
        guard var sequence = popElement(0x30, from: &outer), outer.isEmpty,
            let version = popElement(0x02, from: &sequence), Array(version) == [0]
        else { return nil }
        var members = JSONObject()
        for name in names {
            guard let number = popElement(0x02, from: &sequence) else { return nil }
            members[name] = .string(Base64URL.encode(number.drop { $0 == 0 }))
        }
        return sequence.isEmpty ? Secret(members) : nil
    }

    /// Removes an element with a tag from the start of the bytes, and returns its content.
    private static func popElement(_ tag: UInt8, from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...2).contains(count), bytes.count >= count else { return nil }
            length = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(count)
        }
        guard bytes.count >= length else { return nil }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length)
    }
}
