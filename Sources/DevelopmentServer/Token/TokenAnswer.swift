import AuthHubPrimitives
import HTTPTypes
import Platform
import Synchronization

/// The response with tokens (RFC 6749 §5.1, OpenID Connect Core 1.0 §3.1.3.3), in the format of a persona.
struct TokenAnswer: Sendable {
    let state: ServerState
    let tokens: IssuedTokens

    func answer(to request: IncomingRequest) -> Answer {
        let quirks = state.persona.tokenAnswers
        var members = JSONObject()
        members["access_token"] = .string(tokens.accessToken)
        members["token_type"] = quirks.tokenType.map { .string($0) }
        if let lifetime = tokens.accessTokenLifetime { tell(lifetime, in: &members, quirks) }
        members["refresh_token"] = tokens.refreshToken.map { .string($0) }
        if let name = quirks.refreshLifetimeName, tokens.refreshToken != nil {
            members[name] = tokens.refreshTokenLifetime.map { number($0.components.seconds, quirks) }
        }
        switch quirks.grantedScope {
        case .separated(let separator): members[quirks.grantedScopeName] = .string(tokens.scope.joined(separator: separator))
        case .array: members[quirks.grantedScopeName] = .array(tokens.scope.map { .string($0) })
        case .absent: break
        }
        if state.persona.issuesIDTokens, tokens.scope.contains("openid") {
            let isRefresh =
                state.parameters(of: request, encodedAs: state.persona.tokenRequests.encodings)?["grant_type"] == "refresh_token"
            if !isRefresh || state.openIDConnect.withLock({ $0.returnsIDTokenAfterRefresh }) {
                members["id_token"] = state.idToken(for: tokens, isRefresh: isRefresh).map { .string($0) }
            }
        }
        members["authorization_details"] = tokens.grant.details
        for member in tokens.members.members { members[member.name] = member.value }
        if let envelope = quirks.envelope {
            let inner = members
            members = JSONObject()
            members[envelope] = .object(inner)
        }
        for (name, value) in quirks.constantMembers.sorted(by: { $0.key < $1.key }) { members[name] = value }
        var answer = Self.encoded(members, by: state.persona, to: request)
        answer.sealIDToken = state.idTokenSeal(for: tokens.grant.clientID)
        return answer
    }

    private func tell(_ lifetime: Duration, in members: inout JSONObject, _ quirks: Persona.TokenAnswerQuirks) {
        let seconds = lifetime.components.seconds
        if let name = quirks.lifetimeName { members[name] = number(seconds, quirks) }
        if let name = quirks.endName { members[name] = number(Int64(state.now.timeIntervalSince1970) + seconds, quirks) }
    }

    private func number(_ number: Int64, _ quirks: Persona.TokenAnswerQuirks) -> JSONValue {
        switch quirks.numbers {
        case .numbers: .number(JSONNumber(number))
        case .texts: .string(String(number))
        }
    }
}

extension TokenAnswer {
    /// Returns members in the encoding that the persona uses to respond to this request.
    static func encoded(_ members: JSONObject, by persona: Persona, to request: IncomingRequest) -> Answer {
        let isForm =
            switch persona.tokenAnswers.encoding {
            case .json: false
            case .form: true
            case .formUnlessJSONIsAsked: !(request.headers[.accept]?.lowercased().contains("json") ?? false)
            }
        guard isForm else { return Answer.json(.object(members)).notStored() }
        let parameters = members.members.compactMap { member -> FormParameters.Parameter? in
            let text = member.value.string ?? member.value.number?.text
            return text.map { .init(name: member.name, value: $0) }
        }
        var answer = Answer.form(FormParameters(parameters)).notStored()
        answer.headers[.contentType] = persona.tokenAnswers.formMediaType
        return answer
    }
}
