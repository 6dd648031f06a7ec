import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Synchronization

/// A token endpoint that rotates refresh tokens and revokes the family when an old one is used again, with an API behind it.
///
/// It is a fake, because these tests need responses at exact moments: held back, lost, or rejected.
final class RotatingServer: Transport {
    struct Faults {
        /// Called before the response to a token request is sent. Returns the response, or nil for the usual one.
        var atToken: (@Sendable (LoadRequest) async throws(LoadError) -> LoadResponse?)?
        /// Called after a token request has been processed, before its response is sent.
        var afterToken: (@Sendable () async throws(LoadError) -> Void)?
        /// Called with each revocation request, before it is processed.
        var atRevoke: (@Sendable () async throws(LoadError) -> Void)?
        /// Called with each request to the API, before it is checked.
        var atAPI: (@Sendable (LoadRequest) async -> Void)?
        /// Called with each request to the API after it has been checked, before its response is sent.
        var afterAPI: (@Sendable (LoadRequest) async -> Void)?
        /// Checks a request to the API by its `Authorization` field; returns nil for the usual response.
        var apiAnswer: (@Sendable (String?) -> LoadResponse?)?
        /// The `Date` field of token responses.
        var date: (@Sendable () -> String?)?
        /// Alters the response to a refresh, given its members; returns the media type and the body to send.
        var oddity: (@Sendable (JSONObject) -> (mediaType: String, body: String))?
        var lifetime = 3600
        var sendsRefreshToken = true
    }

    fileprivate struct State {
        var faults = Faults()
        var serial = 0
        var accessTokens: Set<String> = []
        var refreshToken = ""
        var familyIsRevoked = false
        var tokenRequests: [String] = []
        var tokenAuthorizations: [String?] = []
        var revoked: [String] = []
        var apiRequests: [(authorization: String?, body: [UInt8], accepted: Bool)] = []
    }

    private let state = Mutex(State())

    func configure(_ change: (inout Faults) -> Void) { state.withLock { change(&$0.faults) } }

    var tokenRequests: [String] { state.withLock { $0.tokenRequests } }
    /// The `Authorization` fields of the token requests.
    var tokenAuthorizations: [String?] { state.withLock { $0.tokenAuthorizations } }
    var familyIsRevoked: Bool { state.withLock { $0.familyIsRevoked } }
    var revoked: [String] { state.withLock { $0.revoked } }
    var apiRequests: [(authorization: String?, body: [UInt8], accepted: Bool)] { state.withLock { $0.apiRequests } }

    /// Revokes all access tokens, as a server may do at any time.
    func endAccessTokens() { state.withLock { $0.accessTokens = [] } }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let body = request.body.bytes ?? []
        switch request.head.path {
        case "/token": return try await token(request, body)
        case "/revoke":
            try await state.withLock { $0.faults.atRevoke }?()
            return revoke(body)
        default:
            let faults = state.withLock { $0.faults }
            await faults.atAPI?(request)
            let answer = api(request, body)
            await faults.afterAPI?(request)
            return answer
        }
    }

    private func token(_ request: LoadRequest, _ body: [UInt8]) async throws(LoadError) -> LoadResponse {
        let form = (try? FormParameters(decoding: String(decoding: body, as: UTF8.self))) ?? [:]
        let faults = state.withLock { state in
            state.tokenRequests.append(form["grant_type"] ?? "")
            state.tokenAuthorizations.append(request.head.headerFields[.authorization])
            return state.faults
        }
        if let atToken = faults.atToken, let answer = try await atToken(request) { return answer }
        let answer = state.withLock { $0.issue(for: form) }
        try await faults.afterToken?()
        return answer
    }

    private func revoke(_ body: [UInt8]) -> LoadResponse {
        let form = (try? FormParameters(decoding: String(decoding: body, as: UTF8.self))) ?? [:]
        state.withLock { state in
            state.revoked.append(form["token"] ?? "")
            state.accessTokens.remove(form["token"] ?? "")
        }
        return LoadResponse(HTTPResponse(status: .ok))
    }

    private func api(_ request: LoadRequest, _ body: [UInt8]) -> LoadResponse {
        let authorization = request.head.headerFields[.authorization]
        let apiAnswer = state.withLock { $0.faults.apiAnswer }
        if let answer = apiAnswer?(authorization) {
            state.withLock { $0.apiRequests.append((authorization, body, answer.status == .ok)) }
            return answer
        }
        let accepted = state.withLock { state in
            let accepted = authorization.map { state.accessTokens.contains(String($0.dropFirst("Bearer ".count))) } ?? false
            state.apiRequests.append((authorization, body, accepted))
            return accepted
        }
        return LoadResponse(HTTPResponse(status: accepted ? .ok : .unauthorized), body: .bytes(Array("{}".utf8)))
    }
}

extension RotatingServer.State {
    fileprivate mutating func issue(for form: FormParameters) -> LoadResponse {
        if form["grant_type"] == "refresh_token" {
            guard form["refresh_token"] == refreshToken, !familyIsRevoked else {
                // A token that the server has never issued belongs to no family.
                if form["refresh_token"]?.hasPrefix("refresh-") ?? true {
                    familyIsRevoked = true
                    accessTokens = []
                }
                return LoadResponse(
                    HTTPResponse(status: .badRequest, headerFields: [.contentType: "application/json"]),
                    body: .bytes(Array(#"{"error":"invalid_grant","error_description":"used before"}"#.utf8)))
            }
        } else {
            familyIsRevoked = false
        }
        serial += 1
        accessTokens.insert("access-\(serial)")
        var answer: JSONValue = [
            "access_token": .string("access-\(serial)"), "token_type": "Bearer", "expires_in": .number(JSONNumber(Int64(faults.lifetime))),
        ]
        if faults.sendsRefreshToken {
            refreshToken = "refresh-\(serial)"
            answer = answer.adding("refresh_token", .string(refreshToken))
        }
        let odd = form["grant_type"] == "refresh_token" ? faults.oddity?(answer.object ?? JSONObject()) : nil
        var head = HTTPResponse(status: .ok, headerFields: [.contentType: odd?.mediaType ?? "application/json"])
        head.headerFields[.date] = faults.date?()
        return LoadResponse(head, body: .bytes(odd.map { Array($0.body.utf8) } ?? answer.serialized()))
    }
}

extension JSONValue {
    fileprivate func adding(_ name: String, _ value: JSONValue) -> JSONValue {
        var object = object ?? JSONObject()
        object[name] = value
        return .object(object)
    }
}
