import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Synchronization

@testable import AuthHubTesting

/// A GitHub and an AniList without a network, which a test controls at exact moments.
///
/// The code `octocat` signs in octocat; a user's tokens start with their login.
final class FakeServices: Transport {
    /// The handling of a request.
    enum Fate: Sendable {
        case failure(LoadError.Code)
        case answer(Int, JSONValue = [:], HTTPFields = [:])
        case bytes([UInt8])
        /// The request is processed when the gate is opened.
        case waits(Door)
        /// The request is processed immediately, and its response is sent when the gate is opened.
        case answersLate(Door)
        case usual
    }

    struct Rules {
        /// The lifetime of access tokens at GitHub, in seconds; nil for those without an expiry.
        var lifetime: Int64? = 28_800
        var sendsRefreshTokens = true
        var repositoryCount = 120
        /// The number of repositories that the user owns.
        var ownedCount = 60
    }

    private struct State {
        var rules = Rules()
        var next: [String: [Fate]] = [:]
        var always: [String: Fate] = [:]
        var serial = 0
        var accessTokens: Set<String> = []
        var refreshTokens: Set<String> = []
        var requests: [(path: String, authorization: String?)] = []
        var watchers: [(path: String, count: Int, latch: Latch<Void>)] = []
    }

    private let state = Mutex(State())

    func configure(_ change: (inout Rules) -> Void) { state.withLock { change(&$0.rules) } }

    /// Sets the fates of the next requests for a path, one for each request.
    func next(at path: String, _ fates: Fate...) { state.withLock { $0.next[path, default: []] += fates } }

    /// Sets the fate of all requests for a path that have none of their own from `next(at:_:)`.
    func always(at path: String, _ fate: Fate) { state.withLock { $0.always[path] = fate } }

    func endAccessTokens() { state.withLock { $0.accessTokens = [] } }

    func endGrants() { state.withLock { ($0.accessTokens, $0.refreshTokens) = ([], []) } }

    /// Accepts a token that was not issued here, such as one that a page shows.
    func accept(_ token: String) { state.withLock { _ = $0.accessTokens.insert(token) } }

    func count(_ path: String) -> Int { state.withLock { $0.requests.count { $0.path == path } } }

    /// The `Authorization` fields of the requests for a path.
    func authorizations(at path: String) -> [String?] { state.withLock { $0.requests.filter { $0.path == path }.map(\.authorization) } }

    /// Waits until this many requests for a path have arrived.
    func untilAsked(_ path: String, _ count: Int) async {
        let latch = Latch<Void>()
        state.withLock { state in
            if state.requests.count(where: { $0.path == path }) >= count {
                latch.open(())
            } else {
                state.watchers.append((path, count, latch))
            }
        }
        _ = await latch.wait()
    }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let path = String((request.head.path ?? "/").prefix { $0 != "?" })
        let fate = state.withLock { state -> Fate in
            state.requests.append((path, request.head.headerFields[.authorization]))
            for watcher in state.watchers where watcher.path == path {
                if state.requests.count(where: { $0.path == path }) >= watcher.count { watcher.latch.open(()) }
            }
            if state.next[path]?.isEmpty == false { return state.next[path]?.removeFirst() ?? .usual }
            return state.always[path] ?? .usual
        }
        switch fate {
        case .failure(let code): throw LoadError(code, for: request)
        case .answer(let status, let json, let fields): return Self.answer(json, status: status, fields)
        case .bytes(let bytes): return LoadResponse(HTTPResponse(status: .ok), body: .bytes(bytes))
        case .waits(let door):
            await door.pass()
            if Task.isCancelled { throw LoadError(.cancelled, for: request) }
            return carryOut(request, path)
        case .answersLate(let door):
            let answer = carryOut(request, path)
            await door.pass()
            if Task.isCancelled { throw LoadError(.cancelled, for: request) }
            return answer
        case .usual: return carryOut(request, path)
        }
    }

    static func answer(_ json: JSONValue, status: Int = 200, _ fields: HTTPFields = [:]) -> LoadResponse {
        var fields = fields
        fields[.contentType] = "application/json"
        return LoadResponse(HTTPResponse(status: .init(code: status), headerFields: fields), body: .bytes(json.serialized()))
    }
}

