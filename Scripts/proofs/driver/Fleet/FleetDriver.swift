import AuthHub
import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import HTTPTypes
import Platform
import Synchronization

/// One process of a fleet: it sends requests for random accounts until its input ends, and reports errors as they occur.
struct FleetDriver {
    private let setup: Setup
    private let sessions: [OAuthSession]
    private let good = Tally()

    static func main() async throws {
        let setup = try JSONDecoder().decode(Setup.self, from: Data((readLine() ?? "{}").utf8))
        let driver = try FleetDriver(setup)
        Self.tell(Line(kind: "ready", at: Self.now))
        if let rate = setup.rate {
            await driver.makeRequests(rate: rate)
        } else {
            await driver.signIn()
        }
        await driver.end()
    }

    private init(_ setup: Setup) throws {
        let configuration = ProofServer.configuration(
            setup.server, store: try setup.store(), dependencies: Dependencies(transport: NamingTransport()))
        self.setup = setup
        sessions = (0..<setup.accounts).map { OAuthSession(configuration, label: "account-\($0)") }
    }

    private func signIn() async {
        await withTaskGroup(of: Void.self) { group in
            for (index, session) in sessions.enumerated() {
                if index >= 8 { await group.next() }
                group.addTask {
                    do throws(SessionError) {
                        try await session.signIn()
                    } catch {
                        Self.tell(Line(kind: "error", at: Self.now, error: ProofServer.name(of: error), explanation: "\(error)"))
                        exit(1)
                    }
                }
            }
        }
    }

    /// Sends requests at the given rate until the input ends, however long each of them takes.
    private func makeRequests(rate: Double) async {
        let input = Task.detached { while readLine() != nil {} }
        let isOver = Flag()
        let watch = Task {
            await input.value
            isOver.set()
        }
        await withTaskGroup(of: Void.self) { group in
            var underWay = 0
            while !isOver.isSet {
                guard let session = sessions.randomElement() else { break }
                if underWay < 1_000 { underWay += 1 } else { await group.next() }
                group.addTask { await load(session) }
                try? await Task.sleep(for: .seconds(Double.random(in: 0...2) / rate))
            }
        }
        await watch.value
    }

    private func load(_ session: OAuthSession) async {
        let label = session.account.label
        let start = ContinuousClock.now
        do {
            var request = try LoadRequest.get(setup.server + "/api")
            if let name = HTTPField.Name("X-Account") { request.head.headerFields[name] = label }
            let response = try await session.load(request)
            _ = try await response.body.collect(upTo: 1_000)
            if response.status == .ok {
                good.add(start.duration(to: .now) / .seconds(1))
            } else {
                Self.tell(Line(kind: "error", at: Self.now, account: label, error: "status \(response.status.code)"))
            }
        } catch {
            Self.tell(Line(kind: "error", at: Self.now, account: label, error: ProofServer.name(of: error), explanation: "\(error)"))
        }
    }

    private func end() async {
        for session in sessions { await session.finish() }
        let signedOut = sessions.filter(\.state.isSignedOut).map(\.account.label)
        Self.tell(Line(kind: "end", at: Self.now, good: good.value.count, slowest: good.value.slowest, signedOut: signedOut))
    }

    private static var now: Double { Date().timeIntervalSince1970 }

    private static func tell(_ line: Line) {
        guard let data = try? JSONEncoder().encode(line) else { return }
        // In one write: a killed process leaves complete lines.
        let text = [UInt8](data) + [UInt8(ascii: "\n")]
        _ = text.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}

/// The number of successful requests, and the seconds that the slowest took.
private final class Tally: Sendable {
    private let tally = Mutex((count: 0, slowest: 0.0))

    func add(_ seconds: Double) { tally.withLock { $0 = ($0.count + 1, max($0.slowest, seconds)) } }

    var value: (count: Int, slowest: Double) { tally.withLock { $0 } }
}

private final class Flag: Sendable {
    private let flag = Mutex(false)

    func set() { flag.withLock { $0 = true } }

    var isSet: Bool { flag.withLock { $0 } }
}
