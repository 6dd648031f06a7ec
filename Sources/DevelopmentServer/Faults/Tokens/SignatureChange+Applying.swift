import AuthHubPrimitives
import Crypto

extension SignatureChange {
    /// Sets the algorithm that the header names.
    func setAlgorithm(in header: inout JSONObject) {
        switch self {
        case .unsecured: header["alg"] = "none"
        case .mac: header["alg"] = .string(SigningAlgorithm.hs256.rawValue)
        default: break
        }
    }

    func change(_ signature: inout [UInt8], of signed: [UInt8], in draft: TokenDraft) {
        switch self {
        case .flipped: signature = signature.prefix(1).map { $0 ^ 1 } + signature.dropFirst()
        case .empty, .unsecured: signature = []
        case .truncated: signature = signature.dropLast()
        case .extended: signature.append(0)
        case .zeros: signature = [UInt8](repeating: 0, count: signature.count)
        case .der:
            signature = (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map { Array($0.derRepresentation) } ?? signature
        case .mac(let key): signature = TokenSigner.mac(of: signed, key: key.bytes(in: draft))
        case .by(let key): signature = key.signature(of: signed) ?? []
        }
    }
}

extension SignatureChange.MACKey {
    fileprivate func bytes(in draft: TokenDraft) -> [UInt8] {
        let secret = draft.clientSecret.map { Array($0.reveal().utf8) } ?? []
        return switch self {
        case .publicKey: draft.key?.publicBytes ?? []
        case .clientSecret: secret
        case .shortenedClientSecret: Array(secret.prefix(8))
        case .published: KeySetChange.Decoy.symmetricKey
        case .nothing: []
        }
    }
}
