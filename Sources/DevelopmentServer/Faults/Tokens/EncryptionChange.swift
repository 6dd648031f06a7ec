import AuthHubPrimitives

/// A change to an encrypted token, for clients that registered for encryption.
public enum EncryptionChange: Sendable, Hashable {
    /// One bit of the encrypted key is inverted.
    case flippedKey
    /// One bit of the initialization vector is inverted.
    case flippedVector
    /// One bit of the encrypted content is inverted.
    case flippedContent
    /// One bit of the tag is inverted.
    case flippedTag
    /// The tag has four bytes.
    case shortenedTag
    /// Only the claims are encrypted, without a signature.
    case unsigned
}

extension EncryptionChange {
    func apply(to answer: inout Answer) {
        if let seal = answer.sealIDToken {
            answer.sealIDToken = { seal(content(of: $0)).map(changed) }
        }
        if let seal = answer.sealBody {
            answer.sealBody = { seal(Array(content(of: String(decoding: $0, as: UTF8.self)).utf8)).map(changed) }
        }
    }

    /// Returns what is encrypted instead of a token.
    private func content(of token: String) -> String {
        guard self == .unsigned, let claims = CompactToken(token)?.claims else { return token }
        return String(decoding: JSONValue.object(claims).serialized(), as: UTF8.self)
    }

    private func changed(_ token: String) -> String {
        var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let place: Int? =
            switch self {
            case .flippedKey: 1
            case .flippedVector: 2
            case .flippedContent: 3
            case .flippedTag, .shortenedTag: 4
            case .unsigned: nil
            }
        guard let place, parts.indices.contains(place), let bytes = Base64URL.decode(parts[place]), let first = bytes.first else {
            return token
        }
        parts[place] = Base64URL.encode(self == .shortenedTag ? Array(bytes.prefix(4)) : [first ^ 1] + bytes.dropFirst())
        return parts.joined(separator: ".")
    }
}
