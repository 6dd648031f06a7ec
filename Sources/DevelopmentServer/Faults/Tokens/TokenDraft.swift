import AuthHubPrimitives
import HTTPTypes
import Platform
import Synchronization

/// A token in a response, while its changes are collected.
struct TokenDraft {
    let state: ServerState
    /// The access token in the same response.
    let accessToken: String?
    /// The token before the changes.
    let original: CompactToken
    let originalText: String
    var header: JSONObject
    var claims: JSONObject
    /// The signature changes, in order.
    private var signatureChanges: [SignatureChange] = []
    private var tokenChanges: [TokenChange] = []

    private init?(_ text: String, accessToken: String?, state: ServerState) {
        guard let token = CompactToken(text) else { return nil }
        self.state = state
        self.accessToken = accessToken
        original = token
        originalText = text
        header = token.header
        claims = token.claims
    }
}

extension TokenDraft {
    /// Changes the token in a response: the ID token among its members, or the body if that is a token.
    static func change(_ answer: inout Answer, by changes: [AnswerChange], from state: ServerState) {
        if var members = answer.members {
            if let sources = members["_claim_sources"]?.object {
                members["_claim_sources"] = .object(changed(sources, changes, state))
                answer.body = JSONValue.object(members).serialized()
            }
            guard let text = members["id_token"]?.string,
                let changed = changed(text, accessToken: members["access_token"]?.string, changes, state)
            else { return }
            members["id_token"] = .string(changed)
            answer.body = JSONValue.object(members).serialized()
        } else if var form = answer.form, let text = form["id_token"] {
            guard let changed = changed(text, accessToken: form["access_token"], changes, state) else { return }
            form.set("id_token", to: changed)
            answer.body = Array(form.encoded().utf8)
        } else if answer.headers[.contentType] == "application/jwt",
            let changed = changed(String(decoding: answer.body, as: UTF8.self), accessToken: nil, changes, state)
        {
            answer.body = Array(changed.utf8)
        }
    }

    /// Changes the tokens with aggregated claims.
    private static func changed(_ sources: JSONObject, _ changes: [AnswerChange], _ state: ServerState) -> JSONObject {
        var sources = sources
        for source in sources.members {
            guard let text = source.value["JWT"]?.string, let changed = changed(text, accessToken: nil, changes, state) else { continue }
            sources[source.name] = ["JWT": .string(changed)]
        }
        return sources
    }

    /// Returns a token with the changes; nil if the text is not a token, or if it cannot be signed.
    static func changed(_ text: String, accessToken: String?, _ changes: [AnswerChange], _ state: ServerState) -> String? {
        guard var draft = Self(text, accessToken: accessToken, state: state) else { return nil }
        for change in changes { draft.collect(change) }
        return draft.text
    }

    private mutating func collect(_ change: AnswerChange) {
        switch change {
        case .claim(let name, let value): claims[name] = value?.naming(state.issuer)
        case .claimSuffix(let name, let suffix):
            if let text = claims[name]?.string { claims[name] = .string(text + suffix) }
        case .claimTime(let name, let seconds):
            claims[name] = .number(JSONNumber(Int64(state.now.timeIntervalSince1970) + seconds))
        case .claimArray(let name, let others): claims[name] = claims[name].map { .array([$0] + others) }
        case .joseHeader(let name, let value): header[name] = value?.naming(state.issuer)
        case .signature(let change): signatureChanges.append(change)
        case .token(let change):
            prepare(change)
            tokenChanges.append(change)
        default: break
        }
    }

    /// Changes the claims and the header.
    private mutating func prepare(_ change: TokenChange) {
        switch change {
        case .randomKeyID: header["kid"] = .string(Base64URL.encode(randomBytes(count: 8)))
        case .wholeAccessTokenHash: claims["at_hash"] = accessToken.map { .string(SigningAlgorithm.wholeHash(of: $0)) }
        case .otherAccessTokenHash: claims["at_hash"] = accessToken.map { .string(SigningAlgorithm.otherHalfHash(of: $0)) }
        default: break
        }
    }
}

// MARK: - The changed token

extension TokenDraft {
    private var text: String? {
        var header = header
        for change in signatureChanges { change.setAlgorithm(in: &header) }
        var parts = [JSONValue.object(header).serialized(), JSONValue.object(claims).serialized()]
        for change in tokenChanges { change.change(&parts) }
        var encoded = parts.map { Base64URL.encode($0) }
        for change in tokenChanges { change.change(encoded: &encoded) }
        let signed = encoded.joined(separator: ".")
        guard var signature = signer?.signature(of: Array(signed.utf8)) else { return nil }
        for change in signatureChanges { change.change(&signature, of: Array(signed.utf8), in: self) }
        let text = signed + "." + Base64URL.encode(signature)
        return tokenChanges.reduce(text) { $1.replacing($0, in: self) }
    }

    /// The signer of the token before the changes.
    private var signer: TokenSigner? {
        key.map { .key($0) } ?? clientSecret.map { .secret($0) }
    }

    /// The key that signed the token before the changes, if it was not the client secret.
    var key: SigningKey? {
        original.header["kid"]?.string.flatMap { id in
            state.keys.withLock { $0.key(id: id) } ?? state.claimsProviderKeys.withLock { $0.key(id: id) }
        }
    }

    var clientSecret: Secret<String>? {
        original.claims["aud"]?.string.flatMap { state.client(id: $0)?.secret }
    }
}
