import AuthHubTesting
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform
import Synchronization
import Testing

@testable import AuthHub

/// The behavior after a failed refresh: no busy loop, the user stays signed in, and the session waits no longer than necessary.
struct RefreshBackOffTests {
    private static let lost = SessionError(.unreachable, "no network")

    @Test func `each failure doubles the wait, up to five minutes, and each wait ends`() {
        var backOff = RefreshBackOff()
        var now = start
        var waits: [Double] = []
        for _ in 0..<80 {
            backOff.failed(Self.lost, at: now)
            let next = backOff.nextAttempt ?? now
            waits.append(next.timeIntervalSince(now))
            #expect(backOff.problem(at: next.addingTimeInterval(-0.01)) != nil)
            #expect(backOff.problem(at: next) == nil)
            now = next
        }
        #expect(waits.prefix(10) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300])
        #expect(Set(waits.dropFirst(9)) == [300])
    }

    struct RetryAfterRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let retryAfter: Int?
        let wait: Double
    }

    @Test(arguments: [
        RetryAfterRow(testDescription: "no Retry-After", retryAfter: nil, wait: 1),
        RetryAfterRow(testDescription: "less than our own wait", retryAfter: 0, wait: 1),
        RetryAfterRow(testDescription: "half a minute", retryAfter: 30, wait: 30),
        RetryAfterRow(testDescription: "longer than our own limit", retryAfter: 900, wait: 900),
        RetryAfterRow(testDescription: "a year, in error", retryAfter: 31_536_000, wait: 3600),
    ])
    func `honours the server's Retry-After, up to an hour`(row: RetryAfterRow) {
        var backOff = RefreshBackOff()
        let server = ServerError(code: .temporarilyUnavailable, status: 503, retryAfter: row.retryAfter)
        backOff.failed(SessionError(.unreachable, "busy", serverError: server), at: start)
        #expect(backOff.nextAttempt == start.addingTimeInterval(row.wait))
    }

    @Test(arguments: [429, 500, 502, 503])
    func `retries when a failing server says so, even if it states a date`(status: Int) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let busy = RoutedTransport([
            (
                .any,
                .status(
                    .init(code: status), headers: [.retryAfter: "Fri, 15 Jan 2027 09:10:00 GMT", .date: "Fri, 15 Jan 2027 09:00:00 GMT"])
            )
        ])
        setting.server.configure { $0.atToken = { request throws(LoadError) in try await busy.send(request) } }
        setting.advance(by: 3600)
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        setting.advance(by: 599)
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(setting.server.tokenRequests.count == 2)
        setting.server.configure { $0.atToken = nil }
        setting.advance(by: 1)
        #expect(try await session.accessToken().value.reveal() == "access-2")
    }

    @Test func `setting the clock back does not extend the wait`() {
        var backOff = RefreshBackOff()
        backOff.failed(Self.lost, at: start)
        #expect(backOff.problem(at: start) != nil)
        #expect(backOff.problem(at: start.addingTimeInterval(-86_400)) == nil)
    }

    @Test func `reads a failing store again at once`() {
        var backOff = RefreshBackOff()
        backOff.failed(SessionError(.storeFailed, "full"), at: start)
        #expect(backOff.problem(at: start) == nil)
        #expect(backOff.nextAttempt == nil)
    }

    @Test func `offline for an hour with a request each second: still signed in, few refreshes, and the first attempt after it succeeds`()
        async throws
    {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) } }
        setting.advance(by: 3600)
        for _ in 0..<3600 {
            let failure = await #expect(throws: SessionError.self) { try await session.accessToken() }
            #expect(failure?.code == .unreachable)
            setting.advance(by: 1)
        }
        #expect(setting.server.tokenRequests.count == 1 + 20)
        guard case .signedIn(let facts) = session.state else {
            Issue.record("the state is \(session.state)")
            return
        }
        #expect(facts.problem?.code == .unreachable)
        #expect(facts.nextAttempt != nil)
        setting.server.configure { $0.atToken = nil }
        setting.advance(by: RefreshBackOff.maximumDelay)
        #expect(try await session.accessToken().value.reveal() == "access-2")
        guard case .signedIn(let renewed) = session.state else {
            Issue.record("the state is \(session.state)")
            return
        }
        #expect(renewed.problem == nil && renewed.nextAttempt == nil && renewed.generation == 2)
    }

    @Test func `attempts a refresh that the program requests at once`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) } }
        setting.advance(by: 3600)
        for _ in 0..<3 { await #expect(throws: SessionError.self) { try await session.refresh() } }
        #expect(setting.server.tokenRequests.count == 4)
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(setting.server.tokenRequests.count == 4)
        setting.server.configure { $0.atToken = nil }
        try await session.refresh()
        #expect(try await session.accessToken().value.reveal() == "access-2")
    }

    @Test func `attempts a sign-in at once, and it ends the wait`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) } }
        setting.advance(by: 3600)
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        setting.server.configure { $0.atToken = nil }
        try await session.signIn()
        #expect(try await session.accessToken().value.reveal() == "access-2")
    }

    @Test func `finds a token that another process has refreshed, which ends the wait`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let other = setting.session(.manual)
        setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) } }
        setting.advance(by: 3600)
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        setting.server.configure { $0.atToken = nil }
        _ = try await other.accessToken()
        #expect(try await session.accessToken().value.reveal() == "access-2")
        #expect(setting.server.tokenRequests.count == 3)
    }

    @Test func `uses a valid token while its refresh must wait`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) } }
        setting.advance(by: 3550)
        for _ in 0..<20 { #expect(try await session.accessToken().value.reveal() == "access-1") }
        #expect(setting.server.tokenRequests.count == 2)
    }
}
