import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

/// Case 24: for any change of the clock, there is at most one refresh for each token lifetime and each change, and no expired token is
/// used for long.
struct ClockTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The number of seconds by which the clock is ahead at the sign-in.
        var ahead = 0.0
        /// The changes of the clock in seconds, by the number of minutes after which they occur.
        var settings: [Int: Double] = [:]
        /// The times at which the program exits and restarts.
        var restarts: Set<Int> = []
        var lifetime = 3600
        /// The number of refreshes in addition to those with a correct clock.
        var more = 0
        /// The number of requests that a server rejects.
        var refusals = 0
        var sendsDate = true
    }

    @Test(arguments: [
        Row(testDescription: "case 24: a correct clock"),
        Row(testDescription: "case 24: always an hour ahead", ahead: 3600),
        Row(testDescription: "case 24: always an hour behind", ahead: -3600),
        Row(testDescription: "case 24: an hour ahead at the sign-in, then correct", ahead: 3600, settings: [10: -3600]),
        Row(
            testDescription: "case 24: the same, and the server sends no Date", ahead: 3600, settings: [10: -3600], refusals: 1,
            sendsDate: false),
        Row(testDescription: "case 24: an hour behind at the sign-in, then correct", ahead: -3600, settings: [10: 3600], more: 1),
        Row(testDescription: "TR41, case 24: set forward in between", settings: [10: 3600], more: 1),
        Row(testDescription: "TR41, case 24: set back in between", settings: [10: -3600], refusals: 1),
        Row(testDescription: "case 24: set back by less than the token's age", settings: [50: -2400], refusals: 1),
        Row(testDescription: "case 24: set forward and back", settings: [10: 3600, 30: -3600], more: 1),
        Row(testDescription: "case 24: an hour ahead, and correct after the restart", ahead: 3600, settings: [20: -3600], restarts: [20]),
        Row(
            testDescription: "case 24: an hour behind, and correct after the restart", ahead: -3600, settings: [20: 3600], restarts: [20],
            more: 1),
        Row(testDescription: "TR41, case 24: correct, and an hour ahead after the restart", settings: [20: 3600], restarts: [20], more: 1),
        Row(
            testDescription: "TR41, case 24: correct, and an hour behind after the restart", settings: [20: -3600], restarts: [20],
            refusals: 1),
        Row(testDescription: "case 24: only restarts", restarts: [10, 20, 100]),
        Row(
            testDescription: "case 24: short lifetimes, and a wrong clock that is corrected", ahead: 3600, settings: [60: -3600],
            lifetime: 300),
    ])
    func `a clock that is wrong, or changed, causes few extra refreshes`(row: Row) async throws {
        let setting = SessionSetting()
        let server = Mutex(World())
        setting.advance(by: row.ahead)
        setting.server.configure {
            $0.lifetime = row.lifetime
            $0.date = { row.sendsDate ? server.withLock { httpDate($0.now) } : nil }
            $0.afterToken = { () async throws(LoadError) in server.withLock { $0.issuedAt = $0.now } }
        }
        var session = try await setting.signedIn()
        let minutes = 240
        for minute in 1...minutes {
            setting.advance(by: 60)
            let hasEnded = server.withLock { world in
                world.now += 60
                return world.now - world.issuedAt >= row.lifetime
            }
            if hasEnded { setting.server.endAccessTokens() }
            if let change = row.settings[minute] { setting.advance(by: change) }
            if row.restarts.contains(minute) { session = setting.session(.manual) }
            for _ in 0..<3 { #expect(try await session.load(.get("https://api.example/")).status == .ok, "minute \(minute)") }
        }
        let refreshes = setting.server.tokenRequests.count - 1
        let margin = min(60, row.lifetime / 5)
        #expect(refreshes <= minutes * 60 / (row.lifetime - margin) + row.more, "\(refreshes) refreshes")
        #expect(setting.server.apiRequests.count { !$0.accepted } == row.refusals)
        #expect(setting.browser.visitedURLs.count == 1)
    }

    @Test(arguments: [3600.0, -3600])
    func `case 24: two machines whose clocks differ by an hour do not refresh each other's tokens endlessly`(apart: Double) async throws {
        let setting = SessionSetting()
        let server = Mutex(World())
        setting.server.configure {
            $0.date = { server.withLock { httpDate($0.now) } }
            // A refresh invalidates the previous access token, so each machine has to read the store to continue.
            $0.atToken = { [server = setting.server] _ throws(LoadError) in
                server.endAccessTokens()
                return nil
            }
        }
        let right = try await setting.signedIn()
        let other = setting.session(.manual, ahead: apart)
        for _ in 0..<240 {
            setting.advance(by: 60)
            server.withLock { $0.now += 60 }
            for session in [right, other] { #expect(try await session.load(.get("https://api.example/")).status == .ok) }
        }
        #expect(setting.server.tokenRequests.count <= 1 + 2 * 5)
    }
}

private struct World {
    /// The current second of the day, by a correct clock.
    var now = 8 * 3600
    var issuedAt = 8 * 3600
}

/// Formats a date (RFC 9110 §5.6.7) on the day on which the tests start.
private func httpDate(_ seconds: Int) -> String {
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "Fri, 15 Jan 2027 \(parts.joined(separator: ":")) GMT"
}
