import AuthHubPrimitives
import HTTPTypes

extension TokenError {
    /// Returns the error in the format of a persona.
    func answer(from state: ServerState, to request: IncomingRequest) -> Answer {
        let quirks = state.persona.errors
        let words = quirks.words[occasion]
        let name = JSONValue.string(words?.code ?? code.rawValue)
        let text = JSONValue.string(words?.description ?? description)
        var members = Self.members(name, text, page: words?.page)
        if state.persona.device?.tellsNewInterval ?? false { members["interval"] = newInterval?.inSeconds }
        switch quirks.dress {
        case .standard: return refusal(.object(members), from: state)
        case .statusOK: return TokenAnswer.encoded(members, by: state.persona, to: request)
        case .okFalse: return Answer.json(["ok": false, "error": name]).notStored()
        case .list: return refusal(["errors": [["errorType": name, "message": text]], "success": false], from: state)
        case .message: return refusal(["message": text, "status": .number(JSONNumber(Int64(status.code)))], from: state)
        case .object:
            let number = JSONValue.number(JSONNumber(Int64(words?.code ?? "") ?? 1))
            return refusal(["error": ["type": "OAuthException", "message": text, "code": number]], from: state)
        case .fields:
            let field: JSONValue = ["resource": "Application", "field": name, "code": "invalid"]
            return refusal(["message": "Bad Request", "errors": [field]], from: state)
        }
    }

    private static func members(_ name: JSONValue, _ text: JSONValue, page: String?) -> JSONObject {
        var members = JSONObject()
        members["error"] = name
        members["error_description"] = text
        members["error_uri"] = page.map { .string($0) }
        return members
    }

    private func refusal(_ body: JSONValue, from state: ServerState) -> Answer {
        var answer = Answer.json(body, status: status)
        if code == .invalidClient { answer.headers[.wwwAuthenticate] = "Basic realm=\"\(state.issuer)\"" }
        return answer.notStored()
    }

    /// The status by RFC 6749 §5.2: 400, but 401 with a challenge for a client whose authentication failed.
    private var status: HTTPResponse.Status { code == .invalidClient ? .unauthorized : .badRequest }
}
