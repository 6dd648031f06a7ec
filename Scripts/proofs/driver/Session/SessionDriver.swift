import AuthHub
import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import HTTPTypes
import Platform
import Synchronization

/// One process with one account: it executes the commands of its input, line by line, with one session, and prints the results. For proofs
/// with their own server.
struct SessionDriver {
    private let session: OAuthSession
    private let clock: ShiftedClock
    private let address: String

    static func main() async throws {
        let setup = try JSONDecoder().decode(Setup.self, from: Data((CommandLine.arguments.dropFirst(2).first ?? "{}").utf8))
        let driver = SessionDriver(setup)
        try await driver.tell(Outcome(), since: .now)
        while let line = readLine() {
            let start = ContinuousClock.now
            let outcome = await driver.carryOut(try JSONDecoder().decode(Order.self, from: Data(line.utf8)))
            try await driver.tell(outcome, since: start)
        }
        await driver.session.finish()
    }

    private init(_ setup: Setup) {
        let clock = ShiftedClock(by: setup.clockOffset ?? 0)
        let transport = NamingTransport(timeLimit: setup.timeLimit.map { .seconds($0) })
        session = OAuthSession(
            ProofServer.configuration(
                setup.server, store: ProofServer.store(in: setup.folder), dependencies: Dependencies(transport: transport) { clock.now }))
        self.clock = clock
        address = setup.server + "/api"
    }

    private func carryOut(_ order: Order) async -> Outcome {
        var outcome = Outcome()
        clock.advance(by: order.advance ?? 0)
        do throws(SessionError) {
            if order.signIn == true { try await session.signIn() }
            if order.refresh == true { try await session.refresh() }
        } catch {
            outcome.count(error, named: ProofServer.name(of: error))
        }
        await load(order.requests ?? 0, atATime: order.concurrency ?? .max, into: &outcome)
        return outcome
    }

    private func load(_ count: Int, atATime limit: Int, into outcome: inout Outcome) async {
        await withTaskGroup(of: Result<Int, LoadError>.self) { group in
            for index in 0..<count {
                if index >= limit, let ended = await group.next() { Self.add(ended, to: &outcome) }
                group.addTask { await loadOnce() }
            }
            for await ended in group { Self.add(ended, to: &outcome) }
        }
    }

    private func loadOnce() async -> Result<Int, LoadError> {
        do throws(LoadError) {
            let response = try await session.load(.get(address))
            _ = try await response.body.collect(upTo: 1_000)
            return .success(response.status.code)
        } catch {
            return .failure(error)
        }
    }

    private static func add(_ ended: Result<Int, LoadError>, to outcome: inout Outcome) {
        switch ended {
        case .success(let status): outcome.statuses["\(status)", default: 0] += 1
        case .failure(let error): outcome.count(error, named: ProofServer.name(of: error))
        }
    }

    private func tell(_ outcome: Outcome, since start: ContinuousClock.Instant) async throws {
        var outcome = outcome
        outcome.seconds = start.duration(to: .now) / .seconds(1)
        do throws(SessionError) {
            if case .signedIn = try await session.restore() { outcome.state = "signed in" } else { outcome.state = "signed out" }
        } catch {
            outcome.state = "unknown"
            outcome.count(error, named: ProofServer.name(of: error))
        }
        print(String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self))
        fflush(nil)
    }
}

/// The system's clock with the offset of this process.
private final class ShiftedClock: Sendable {
    private let shift: Mutex<Double>

    init(by seconds: Double) {
        shift = Mutex(seconds)
    }

    var now: Date { Date().addingTimeInterval(shift.withLock { $0 }) }

    func advance(by seconds: Double) { shift.withLock { $0 += seconds } }
}
