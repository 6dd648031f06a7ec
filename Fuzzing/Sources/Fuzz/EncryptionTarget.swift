import AuthHubPrimitives
import JOSE

/// Encrypted tokens in the compact serialization.
enum EncryptionTarget: Target {
    static let name = "jwe"

    private static let policy = DecryptionPolicy(
        keyManagement: [.rsaOAEP, .ecdhES, .a128KW, .direct], contentEncryption: [.a128GCM, .a128CBCHS256])

    /// A failure here ends the program, because no input could be checked.
    private static let keys: [DecryptionKey] = {
        do {
            return try Genuine.decryptionKeys.map {
                try DecryptionKey(Secret(JSONValue(strict: Array($0.utf8)).object ?? JSONObject()))
            }
        } catch {
            Fuzz.stop("the keys cannot be read: \(error)")
        }
    }()

    static func check(_ input: [UInt8]) throws(Violation) {
        let text = compactToken(input, textParts: 1)
        guard case .success(let token) = outcome({ () throws(JOSEError) in try JSONWebEncryption(Secret(text)) }) else { return }
        switch outcome({ () throws(JOSEError) in try token.decrypted(by: keys, allowing: policy) }) {
        case .success(let content):
            try require(Genuine.encrypted.contains(text), "a token that is changed in any way is not decrypted")
            try require(content.reveal() == Array("plaintext".utf8), "the decrypted content is the original one")
        case .failure(let error):
            try require(!Genuine.encrypted.contains(text), "an unchanged token is decrypted")
            let codes: Set<JOSEError.Code> = [.notAllowed, .noKey, .decryptionFailed]
            try require(codes.contains(error.code), "an error does not say which part of a token is wrong")
        }
        guard case .failure = outcome({ () throws(JOSEError) in try token.decrypted(by: [], allowing: policy) }) else {
            throw Violation(sentence: "nothing is decrypted without a key")
        }
        let nothing = DecryptionPolicy(keyManagement: [], contentEncryption: [])
        guard case .failure(let error) = outcome({ () throws(JOSEError) in try token.decrypted(by: keys, allowing: nothing) }),
            error.code == .notAllowed
        else { throw Violation(sentence: "nothing is decrypted with an algorithm that is not allowed") }
    }
}
