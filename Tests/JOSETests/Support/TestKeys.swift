import AuthHubPrimitives
import Testing

@testable import JOSE

/// Keys that are generated once for all tests. The ID of each is the name of its algorithm.
enum TestKeys {
    private static let keys: [SignatureAlgorithm: SoftwareSigningKey] = {
        let algorithms: [SignatureAlgorithm] = [.rs256, .ps256, .es256, .es384, .es512, .ed25519]
        let pairs = algorithms.compactMap { algorithm in
            (try? SoftwareSigningKey.generate(algorithm, keyID: algorithm.rawValue)).map { (algorithm, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()

    static func key(_ algorithm: SignatureAlgorithm) throws -> SoftwareSigningKey {
        try #require(keys[algorithm])
    }

    /// The public keys with the names of the algorithms as IDs.
    static func publicKeys(_ algorithms: SignatureAlgorithm...) throws -> JSONWebKeySet {
        try JSONWebKeySet(keySetDocument(algorithms.map { .object(try key($0).publicKey.publicMembers) }))
    }
}

let everyAlgorithm: Set<SignatureAlgorithm> = [
    .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .ed25519, .edDSA, .hs256, .hs384, .hs512,
]

func keySetDocument(_ keys: [JSONValue]) -> JSONObject {
    var document = JSONObject()
    document["keys"] = .array(keys)
    return document
}

extension JSONObject {
    /// Creates an object from JSON text.
    init(_ text: String) throws {
        self = try #require(try JSONValue(strict: Array(text.utf8)).object)
    }

    /// A copy with another value of a member, or without the member.
    func with(_ name: String, _ value: JSONValue?) -> Self {
        var copy = self
        copy[name] = value
        return copy
    }
}

/// Signs a header and a payload as they are, even if they are not JSON.
func signedToken(header: some Collection<UInt8>, payload: some Collection<UInt8>, key: SoftwareSigningKey) throws -> String {
    let signed = "\(Base64URL.encode(header)).\(Base64URL.encode(payload))"
    return "\(signed).\(Base64URL.encode(try key.signature(for: Array(signed.utf8))))"
}

func signedToken(header: String, payload: String = "{}", key: SoftwareSigningKey) throws -> String {
    try signedToken(header: header.utf8, payload: payload.utf8, key: key)
}

/// The error of a call; nil if it throws none.
func error<Value>(_ body: () throws(JOSEError) -> Value) -> JOSEError? {
    do throws(JOSEError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

/// The code of the error with which a token is rejected; nil if it is accepted.
func rejection(
    of token: String, keys: JSONWebKeySet, allowing algorithms: Set<SignatureAlgorithm> = everyAlgorithm
) -> JOSEError.Code? {
    error { () throws(JOSEError) in
        try JSONWebSignature(Secret(token)).verified(by: keys, allowing: algorithms)
    }?.code
}
