import AuthHubPrimitives
import AuthHubTesting
import Testing

@testable import HTTPLoading

struct LimiterQueueTests {
    @Test func `a queue returns its members in order, whichever leaves from the middle`() {
        var line = WaitingLine<Int>()
        for number in 0..<1_000 { line.append(number, ticket: UInt64(number)) }
        for number in 0..<1_000 where number % 3 > 0 { #expect(line.remove(ticket: UInt64(number)) == number) }
        #expect(line.remove(ticket: 1) == nil)
        #expect(line.count == 334)
        #expect(line.removeAll { $0 % 2 == 0 }.count == 167)
        #expect((0..<168).map { _ in line.removeFirst() } == (0..<167).map { $0 * 6 + 3 } + [nil])
        #expect(line.isEmpty)
    }

    private typealias Queue = LimiterQueue<String>

    @Test func `a key has as many permits as its limit, and the rest waits`() {
        var queue = Queue(limit: 2, queueLimit: 10)
        #expect(queue.enter(.everything, priority: .normal, caller: "a") == .granted)
        #expect(queue.enter(.everything, priority: .normal, caller: "b") == .granted)
        #expect(queue.enter(.everything, priority: .normal, caller: "c") == .queued(ticket: 0))
        #expect(queue.enter(.named("other"), priority: .normal, caller: "d") == .granted)
        #expect(queue.counts == Limiter.Counts(running: 3, waiting: 1))
        #expect(queue.counts(of: .everything) == Limiter.Counts(running: 2, waiting: 1))
    }

    @Test func `a returned permit goes to the next waiter, high before normal before low`() {
        var queue = Queue(limit: 1, queueLimit: 10)
        _ = queue.enter(.everything, priority: .low, caller: "first")
        for (caller, priority) in [("low", LoadPriority.low), ("a", .normal), ("b", .normal), ("high", .high), ("c", .normal)] {
            _ = queue.enter(.everything, priority: priority, caller: caller)
        }
        let order = (0..<6).map { _ in queue.leave(.everything) }
        #expect(order == ["high", "a", "b", "c", "low", nil])
        #expect(queue.keyCount == 0)
    }

    @Test func `a lowered limit withdraws permits as they are returned`() {
        var queue = Queue(limit: 3, queueLimit: 10)
        for caller in ["a", "b", "c", "d"] { _ = queue.enter(.everything, priority: .normal, caller: caller) }
        #expect(queue.setLimit(1).isEmpty)
        #expect(queue.counts == Limiter.Counts(running: 3, waiting: 1))
        #expect(queue.leave(.everything) == nil)
        #expect(queue.leave(.everything) == nil)
        #expect(queue.counts == Limiter.Counts(running: 1, waiting: 1))
        #expect(queue.leave(.everything) == "d")
    }

    @Test func `a raised limit admits as many as it has room for, from all keys`() {
        var queue = Queue(limit: 0, queueLimit: 10)
        for key in [LimitKey.named("x"), .named("y")] {
            for caller in ["a", "b", "c"] { _ = queue.enter(key, priority: .normal, caller: caller) }
        }
        let granted = queue.setLimit(2)
        #expect(granted.count == 4)
        #expect(granted.filter { $0.key == .named("x") }.map(\.caller) == ["a", "b"])
        #expect(queue.setLimit(3, of: .named("y")).map(\.caller) == ["c"])
        #expect(queue.counts == Limiter.Counts(running: 5, waiting: 1))
    }

    @Test func `in any order of events, no task waits while a permit is free, and nothing is left behind`() throws {
        var generator = SeededGenerator(seed: 7)
        var queue = LimiterQueue<Int>(limit: 3, queueLimit: 20)
        let keys = (0..<4).map { LimitKey.named("\($0)") }
        var running: [LimitKey: Int] = [:]
        var waiting: [LimitKey: [(ticket: UInt64, priority: LoadPriority, caller: Int)]] = [:]
        func admit(_ caller: Int, _ key: LimitKey) throws {
            let best = waiting[key]?.max { ($0.priority, -$0.caller) < ($1.priority, -$1.caller) }
            try #require(caller == best?.caller)
            waiting[key]?.removeAll { $0.caller == caller }
            running[key, default: 0] += 1
        }
        func end(_ key: LimitKey) throws {
            running[key, default: 0] -= 1
            if let next = queue.leave(key) { try admit(next, key) }
        }
        for step in 0..<20_000 {
            let key = keys[Int.random(in: 0..<keys.count, using: &generator)]
            let priority = LoadPriority.allCases[Int.random(in: 0..<3, using: &generator)]
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4:
                switch queue.enter(key, priority: priority, caller: step) {
                case .granted: running[key, default: 0] += 1
                case .queued(let ticket): waiting[key, default: []].append((ticket, priority, step))
                case .full: #expect(waiting[key]?.count == 20)
                }
            case 4..<8: if running[key, default: 0] > 0 { try end(key) }
            case 8:
                guard let place = waiting[key]?.randomElement(using: &generator) else { continue }
                queue.withdraw(ticket: place.ticket, from: key, priority: place.priority)
                waiting[key]?.removeAll { $0.ticket == place.ticket }
            default:
                for (key, caller) in queue.setLimit(Int.random(in: 0...5, using: &generator)) { try admit(caller, key) }
            }
            for key in keys {
                let counts = queue.counts(of: key)
                try #require(counts == Limiter.Counts(running: running[key, default: 0], waiting: waiting[key, default: []].count))
                try #require(counts.waiting == 0 || counts.running >= queue.limit)
            }
        }
        for (key, caller) in queue.setLimit(.max) { try admit(caller, key) }
        for key in keys { while running[key, default: 0] > 0 { try end(key) } }
        #expect(queue.keyCount == 0)
    }
}
