import AuthHubPrimitives
import Crypto

extension CodeBinding {
    /// Checks the verifier by RFC 7636 §4.6, and by RFC 9700 §4.8.2 if there was no challenge.
    func check(_ verifier: String?) throws(GrantRefusal) {
        switch quirks.codeChallenge {
        case .ignored: return
        case .refused:
            guard verifier == nil else { throw .verifierRefused }
            return
        case .checked, .required: break
        }
        guard let codeChallenge else {
            guard verifier == nil else { throw .verifierWithoutChallenge }
            return
        }
        guard let verifier else { throw .verifierMissing }
        let hash = SHA256.hash(data: Array(verifier.utf8))
        let computed =
            switch quirks.challengeEncoding {
            case .base64URL: Base64URL.encode(hash)
            case .hex: hash.map { byte in [byte >> 4, byte & 15].map { String($0, radix: 16) }.joined() }.joined()
            }
        guard (43...128).contains(verifier.utf8.count), constantTimeEqual(computed, codeChallenge) else { throw .verifierWrong }
    }
}
