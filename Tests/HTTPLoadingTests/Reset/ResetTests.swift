import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct ResetTests {
    /// A loader that records its resets, and can fail, wait or send a request during a reset.
    private final class Diary: Loader {
        let name: String
        let entries: Journal
        let whileResetting: @Sendable (ResetContext) async throws -> Void

        init(_ name: String, _ entries: Journal, whileResetting: @escaping @Sendable (ResetContext) async throws -> Void = { _ in }) {
            self.name = name
            self.entries = entries
            self.whileResetting = whileResetting
        }

        func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
            try await next(request)
        }

        func reset(_ context: ResetContext) async throws {
            entries.add("\(name) \(context.phase)")
            try await whileResetting(context)
        }
    }

    private final class Journal: Sendable {
        private let list = Mutex<[String]>([])
        var lines: [String] { list.withLock { $0 } }
        func add(_ line: String) { list.withLock { $0.append(line) } }
    }

    private struct Refusal: Error {}

    /// Chains that can access each other.
    private final class Chains: Sendable {
        private let list = Mutex<[String: Chain]>([:])

        subscript(name: String) -> Chain? {
            get { list.withLock { $0[name] } }
            set { list.withLock { $0[name] = newValue } }
        }
    }

    /// A task that a reset starts but does not wait for. It resets the chain again when the test allows it.
    private final class LeftBehind: Sendable {
        let chain = Mutex<Chain?>(nil)
        let task = Mutex<Task<Epoch?, Never>?>(nil)
        let go = Signal()

        func begin() {
            guard task.withLock({ $0 == nil }) else { return }
            let begun = Task {
                await go.wait()
                return await chain.withLock { $0 }?.reset().epoch
            }
            task.withLock { $0 = begun }
        }
    }

    @Test func `resets each loader once in each phase, outermost first`() async throws {
        let journal = Journal()
        let chain = try Chain(
            transport: ScriptedTransport([]), [Diary("a", journal), Diary("b", journal), Diary("c", journal)])
        let report = await chain.reset()
        #expect(journal.lines == ["a forget", "b forget", "c forget", "a cleanUp", "b cleanUp", "c cleanUp"])
        #expect(report.failures.isEmpty && report.cancelledLoads == 0 && report.abandonedLoads == 0)
    }

    @Test func `a loader that fails does not prevent the reset of others, and the report names it`() async throws {
        let journal = Journal()
        let chain = try Chain(
            transport: ScriptedTransport([.init(.any, .status(.ok))]),
            [Diary("a", journal) { _ in throw Refusal() }, Diary("b", journal)])
        let report = await chain.reset()
        #expect(journal.lines == ["a forget", "b forget", "a cleanUp", "b cleanUp"])
        #expect(report.failures.map(\.phase) == [.forget, .cleanUp])
        #expect(report.failures.allSatisfy { $0.loader == "Diary" && $0.error is Refusal })
        #expect(try await chain.load(.get("https://example.com/")).status == .ok, "the chain is as new")
    }

    @Test func `concurrent resets become one reset`() async throws {
        let journal = Journal()
        let clock = TestClock()
        let chain = try Chain(
            transport: ScriptedTransport([]),
            [Diary("a", journal) { context in if context.phase == .forget { try await clock.sleep(for: .seconds(1)) } }])
        let resets = (0..<20).map { _ in Task { await chain.reset().epoch } }
        let advancing = Task {
            while !Task.isCancelled {
                await yieldOften()
                clock.advance(by: .seconds(1))
            }
        }
        var epochs: Set<Epoch> = []
        for reset in resets { epochs.insert(await reset.value) }
        advancing.cancel()
        // A call after the end of a reset starts another one. This is rare, because a reset takes much longer than a call.
        #expect(journal.lines.count == epochs.count * 2)
        #expect(epochs.count < 20)
    }

    @Test func `the second caller returns when the running reset has ended, not before`() async throws {
        let clock = TestClock()
        let journal = Journal()
        let chain = try Chain(
            transport: ScriptedTransport([]),
            [Diary("a", journal) { context in if context.phase == .forget { try await clock.sleep(for: .seconds(1)) } }])
        let first = Task { await chain.reset() }
        await clock.untilAsleep()
        let second = startedTask {
            let report = await chain.reset()
            journal.add("second returned")
            return report
        }
        await yieldOften()
        #expect(journal.lines == ["a forget"])
        await clock.run { #expect(await first.value.epoch == second.value.epoch) }
        #expect(journal.lines == ["a forget", "a cleanUp", "second returned"])
    }

    @Test func `a caller that leaves does not stop the reset`() async throws {
        let clock = TestClock()
        let journal = Journal()
        let chain = try Chain(
            transport: ScriptedTransport([]),
            [Diary("a", journal) { context in if context.phase == .forget { try await clock.sleep(for: .seconds(1)) } }])
        let caller = Task { await chain.reset() }
        await clock.untilAsleep()
        caller.cancel()
        await yieldOften()
        #expect(clock.sleeperCount == 1, "the loader's own waiting was not cancelled")
        clock.advance(by: .seconds(1))
        #expect(await caller.value.failures.isEmpty)
        #expect(journal.lines == ["a forget", "a cleanUp"])
    }

    @Test func `cancels requests in progress between the phases, with the reason`() async throws {
        let clock = TestClock()
        let journal = Journal()
        let chain = try Chain(
            transport: SleepingTransport(clock: clock),
            [Diary("a", journal) { context in journal.add("\(context.phase) with \(clock.sleeperCount) under way") }])
        let request = try LoadRequest.get("https://example.com/")
        let loading = Task { try await chain.load(request) }
        await clock.untilAsleep()
        let report = await chain.reset()
        let error = await #expect(throws: LoadError.self) { try await loading.value }
        #expect(error?.code == .cancelled && error?.request == request.id)
        #expect(error?.explanation == "the chain was reset")
        #expect(report.cancelledLoads == 1 && report.abandonedLoads == 0)
        #expect(journal.lines == ["a forget", "forget with 1 under way", "a cleanUp", "cleanUp with 0 under way"])
    }

    @Test func `a body that is still being read ends, and its connection closes`() async throws {
        let cut = Signal()
        let reading = Signal()
        let body: @Sendable () -> ResponseBody = {
            ResponseBody(cancel: { cut.fire() }) { () async throws(LoadError) in
                reading.fire()
                await cut.wait()
                return [1, 2, 3]
            }
        }
        let chain = try Chain(
            transport: RoutedTransport([
                (.any, ScriptedAnswer { _ throws(LoadError) in LoadResponse(HTTPResponse(status: .ok), body: body()) })
            ]))
        let response = try await chain.load(.get("https://example.com/"))
        let collecting = Task { try await response.body.collect(upTo: 100) }
        await reading.wait()
        let report = await chain.reset()
        let error = await #expect(throws: LoadError.self) { try await collecting.value }
        #expect(error?.code == .cancelled && error?.explanation == "the chain was reset")
        #expect(report.cancelledLoads == 1 && report.abandonedLoads == 0)
    }

    @Test func `a request counts as in progress until its body has ended or was released`() async throws {
        let chain = try Chain(transport: RoutedTransport([(.any, .status(.ok, body: [1]))]))
        var response: LoadResponse? = try await chain.load(.get("https://example.com/"))
        _ = try await response?.body.collect(upTo: 10)
        #expect(await chain.reset().cancelledLoads == 0, "read to its end")
        response = try await chain.load(.get("https://example.com/"))
        #expect(response != nil)
        response = nil
        #expect(await chain.reset().cancelledLoads == 0, "let go")
        response = try await chain.load(.get("https://example.com/"))
        #expect(await chain.reset().cancelledLoads == 1, "still there")
        _ = response
    }

    @Test func `waits the grace period for a request that ignores its cancellation, and discards its response`() async throws {
        let clock = TestClock()
        let chain = try Chain(transport: SleepingTransport(clock: clock, isStubborn: true), clock: LoadClock(clock))
        let loading = Task { try await chain.load(.get("https://example.com/")) }
        await clock.untilAsleep(1)
        let resetting = Task { await chain.reset(grace: .milliseconds(500)) }
        await clock.untilAsleep(2)
        clock.advance(by: .milliseconds(500))
        let report = await resetting.value
        #expect(report.cancelledLoads == 1 && report.abandonedLoads == 1)
        clock.advance(by: .milliseconds(500))
        let error = await #expect(throws: LoadError.self) { try await loading.value }
        #expect(error?.code == .cancelled && error?.explanation == "the chain was reset")
    }

    @Test func `a request during a reset fails or waits, as its option says`() async throws {
        let clock = TestClock()
        let journal = Journal()
        let chain = try Chain(
            transport: RoutedTransport([(.any, .status(.ok))]),
            [Diary("a", journal) { context in if context.phase == .forget { try await clock.sleep(for: .seconds(1)) } }])
        let resetting = Task { await chain.reset() }
        await clock.untilAsleep()

        let request = try LoadRequest.get("https://example.com/")
        let error = await #expect(throws: LoadError.self) { try await chain.load(request) }
        #expect(error?.code == .resetInProgress && error?.request == request.id && error?.mayHaveBeenSent == false)

        var patient = request
        patient.options[WhileResetting.self] = .wait
        let waiting = Task { [patient] in
            let response = try await chain.load(patient)
            journal.add("loaded")
            return response
        }
        let leaving = Task { [patient] in try await chain.load(patient) }
        await yieldOften()
        leaving.cancel()
        let left = await #expect(throws: LoadError.self) { try await leaving.value }
        #expect(left?.code == .cancelled)
        clock.advance(by: .seconds(1))
        #expect(await resetting.value.failures.isEmpty)
        #expect(try await waiting.value.status == .ok)
        #expect(journal.lines == ["a forget", "a cleanUp", "loaded"])
    }

    @Test func `a loader may send past the gate, and cannot reset or send through its own chain`() async throws {
        let box = Mutex<Chain?>(nil)
        let journal = Journal()
        let transport = ScriptedTransport([.init(.post("https://example.com/revoke"), .status(.ok))])
        let chain = try Chain(
            transport: transport,
            [
                Diary("a", journal) { context in
                    guard context.phase == .cleanUp, let chain = box.withLock({ $0 }) else { return }
                    let response = try await context.sendPrivileged(.post("https://example.com/revoke", body: .empty))
                    journal.add("revoked with \(response.status.code)")
                    journal.add(await chain.reset().epoch == context.epoch ? "the same reset" : "another reset")
                    var request = try LoadRequest.get("https://example.com/")
                    request.options[WhileResetting.self] = .wait
                    do throws(LoadError) {
                        _ = try await chain.load(request)
                    } catch {
                        journal.add("\(error.code)")
                    }
                }
            ])
        box.withLock { $0 = chain }
        #expect(await chain.reset().failures.isEmpty)
        #expect(journal.lines == ["a forget", "a cleanUp", "revoked with 200", "the same reset", "reset_in_progress"])
        try transport.verifyFinished()
        box.withLock { $0 = nil }
    }

    @Test func `a task that a reset left behind can request the next reset, and wait for it`() async throws {
        let left = LeftBehind()
        let journal = Journal()
        let chain = try Chain(
            transport: ScriptedTransport([]), [Diary("a", journal) { context in if context.phase == .cleanUp { left.begin() } }])
        left.chain.withLock { $0 = chain }
        let first = await chain.reset().epoch
        left.go.fire()
        let second = try #require(await left.task.withLock { $0 }?.value)
        #expect(first < second)
        #expect(journal.lines == ["a forget", "a cleanUp", "a forget", "a cleanUp"])
        left.chain.withLock { $0 = nil }
    }

    @Test(.timeLimit(.minutes(15)))
    func `chains that concurrently reset or wait for each other do not wait forever`() async throws {
        let clock = TestClock()
        let journal = Journal()
        let chains = Chains()
        func make(_ name: String, resetting other: String) throws -> Chain {
            let loader = Diary(name, journal) { context in
                guard context.phase == .cleanUp else { return try await clock.sleep(for: .seconds(1)) }
                guard let other = chains[other] else { return }
                await other.reset()
                var request = try LoadRequest.get("https://example.com/")
                request.options[WhileResetting.self] = .wait
                try await other.load(request).body.cancel()
            }
            return try Chain(transport: RoutedTransport([(.any, .status(.ok))]), [loader])
        }
        chains["a"] = try make("a", resetting: "b")
        chains["b"] = try make("b", resetting: "a")
        let resets = ["a", "b"].map { name in Task { await chains[name]?.reset().epoch } }
        await clock.untilAsleep(2)
        // The later of the two may start another reset of the other chain.
        await clock.run {
            for reset in resets { #expect(await reset.value != nil) }
        }
        chains["a"] = nil
        chains["b"] = nil
    }

    @Test func `concurrent resets of a chain that was shut down become one, too`() async throws {
        let clock = TestClock()
        let journal = Journal()
        let chain = try Chain(
            transport: ScriptedTransport([]),
            [Diary("a", journal) { context in if context.phase == .forget { try await clock.sleep(for: .seconds(1)) } }])
        await chain.shutdown()
        let first = Task { await chain.reset().epoch }
        await clock.untilAsleep()
        let second = startedTask { await chain.reset().epoch }
        await clock.run { #expect(await first.value == second.value) }
        #expect(journal.lines == ["a forget", "a cleanUp"])
    }

    @Test(arguments: [Duration.seconds(Int64.max), Duration(attoseconds: .max), Duration(attoseconds: .min)])
    func `supports a grace period of any length`(grace: Duration) async throws {
        let chain = try Chain(transport: RoutedTransport([(.any, .status(.ok, body: [1]))]))
        let response = try await chain.load(.get("https://example.com/"))
        let report = await chain.reset(grace: grace)
        #expect(report.cancelledLoads == 1)
        _ = response
    }

    @Test func `requests know their epoch`() async throws {
        struct EpochTelling: Loader {
            let tell: @Sendable (Epoch) -> Void

            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
                tell(next.epoch)
                return try await next(request)
            }
        }
        let epochs = Mutex<[Epoch]>([])
        let chain = try Chain(
            transport: RoutedTransport([(.any, .status(.ok))]), [EpochTelling { epoch in epochs.withLock { $0.append(epoch) } }])
        _ = try await chain.load(.get("https://example.com/"))
        let report = await chain.reset()
        _ = try await chain.load(.get("https://example.com/"))
        let seen = epochs.withLock { $0 }
        #expect(seen.count == 2 && seen[0] < seen[1] && seen[1] == report.epoch)
    }

    @Test func `a chain that was shut down cancels requests in progress, and accepts no more`() async throws {
        let clock = TestClock()
        let chain = try Chain(transport: SleepingTransport(clock: clock))
        let loading = Task { try await chain.load(.get("https://example.com/")) }
        await clock.untilAsleep()
        await chain.shutdown()
        let error = await #expect(throws: LoadError.self) { try await loading.value }
        #expect(error?.code == .cancelled && error?.explanation == "the chain was shut down")
        let late = await #expect(throws: LoadError.self) { try await chain.load(.get("https://example.com/")) }
        #expect(late?.code == .shutDown)
        await chain.reset()
        let stillLate = await #expect(throws: LoadError.self) { try await chain.load(.get("https://example.com/")) }
        #expect(stillLate?.code == .shutDown, "a reset opens no chain that was shut down")
    }
}

/// Lets all other tasks run for a while, for checks that something does not happen.
func yieldOften() async {
    for _ in 0..<200 { await Task.yield() }
}
