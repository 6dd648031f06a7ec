import AuthHubPrimitives
import JOSE

extension JSONWebKey {
    /// The type of the key, with its curve or its size: `EC P-256`, `RSA 2048 bits`.
    var kind: String {
        switch parsed {
        case .rsa(let key): "\(keyType) \(key.bitCount) bits"
        default: [keyType, parsed.curve?.rawValue].compactMap(\.self).joined(separator: " ")
        }
    }

    /// The output for `-o json`.
    var json: JSONValue {
        var object = JSONObject()
        object["kid"] = keyID.map(JSONValue.string) ?? .null
        object["kty"] = .string(keyType)
        object["crv"] = (parsed.curve?.rawValue).map(JSONValue.string) ?? .null
        object["bits"] = bitCount.map { .number(JSONNumber(Int64($0))) } ?? .null
        object["alg"] = algorithm.map(JSONValue.string) ?? .null
        object["use"] = use.map(JSONValue.string) ?? .null
        object["thumbprint"] = .string(thumbprint)
        return .object(object)
    }

    /// The size of an RSA key; nil for all others.
    private var bitCount: Int? {
        if case .rsa(let key) = parsed { key.bitCount } else { nil }
    }
}

extension RSAPublicKey {
    fileprivate var bitCount: Int { modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0) }
}

extension JSONWebKeySet.RejectedKey {
    /// The output for `-o json`.
    var json: JSONValue {
        [
            "index": .number(JSONNumber(Int64(index))), "kid": keyID.map(JSONValue.string) ?? .null,
            "code": .string(error.code.description), "reason": .string(error.explanation),
        ]
    }

    /// A warning about the key.
    var warning: String {
        let name = keyID.map { "“\(escaped($0, limit: 100))”" } ?? "without a kid"
        return "key \(index + 1) of the key set, \(name), is not used: \(error.explanation)"
    }
}
