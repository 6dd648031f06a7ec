import AuthHub
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

/// OAuthenticator's event sequences: which components are called, in which order. See `docs/checks.md`.
struct EventOrderTests {
    /// The state of the account when a request starts.
    enum Situation: Sendable {
        case nobody, signedIn, ended, refused
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let situation: Situation
        var prompting = SignInPrompting.onDemand
        /// The response of the token endpoint if it fails.
        var tokenAnswer: ScriptedAnswer?
        let expected: [String]
    }

    @Test(arguments: [
        Row(
            testDescription: "OAuthenticator: the first use", situation: .nobody,
            expected: ["load", "page", "exchange", "store", "request Bearer access-1"]),
        Row(testDescription: "OAuthenticator: no interaction allowed", situation: .nobody, prompting: .manual, expected: ["load"]),
        Row(
            testDescription: "OAuthenticator: a stored token", situation: .signedIn, prompting: .manual,
            expected: ["load", "request Bearer access-1"]),
        Row(
            testDescription: "OAuthenticator: an expired token", situation: .ended, prompting: .manual,
            expected: ["load", "refresh", "store", "request Bearer access-2"]),
        Row(
            testDescription: "OAuthenticator: a token that the API rejects", situation: .refused, prompting: .manual,
            expected: ["load", "request Bearer access-1", "refresh", "store", "request Bearer access-2"]),
        Row(
            testDescription: "OAuthenticator, where it differs: no network, and nothing is cleared", situation: .ended,
            tokenAnswer: .failure(.cannotConnect), expected: ["load", "refresh"]),
        Row(
            testDescription: "OAuthenticator, where it differs: a broken server, and nothing is cleared", situation: .ended,
            tokenAnswer: .status(.internalServerError), expected: ["load", "refresh"]),
        Row(
            testDescription: "OAuthenticator, where it differs: a rejected client, and nothing is cleared", situation: .ended,
            tokenAnswer: .json(["error": "invalid_client"], status: .unauthorized), expected: ["load", "refresh"]),
        Row(
            testDescription: "OAuthenticator: a revoked grant is cleared, and the next request may ask the user",
            situation: .ended,
            tokenAnswer: .json(["error": "invalid_grant"], status: .badRequest), expected: ["load", "refresh", "clear"]),
    ])
    func `a request uses the store, the sign-in page, the server and the API in this order`(row: Row) async throws {
        let events = EventLog()
        let store = ObservedStore { events.append($0) }
        let setting = SessionSetting(store: store) { url in
            events.append("page")
            return await consenting(url)
        }
        if row.situation != .nobody { _ = try await setting.signedIn() }
        if row.situation == .ended { setting.advance(by: 3600) }
        if row.situation == .refused { setting.server.endAccessTokens() }
        let scripted = row.tokenAnswer.map { RoutedTransport([(.any, $0)]) }
        setting.server.configure {
            $0.atToken = { request throws(LoadError) in
                let form = String(decoding: request.body.bytes ?? [], as: UTF8.self)
                events.append(form.contains("grant_type=refresh_token") ? "refresh" : "exchange")
                return try await scripted?.send(request)
            }
            $0.atAPI = { request in events.append("request \(request.head.headerFields[.authorization] ?? "without a token")") }
        }
        events.clear()
        let session = setting.session(row.prompting)
        let response = try? await session.load(.get("https://api.example/things"))
        #expect(events.withRepeatedLoadsJoined == row.expected)
        #expect((response?.status == .ok) == (row.expected.last?.hasPrefix("request") == true))
        let isCleared = row.situation == .nobody && row.prompting == .manual || row.expected.contains("clear")
        #expect(try await setting.store.accounts().isEmpty == isCleared)
    }
}

private final class EventLog: Sendable {
    private let events = Mutex<[String]>([])

    func append(_ event: String) { events.withLock { $0.append(event) } }
    func clear() { events.withLock { $0 = [] } }

    /// The events without reads of the store after the first event. It does not matter how often the store is read, only that it is
    /// read first.
    var withRepeatedLoadsJoined: [String] {
        events.withLock { events in events.prefix(1) + events.dropFirst().filter { $0 != "load" } }
    }
}