extension FakeServices {
    private func carryOut(_ request: LoadRequest, _ path: String) -> LoadResponse {
        if path == "/login/oauth/access_token" { return token(request) }
        if path.hasPrefix("/applications/") {
            endGrants()
            return LoadResponse(HTTPResponse(status: .noContent))
        }
        let token = request.head.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) } ?? ""
        guard state.withLock({ $0.accessTokens.contains(token) }), let login = token.split(separator: "-").first.map(String.init) else {
            return Self.answer(["message": "Bad credentials"], status: 401)
        }
        switch path {
        case "/user":
            return Self.answer([
                "id": .number(JSONNumber(Self.id(of: login))), "login": .string(login),
                "avatar_url": .string("https://avatars.example/\(login)"),
            ])
        case "/user/repos": return repositories(of: login, request)
        case "/":
            return Self.answer(["data": ["Viewer": ["id": .number(JSONNumber(Self.id(of: login))), "name": .string(login)]]])
        default: return Self.answer([:], status: 404)
        }
    }

    private func token(_ request: LoadRequest) -> LoadResponse {
        let form = (try? FormParameters(decoding: String(decoding: request.body.bytes ?? [], as: UTF8.self))) ?? [:]
        return state.withLock { state in
            let login: String
            if let refreshToken = form["refresh_token"] {
                guard state.refreshTokens.remove(refreshToken) != nil else {
                    return Self.answer(["error": "bad_refresh_token", "error_description": "The refresh token is incorrect or expired."])
                }
                login = refreshToken.split(separator: "-").first.map(String.init) ?? ""
            } else {
                login = form["code"] ?? ""
            }
            state.serial += 1
            var members: JSONObject = JSONObject()
            members["access_token"] = .string("\(login)-access-\(state.serial)")
            members["token_type"] = "bearer"
            state.accessTokens.insert("\(login)-access-\(state.serial)")
            if let lifetime = state.rules.lifetime { members["expires_in"] = .number(JSONNumber(lifetime)) }
            if state.rules.sendsRefreshTokens {
                members["refresh_token"] = .string("\(login)-refresh-\(state.serial)")
                state.refreshTokens.insert("\(login)-refresh-\(state.serial)")
            }
            return Self.answer(.object(members))
        }
    }

    private func repositories(of login: String, _ request: LoadRequest) -> LoadResponse {
        let query = (try? FormParameters(decoding: (request.head.path ?? "").drop { $0 != "?" }.dropFirst())) ?? [:]
        let size = query["per_page"].flatMap { Int($0) } ?? 30
        let page = query["page"].flatMap { Int($0) } ?? 1
        let isOwned = query["affiliation"] == "owner"
        let count = state.withLock { isOwned ? $0.rules.ownedCount : $0.rules.repositoryCount }
        let first = (page - 1) * size
        let last = min(first + size, count)
        let next =
            last < count ? "https://api.github.com/user/repos?per_page=\(size)&page=\(page + 1)\(isOwned ? "&affiliation=owner" : "")" : nil
        return Self.answer(Self.page(of: login, first < last ? Array(first..<last) : []), Self.link(to: next))
    }

    private static func id(of login: String) -> Int64 { Int64(login.utf8.reduce(0) { $0 * 31 + Int($1) } % 100_000) }

    static func page(of login: String, _ numbers: [Int]) -> JSONValue {
        .array(
            numbers.map { number in
                ["id": .number(JSONNumber(id(of: login) * 1000 + Int64(number))), "full_name": .string("\(login)/r\(number)")]
            })
    }

    static func link(to next: String?) -> HTTPFields {
        guard let next, let name = HTTPField.Name("Link") else { return [:] }
        return [name: "<\(next)>; rel=\"next\""]
    }
}
