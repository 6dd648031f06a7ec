import AuthHubPrimitives
import Crypto

extension KeySetChange.Decoy {
    /// Returns the keys to add to a set with this first key.
    func keys(beside first: JSONValue) -> [JSONValue] {
        switch self {
        case .sameKeyID:
            return Self.ofAllKinds.filter { $0["alg"] != first["alg"] }.map { Self.changing($0, "kid", to: first["kid"]) }
        case .sameAlgorithm:
            return (1...2).compactMap { number in
                Self.similar(to: first, number).map { Self.changing($0, "kid", to: .string("other-\(number)")) }
            }
        case .duplicate: return Self.similar(to: first).map { [Self.changing($0, "kid", to: first["kid"])] } ?? []
        case .symmetric:
            return [["kty": "oct", "use": "sig", "alg": "HS256", "kid": "symmetric", "k": .string(Base64URL.encode(Self.symmetricKey))]]
        case .encryption:
            let key = Self.similar(to: first).map { Self.changing(Self.changing($0, "use", to: "enc"), "kid", to: "encryption") }
            return key.map { [Self.changing($0, "alg", to: first["kty"] == "RSA" ? "RSA-OAEP" : "ECDH-ES")] } ?? []
        case .unknownType:
            let curve = P256.Signing.PrivateKey().publicKey.members
            return [
                ["kty": "LATTICE", "use": "sig", "alg": "L512", "kid": "unknown-type", "pub": "AAAA"],
                Self.changing(
                    Self.changing(Self.changing(.object(curve), "crv", to: "secp256k1"), "kid", to: "unknown-curve"), "use", to: "sig"),
            ]
        }
    }

    static let symmetricKey = [UInt8](repeating: 7, count: 32)

    /// One key of each type and algorithm.
    private static var ofAllKinds: [JSONValue] {
        var kinds = [SigningAlgorithm.es256, .rs256, .ps256, .edDSA].compactMap { decoy($0, number: 0) }
        var other = P384.Signing.PrivateKey().publicKey.members
        other["use"] = "sig"
        other["alg"] = "ES384"
        kinds.append(.object(other))
        return kinds
    }

    private static func similar(to first: JSONValue, _ number: Int = 1) -> JSONValue? {
        first["alg"]?.string.flatMap(SigningAlgorithm.init).flatMap { decoy($0, number: number) }
    }

    private static func decoy(_ algorithm: SigningAlgorithm, number: Int) -> JSONValue? {
        SigningKey(algorithm, slot: .init(use: "decoy", number: number)).map { .object($0.publicKey) }
    }

    private static func changing(_ key: JSONValue, _ name: String, to value: JSONValue?) -> JSONValue {
        guard var members = key.object else { return key }
        members[name] = value
        return .object(members)
    }
}
