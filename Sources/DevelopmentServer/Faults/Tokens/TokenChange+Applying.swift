import AuthHubPrimitives
import Synchronization

extension TokenChange {
    /// Changes the bytes of the header and the claims.
    func change(_ parts: inout [[UInt8]]) {
        switch self {
        case .payload(let bytes): parts[1] = bytes
        case .header(let bytes): parts[0] = bytes
        case .repeatedHeader(let name, let value): Self.insert(name, value, into: &parts[0])
        case .repeatedClaim(let name, let value): Self.insert(name, value, into: &parts[1])
        // In base64, three question marks are `Pz8/`.
        case .standardAlphabet: Self.insert("x", "??????", into: &parts[0])
        default: break
        }
    }

    private static func insert(_ name: String, _ value: JSONValue, into object: inout [UInt8]) {
        var member = JSONObject()
        member[name] = value
        object = JSONValue.object(member).serialized().dropLast() + Array(",".utf8) + object.dropFirst()
    }

    /// Changes the encoded header and the encoded claims, which are then signed.
    func change(encoded parts: inout [String]) {
        switch self {
        case .padded: parts[1] += String(repeating: "=", count: max(1, (4 - parts[1].utf8.count % 4) % 4))
        case .standardAlphabet: parts[0] = parts[0].replacing("-", with: "+").replacing("_", with: "/")
        case .inserted(let text): parts[1] = parts[1].prefix(4) + text + parts[1].dropFirst(4)
        default: break
        }
    }

    /// Returns what is sent instead of the signed token.
    func replacing(_ token: String, in draft: TokenDraft) -> String {
        switch self {
        case .parts(let count):
            let parts = token.split(separator: ".", omittingEmptySubsequences: false).prefix(max(0, count)).map(String.init)
            return (parts + Array(repeating: "AA", count: max(0, count - parts.count))).joined(separator: ".")
        case .encrypted(let header):
            let others = [256, 12, 64, 16].map { Base64URL.encode(randomBytes(count: $0)) }
            return ([Base64URL.encode(header.serialized())] + others).joined(separator: ".")
        case .accessToken: return draft.accessToken ?? token
        case .replayed:
            return draft.state.replayedToken.withLock { first in
                if first == nil { first = draft.originalText }
                return first ?? token
            }
        default: return token
        }
    }
}
