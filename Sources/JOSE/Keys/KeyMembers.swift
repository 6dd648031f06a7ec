package import AuthHubPrimitives

/// The members of a JSON Web Key, read strictly. Errors contain names of members, never their values.
package struct KeyMembers: Sendable {
    /// The members of private and symmetric keys (RFC 7518 §6.2.2, §6.3.2, §6.4.1).
    static let privateNames = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    private let members: Secret<JSONObject>

    package init(_ members: JSONObject) {
        self.members = Secret(members)
    }

    package func contains(_ name: String) -> Bool {
        members.reveal()[name] != nil
    }

    package func type() throws(JOSEError) -> KeyType {
        guard let name = try string("kty") else { throw JOSEError(.malformed, "the key has no kty") }
        guard let type = KeyType(rawValue: name) else { throw JOSEError(.unusableKey, "the key's type is not supported") }
        return type
    }

    package func string(_ name: String) throws(JOSEError) -> String? {
        guard let value = members.reveal()[name] else { return nil }
        guard let string = value.string else { throw JOSEError(.malformed, "the key's \(name) is not a string") }
        return string
    }

    package func strings(_ name: String) throws(JOSEError) -> [String]? {
        guard let value = members.reveal()[name] else { return nil }
        guard let array = value.array, case let strings = array.compactMap(\.string), strings.count == array.count,
            Set(strings).count == strings.count
        else { throw JOSEError(.malformed, "the key's \(name) is not an array of different strings") }
        return strings
    }

    /// Returns the decoded value of a member that must be present.
    package func bytes(_ name: String, count: Int? = nil) throws(JOSEError) -> [UInt8] {
        guard let text = try string(name) else { throw JOSEError(.malformed, "the key has no \(name)") }
        guard let bytes = Base64URL.decode(text) else { throw JOSEError(.malformed, "the key's \(name) is not base64url") }
        if let count, bytes.count != count {
            throw JOSEError(.malformed, "the key's \(name) has \(bytes.count) bytes instead of \(count)")
        }
        return bytes
    }

    /// Returns an integer that must be present, as big-endian bytes without leading zeros (RFC 7518 §2, Base64urlUInt).
    package func integer(_ name: String) throws(JOSEError) -> [UInt8] {
        let bytes = try bytes(name)
        guard let first = bytes.first else { throw JOSEError(.malformed, "the key's \(name) is empty") }
        guard first != 0 else { throw JOSEError(.malformed, "the key's \(name) starts with a zero byte") }
        return bytes
    }

    /// Returns the curve of a key on a curve.
    package func curve(for type: KeyType) throws(JOSEError) -> Curve {
        guard let name = try string("crv") else { throw JOSEError(.malformed, "the key has no crv") }
        guard let curve = Curve(rawValue: name), curve.keyType == type else {
            throw JOSEError(.unusableKey, "the key's curve is not supported")
        }
        return curve
    }
}
