import AuthHubPrimitives
import AuthHubTesting
import Synchronization
import Testing

@testable import HTTPLoading

@Suite(.timeLimit(.minutes(15)))
struct LimiterTests {
    /// Counts the tasks that hold a permit.
    private final class Crowd: Sendable {
        private let counts = Mutex((running: 0, peak: 0))

        var running: Int { counts.withLock { $0.running } }
        var peak: Int { counts.withLock { $0.peak } }

        func enter() {
            counts.withLock { counts in
                counts.running += 1
                counts.peak = max(counts.peak, counts.running)
            }
        }

        func leave() { counts.withLock { $0.running -= 1 } }
    }

    /// Starts to wait for a permit, and keeps the permit until the returned task finishes its work.
    private func enqueue(
        on limiter: Limiter, priority: LoadPriority = .normal, _ work: @escaping @Sendable () async -> Void = {}
    ) async -> Task<LoadError.Code?, Never> {
        let waiting = limiter.counts.waiting
        let task = Task { () -> LoadError.Code? in
            do throws(LoadError) {
                let permit = try await limiter.acquire(priority: priority)
                await work()
                permit.release()
                return nil
            } catch {
                return error.code
            }
        }
        await until { limiter.counts.waiting > waiting }
        return task
    }

    @Test func `of 2,000 tasks on 4 permits, with a third cancelled at any point, never more than 4 run, and nothing is left behind`() async
    {
        let limiter = Limiter(limit: 0, queueLimit: 2_000)
        let crowd = Crowd()
        var generator = SeededGenerator(seed: 11)
        var tasks: [Task<Bool, Never>] = []
        var toCancel: [Int] = []
        for index in 0..<2_000 {
            let pauses = Int.random(in: 0..<6, using: &generator)
            tasks.append(
                Task {
                    for _ in 0..<pauses { await Task.yield() }
                    guard let permit = try? await limiter.acquire() else { return false }
                    crowd.enter()
                    // The first four tasks meet, which shows that all permits are in use at the same time.
                    await until { crowd.peak >= 4 }
                    for _ in 0..<pauses { await Task.yield() }
                    crowd.leave()
                    permit.release()
                    return true
                })
            guard Int.random(in: 0..<3, using: &generator) == 0 else { continue }
            if Bool.random(using: &generator) { tasks[index].cancel() } else { toCancel.append(index) }
        }
        await until { limiter.counts.waiting > 1_000 }
        limiter.limit = 4
        for index in toCancel {
            tasks[index].cancel()
            await Task.yield()
        }
        var served = 0
        for task in tasks where await task.value { served += 1 }
        #expect(crowd.peak == 4)
        #expect(crowd.running == 0)
        #expect(served >= 2_000 - toCancel.count - 1_000)
        #expect(served < 2_000)
        #expect(limiter.counts == Limiter.Counts())
        #expect(limiter.keyCount == 0)
    }

    @Test func `a permit that is granted while its waiter is cancelled is not lost`() async throws {
        let limiter = Limiter(limit: 1)
        var granted = 0
        for round in 0..<10_000 {
            let first = HeldPermit(try await limiter.acquire())
            let waiter = Task { (try? await limiter.acquire()) != nil }
            if round % 4 > 0 { await until { limiter.counts.waiting == 1 } }
            let releasing = Task { first.release() }
            if round % 2 == 0 { await Task.yield() }
            waiter.cancel()
            await releasing.value
            if await waiter.value { granted += 1 }
            guard limiter.counts == Limiter.Counts() else {
                Issue.record("round \(round) left \(limiter.counts)")
                return
            }
        }
        #expect(0 < granted && granted < 10_000)
    }

    @Test func `serves waiters in order of arrival, high before normal before low`() async throws {
        let limiter = Limiter(limit: 1)
        let order = Mutex<[String]>([])
        let first = HeldPermit(try await limiter.acquire())
        var tasks: [Task<LoadError.Code?, Never>] = []
        for (name, priority) in [("low", LoadPriority.low), ("a", .normal), ("high", .high), ("b", .normal), ("low too", .low)] {
            tasks.append(await enqueue(on: limiter, priority: priority) { order.withLock { $0.append(name) } })
        }
        first.release()
        for task in tasks { #expect(await task.value == nil) }
        #expect(order.withLock { $0 } == ["high", "a", "b", "low", "low too"])
    }

    @Test func `a raised limit wakes waiters at once, a lowered one cancels none, zero pauses, and nil lets all pass`() async throws {
        let limiter = Limiter(limit: 0)
        let finish = Signal()
        let running = Mutex(0)
        var tasks: [Task<LoadError.Code?, Never>] = []
        for _ in 0..<6 {
            tasks.append(
                await enqueue(on: limiter) {
                    running.withLock { $0 += 1 }
                    await finish.wait()
                })
        }
        #expect(limiter.counts == Limiter.Counts(running: 0, waiting: 6))
        limiter.limit = 3
        #expect(limiter.counts == Limiter.Counts(running: 3, waiting: 3))
        await until { running.withLock { $0 } == 3 }
        limiter.limit = 1
        #expect(limiter.counts == Limiter.Counts(running: 3, waiting: 3))
        limiter.limit = nil
        #expect(limiter.limit == nil)
        #expect(limiter.counts == Limiter.Counts(running: 6, waiting: 0))
        finish.fire()
        for task in tasks { #expect(await task.value == nil) }
        #expect(limiter.counts == Limiter.Counts())
    }

    @Test func `a key may have its own limit`() async throws {
        let limiter = Limiter(limit: 1)
        limiter.setLimit(2, of: .named("wide"))
        let first = try await limiter.acquire(.named("wide"))
        let second = try await limiter.acquire(.named("wide"))
        let other = try await limiter.acquire(.named("narrow"))
        #expect(limiter.counts(of: .named("wide")) == Limiter.Counts(running: 2))
        limiter.removeLimit(of: .named("wide"))
        #expect(limiter.limit(of: .named("wide")) == 1)
        first.release()
        second.release()
        other.release()
        #expect(limiter.keyCount == 0)
    }

    @Test func `rejects a task if the queue is full, and a cancelled waiter frees its place`() async throws {
        let limiter = Limiter(limit: 1, queueLimit: 2)
        let first = HeldPermit(try await limiter.acquire())
        let second = await enqueue(on: limiter)
        let third = await enqueue(on: limiter)
        let error = await #expect(throws: LoadError.self) { try await limiter.acquire().release() }
        #expect(error?.code == .queueFull)
        #expect(error?.mayHaveBeenSent == false)
        second.cancel()
        #expect(await second.value == .cancelled)
        #expect(limiter.counts == Limiter.Counts(running: 1, waiting: 1))
        let fourth = await enqueue(on: limiter)
        first.release()
        #expect(await third.value == nil)
        #expect(await fourth.value == nil)
    }

    @Test func `a permit is returned once, whether released or dropped`() async throws {
        let limiter = Limiter(limit: 5)
        let held = HeldPermit(try await limiter.acquire())
        do {
            _ = try await limiter.acquire()
        }
        #expect(limiter.counts == Limiter.Counts(running: 1))
        let other = try await limiter.acquire()
        held.release()
        held.release()
        #expect(limiter.counts == Limiter.Counts(running: 1))
        other.release()
        #expect(limiter.counts == Limiter.Counts())
    }

    @Test func `forgets keys that are not in use`() async throws {
        let limiter = Limiter(limit: 1)
        for port in 1...2_000 {
            let permit = try await limiter.acquire(.origin(Origin(scheme: "https", host: "example.com", port: port)))
            permit.release()
        }
        #expect(limiter.keyCount == 0)
    }
}
