import AuthHubPrimitives
import JOSE

/// Signed tokens in the compact serialization.
enum SignatureTarget: Target {
    static let name = "jws"

    private static let algorithms = Set(
        ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]
            .map(SignatureAlgorithm.init(rawValue:)))
    private static let symmetric: Set<SignatureAlgorithm> = [.hs256, .hs384, .hs512]
    /// The algorithms of tokens without a signature, which a program may allow by mistake.
    private static let unsigned = Set(["none", "None", ""].map(SignatureAlgorithm.init(rawValue:)))

    private static let publicKeys = keySet(Genuine.verificationKeys, JSONWebKey.init(_:))
    private static let clientSecret = keySet([#"{"kty":"oct","k":"\#(Genuine.clientSecret)"}"#], JSONWebKey.init(symmetric:))

    static func check(_ input: [UInt8]) throws(Violation) {
        let text = compactToken(input, textParts: 2)
        guard case .success(let token) = outcome({ () throws(JOSEError) in try JSONWebSignature(Secret(text)) }) else { return }
        for triesAllFittingKeys in [false, true] {
            for (keys, allowed) in [(publicKeys, algorithms), (clientSecret, symmetric)] {
                let result = outcome { () throws(JOSEError) in
                    try token.verified(by: keys, allowing: allowed.union(unsigned), triesAllFittingKeys: triesAllFittingKeys)
                }
                switch result {
                case .success(let payload):
                    try require(Genuine.signed.contains { text.hasPrefix($0 + ".") }, "nothing is accepted that no key signed")
                    try require(allowed.contains(payload.header.algorithm), "the algorithm of an accepted token is allowed")
                case .failure(let error):
                    try require(!"\(error) \(String(reflecting: error))".contains(Genuine.clientSecret), "an error does not contain a key")
                }
            }
            for (keys, allowed) in [(publicKeys, symmetric), (clientSecret, algorithms), (JSONWebKeySet([]), algorithms)] {
                let result = outcome { () throws(JOSEError) in
                    try token.verified(by: keys, allowing: allowed, triesAllFittingKeys: triesAllFittingKeys)
                }
                guard case .failure = result else { throw Violation(sentence: "nothing is accepted by the wrong kind of key") }
            }
        }
    }

    /// A failure here ends the program, because no input could be checked.
    private static func keySet(_ texts: [String], _ key: (JSONObject) throws -> JSONWebKey) -> JSONWebKeySet {
        do {
            return JSONWebKeySet(try texts.map { try key(JSONValue(strict: Array($0.utf8)).object ?? JSONObject()) })
        } catch {
            Fuzz.stop("the keys cannot be read: \(error)")
        }
    }
}
